// What the kubelet of this node is configured to do, as far as it concerns images and disk. The
// files are not ours: keys we do not use are ignored, and an Error is worth a warning only.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "image/policy.h"

namespace ebb::config {

// A value and who wrote it ("/var/lib/kubelet/config.yaml:12", "--eviction-hard").
struct KubeletValue {
  std::string text;
  std::string source;
};
using KubeletValues = std::map<std::string, KubeletValue, std::less<>>;

// The flags of the running process, under the names the configuration file has for them.
struct KubeletFlags {
  std::string config_path;  // --config; empty: not given
  std::string config_dir;   // --config-dir: its *.conf files are the drop-ins
  std::string node_name;    // --hostname-override; empty: the host's name
  KubeletValues values;
  std::optional<KubeletValues> eviction_hard;  // present: replaces what the files say
};

// A file's text and the name messages call it by.
struct KubeletFile {
  std::string name;
  std::string text;
};

struct KubeletFacts {
  std::string runtime_endpoint;  // as written; empty: not said, which means the kubelet's default
  std::string image_endpoint;
  std::string static_pod_path;
  std::string node_name;                // as the flag has it; empty: the host's name
  image::KubeletThresholds thresholds;  // hard_imagefs is absent if the kubelet never evicts
};

// From the arguments of the kubelet's process, its own name left out or not. Both "--flag value"
// and "--flag=value"; '_' counts as '-'; of a flag given twice the last counts, but --eviction-hard
// adds up. Values are judged by MergeKubelet.
KubeletFlags ParseKubeletFlags(std::span<const std::string> args);

// Flags beat drop-ins, a later drop-in beats an earlier one, and all beat the main file (empty
// text: there is none). What nobody says has the kubelet's default: 85, 80 and, unless
// evictionHard is set, imagefs.available 15%. As in the kubelet, the evictionHard of a drop-in is
// merged into the main file's or, where that has none, into the defaults.
// A percentage with a fraction is rounded up, so that we expect the eviction earlier than it
// comes; 0% and 100% mean that the kubelet never evicts.
base::Result<KubeletFacts> MergeKubelet(const KubeletFlags& flags, const KubeletFile& main,
                                        std::span<const KubeletFile> drop_ins);

}  // namespace ebb::config
