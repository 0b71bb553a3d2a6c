// The kubelet that runs on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ebb::host {

struct KubeletProcess {
  int pid = 0;
  std::vector<std::string> arguments;  // argv, the program first
  std::string distribution;            // "k3s" or "rke2" if the arguments are theirs, else empty
};

// A process of the program `kubelet` (or `hyperkube kubelet`), else one that has a kubelet inside:
// k3s, RKE2, MicroK8s' kubelite. Of several the lowest pid. nullopt if there is none, or its
// command line may not be read. k3s replaces its command line by its title: then there are no
// flags.
std::optional<KubeletProcess> FindKubelet(const std::string& proc_root = "/proc");

}  // namespace ebb::host
