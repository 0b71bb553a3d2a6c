#include "daemon/kubelet.h"

#include <algorithm>
#include <filesystem>

#include "config/distribution.h"
#include "host/kubelet_process.h"
#include "host/small_file.h"

namespace ebb::daemon {
namespace {

constexpr const char* kDefaultConfig = "/var/lib/kubelet/config.yaml";

using Warnings = std::vector<std::string>;

void Warn(const base::Error& error, Warnings& warnings) {
  warnings.push_back(error.In("kubelet configuration").message);
}

// The files below `directory` whose names end so, in order of their names.
std::vector<config::KubeletFile> ReadDropIns(const std::string& directory,
                                             std::string_view extension, Warnings& warnings) {
  std::vector<std::string> paths;
  std::error_code failure;
  for (std::filesystem::recursive_directory_iterator at(directory, failure), end;
       !failure && at != end; at.increment(failure)) {
    if (at->path().extension() == extension) paths.push_back(at->path());
  }
  std::ranges::sort(paths);
  std::vector<config::KubeletFile> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) {
    auto text = host::ReadSmallFile(path);
    if (text.ok()) {
      files.push_back({.name = path, .text = std::move(*text)});
    } else {
      Warn(text.error(), warnings);
    }
  }
  return files;
}

// K3s and RKE2 keep what they tell the kubelet in files of their own, and let it read drop-ins.
config::KubeletFlags FlagsInside(const host::KubeletProcess& process, Warnings& warnings) {
  const auto given = config::ParseDistributionFlags(process.arguments);
  const std::string path = given.config_path.empty()
                               ? "/etc/rancher/" + process.distribution + "/config.yaml"
                               : given.config_path;
  auto files = ReadDropIns(path + ".d", ".yaml", warnings);
  if (auto main = host::ReadSmallFile(path); main.ok()) {
    files.insert(files.begin(), {.name = path, .text = std::move(*main)});
  } else if (main.error().code != base::ErrorCode::kNotFound) {
    Warn(main.error(), warnings);
  }
  auto settings = config::MergeDistribution(given, files);
  if (!settings.ok()) {
    Warn(settings.error(), warnings);
    settings = given;
  }
  auto flags = config::ParseKubeletFlags(settings->kubelet_args);
  if (!settings->node_name.empty()) flags.node_name = settings->node_name;
  if (!flags.config_dir.empty()) return flags;
  const std::string data =
      settings->data_dir.empty() ? "/var/lib/rancher/" + process.distribution : settings->data_dir;
  flags.config_dir = data + "/agent/etc/kubelet.conf.d";
  return flags;
}

config::KubeletFlags FlagsOf(const std::optional<host::KubeletProcess>& process,
                             Warnings& warnings) {
  if (!process) return {};
  if (!process->distribution.empty()) return FlagsInside(*process, warnings);
  return config::ParseKubeletFlags(process->arguments);
}

}  // namespace

std::optional<config::KubeletFacts> ReadKubelet(std::vector<std::string>& warnings) {
  const auto process = host::FindKubelet();
  const config::KubeletFlags flags = FlagsOf(process, warnings);
  const bool named = !flags.config_path.empty();
  // K3s and RKE2 read no file that they do not name: one there is of an earlier life.
  const char* const usual = process && !process->distribution.empty() ? "" : kDefaultConfig;
  config::KubeletFile main{.name = named ? flags.config_path : usual, .text = {}};
  auto text = host::ReadSmallFile(main.name);
  if (!text.ok() && !process) return std::nullopt;
  if (text.ok()) {
    main.text = std::move(*text);
  } else if (named) {
    Warn(text.error(), warnings);
  }
  std::vector<config::KubeletFile> drop_ins;
  // As the kubelet does: files named *.conf.
  if (!flags.config_dir.empty()) drop_ins = ReadDropIns(flags.config_dir, ".conf", warnings);
  auto facts = config::MergeKubelet(flags, main, drop_ins);
  if (!facts.ok()) {
    Warn(facts.error(), warnings);
    facts = config::MergeKubelet(flags, {}, {});
  }
  if (!facts.ok()) return std::nullopt;
  return *facts;
}

}  // namespace ebb::daemon
