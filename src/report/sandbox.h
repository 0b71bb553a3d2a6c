// Can the sandbox (pause) image of this node be lost to another collector?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/observation.h"
#include "image/plan.h"

namespace ebb::report {

enum class SandboxSafety {
  kPrevented,  // the runtime reports every sandbox image as pinned: the kubelet leaves it alone
  kRepaired,   // some are not pinned, and ebb's guard brings those back when they are removed
  kExposed,    // at least one is not pinned: the kubelet may remove it
  kMissing,    // the image the runtime is configured with is not on this node
  kUnknown,    // nobody tells which image it is
};

std::string_view Code(SandboxSafety safety);

struct SandboxState {
  SandboxSafety safety = SandboxSafety::kUnknown;
  std::vector<std::size_t> images;     // every image known to be a sandbox image
  std::vector<std::string> concerned;  // names of those that are exposed or missing
};

// Sandbox images are those the observation names and those the plan keeps as such.
SandboxState AssessSandbox(const image::Observation& seen, const image::Plan& plan);

// "exposed: registry.k8s.io/pause:3.9 is not pinned, so the kubelet may remove it".
std::string Sentence(const SandboxState& state);

}  // namespace ebb::report
