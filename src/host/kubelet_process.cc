#include "host/kubelet_process.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "host/small_file.h"

namespace ebb::host {
namespace {

enum Rank { kKubelet, kEmbedded, kOther };

std::vector<int> Pids(const std::string& proc_root) {
  std::vector<int> pids;
  std::error_code failure;
  std::filesystem::directory_iterator entry(proc_root, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename();
    int pid = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad == std::errc() && *end == '\0' && pid > 0) pids.push_back(pid);
  }
  std::ranges::sort(pids);
  return pids;
}

// Cheap and cut to 15 characters by the kernel: decides whose command line is worth reading.
bool MayBeKubelet(std::string_view comm) {
  constexpr std::array<std::string_view, 5> kNames = {"kubelet", "hyperkube", "k3s", "rke2",
                                                      "kubelite"};
  return std::ranges::any_of(kNames, [&](auto name) { return comm.starts_with(name); });
}

std::vector<std::string> SplitArguments(std::string_view cmdline) {
  std::vector<std::string> arguments;
  while (!cmdline.empty()) {
    const auto end = cmdline.find('\0');
    arguments.emplace_back(cmdline.substr(0, end));
    cmdline.remove_prefix(end == std::string_view::npos ? cmdline.size() : end + 1);
  }
  // A process title pads the room of the old command line.
  while (!arguments.empty() && arguments.back().empty()) arguments.pop_back();
  return arguments;
}

std::string_view ProgramOf(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {};
  std::string_view program = arguments.front();
  program = program.substr(0, program.find(' '));  // "/usr/local/bin/k3s server" is a title
  program.remove_prefix(std::min(program.size(), program.rfind('/') + 1));
  return program;
}

Rank RankOf(const std::vector<std::string>& arguments) {
  const auto program = ProgramOf(arguments);
  if (program == "kubelet") return kKubelet;
  if (program == "hyperkube") {
    return std::ranges::find(arguments, "kubelet") != arguments.end() ? kKubelet : kOther;
  }
  const bool embedded = program == "k3s" || program == "rke2" || program == "kubelite";
  return embedded ? kEmbedded : kOther;
}

}  // namespace

std::optional<KubeletProcess> FindKubelet(const std::string& proc_root) {
  std::optional<KubeletProcess> embedded;
  for (const int pid : Pids(proc_root)) {
    const std::string directory = proc_root + "/" + std::to_string(pid);
    const auto comm = ReadSmallFile(directory + "/comm");
    if (!comm.ok() || !MayBeKubelet(*comm)) continue;
    const auto cmdline = ReadSmallFile(directory + "/cmdline");
    if (!cmdline.ok()) continue;
    KubeletProcess process = {
        .pid = pid, .arguments = SplitArguments(*cmdline), .distribution = {}};
    const auto program = ProgramOf(process.arguments);
    if (program == "k3s" || program == "rke2") process.distribution = program;
    const Rank rank = RankOf(process.arguments);
    if (rank == kKubelet) return process;
    if (rank == kEmbedded && !embedded) embedded = std::move(process);
  }
  return embedded;
}

}  // namespace ebb::host
