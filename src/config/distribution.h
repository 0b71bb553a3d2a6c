// What K3s and RKE2 pass on to the kubelet that runs inside them. Their files are not ours: keys we
// do not use are ignored, and an Error is worth a warning only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/kubelet_config.h"

namespace ebb::config {

struct DistributionSettings {
  std::string config_path;                // --config, -c: their own file; empty: the default one
  std::string data_dir;                   // empty: /var/lib/rancher/NAME
  std::string node_name;                  // empty: the host's name
  std::vector<std::string> kubelet_args;  // as the kubelet's own flags: "--name=value"
};

// From the arguments of the running `k3s` or `rke2`, as far as its title still shows them.
DistributionSettings ParseDistributionFlags(std::span<const std::string> args);

// `files` is config.yaml and then what stands in config.yaml.d, in order of names: a later file
// replaces a key of an earlier one, "key+" adds to it. Flags come last: they replace a data-dir and
// are added to the kubelet-arg of the files.
base::Result<DistributionSettings> MergeDistribution(const DistributionSettings& flags,
                                                     std::span<const KubeletFile> files);

}  // namespace ebb::config
