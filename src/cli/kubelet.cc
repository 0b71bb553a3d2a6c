#include "cli/kubelet.h"

#include <algorithm>
#include <filesystem>

#include "host/kubelet_process.h"
#include "host/small_file.h"

namespace ebb::cli {
namespace {

constexpr const char* kDefaultConfig = "/var/lib/kubelet/config.yaml";

std::vector<config::KubeletFile> ReadDropIns(const std::string& directory,
                                             std::vector<std::string>& warnings) {
  std::vector<std::string> paths;
  std::error_code failure;
  // As the kubelet does: files named *.conf, in order of their names.
  for (std::filesystem::recursive_directory_iterator at(directory, failure), end;
       !failure && at != end; at.increment(failure)) {
    if (at->path().extension() == ".conf") paths.push_back(at->path());
  }
  std::ranges::sort(paths);
  std::vector<config::KubeletFile> files;
  for (const std::string& path : paths) {
    auto text = host::ReadSmallFile(path);
    if (text.ok()) {
      files.push_back({.name = path, .text = std::move(*text)});
    } else {
      warnings.push_back(text.error().In("kubelet configuration").message);
    }
  }
  return files;
}

}  // namespace

std::optional<config::KubeletFacts> ReadKubelet(std::vector<std::string>& warnings) {
  const auto process = host::FindKubelet();
  config::KubeletFlags flags;
  if (process) flags = config::ParseKubeletFlags(process->arguments);
  const bool named = !flags.config_path.empty();
  config::KubeletFile main{.name = named ? flags.config_path : kDefaultConfig, .text = {}};
  auto text = host::ReadSmallFile(main.name);
  if (!text.ok() && !process) return std::nullopt;
  if (text.ok()) {
    main.text = std::move(*text);
  } else if (named) {
    warnings.push_back(text.error().In("kubelet configuration").message);
  }
  std::vector<config::KubeletFile> drop_ins;
  if (!flags.config_dir.empty()) drop_ins = ReadDropIns(flags.config_dir, warnings);
  auto facts = config::MergeKubelet(flags, main, drop_ins);
  if (!facts.ok()) {
    warnings.push_back(facts.error().In("kubelet configuration").message);
    facts = config::MergeKubelet(flags, {}, {});
  }
  if (!facts.ok()) return std::nullopt;
  return *facts;
}

}  // namespace ebb::cli
