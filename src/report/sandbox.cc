#include "report/sandbox.h"

#include <algorithm>
#include <set>

#include "report/text.h"

namespace ebb::report {
namespace {

std::set<std::size_t> SandboxImages(const image::Observation& seen, const image::Plan& plan) {
  std::set<std::size_t> found;
  for (const image::Verdict& verdict : plan.verdicts) {
    if (verdict.reason == image::Reason::kSandbox) found.insert(verdict.image);
  }
  for (const image::SandboxImage& sandbox : seen.sandbox_images) {
    for (std::size_t i = 0; i < seen.images.size(); ++i) {
      if (image::SameId(sandbox.id.value, seen.images[i].id.value)) found.insert(i);
    }
  }
  return found;
}

// Only the image that the runtime will ask for next matters: old sandboxes may outlive theirs, and
// an operator may list more names than one node has.
std::vector<std::string> MissingNames(const image::Observation& seen) {
  std::vector<std::string> names;
  for (const image::SandboxImage& sandbox : seen.sandbox_images) {
    if (sandbox.id.value.empty() && sandbox.source == "runtime configuration") {
      names.push_back(sandbox.name);
    }
  }
  return names;
}

// Every image that is not pinned is guarded, and somebody stands by.
bool Repaired(const image::Observation& seen, const std::vector<std::size_t>& images) {
  return seen.guard_stands_by && std::ranges::all_of(images, [&](std::size_t i) {
           const image::Image& image = seen.images[i];
           return image.pinned || std::ranges::find(seen.guarded, image.id, &image::Guarded::id) !=
                                      seen.guarded.end();
         });
}

}  // namespace

std::string_view Code(SandboxSafety safety) {
  switch (safety) {
    case SandboxSafety::kPrevented: return "prevented";
    case SandboxSafety::kRepaired: return "repaired";
    case SandboxSafety::kExposed: return "exposed";
    case SandboxSafety::kMissing: return "missing";
    case SandboxSafety::kUnknown: return "unknown";
  }
  return "";
}

SandboxState AssessSandbox(const image::Observation& seen, const image::Plan& plan) {
  const auto images = SandboxImages(seen, plan);
  SandboxState state{.images = {images.begin(), images.end()}};
  state.concerned = MissingNames(seen);
  if (!state.concerned.empty()) {
    state.safety = SandboxSafety::kMissing;
    return state;
  }
  for (const std::size_t i : state.images) {
    if (!seen.images[i].pinned) state.concerned.push_back(image::DisplayName(seen.images[i]));
  }
  if (!state.concerned.empty()) {
    state.safety =
        Repaired(seen, state.images) ? SandboxSafety::kRepaired : SandboxSafety::kExposed;
  } else if (!state.images.empty()) {
    state.safety = SandboxSafety::kPrevented;
  }
  return state;
}

std::string Sentence(const SandboxState& state) {
  const std::string names = Clean(Listed(state.concerned, 2));
  const bool one = state.concerned.size() == 1;
  const std::string text = std::string(Code(state.safety)) + ": ";
  switch (state.safety) {
    case SandboxSafety::kPrevented:
      return text + "the runtime reports every sandbox image as pinned";
    case SandboxSafety::kRepaired:
      return text + names + (one ? " is" : " are") + " not pinned, and the guard brings " +
             (one ? "it" : "them") + " back within a second of a removal";
    case SandboxSafety::kExposed:
      return text + names + (one ? " is" : " are") + " not pinned, so the kubelet may remove " +
             (one ? "it" : "them");
    case SandboxSafety::kMissing:
      return text + names + (one ? " is" : " are") + " not on this node: new pods need a registry";
    case SandboxSafety::kUnknown:
      return text + "the runtime does not tell its sandbox image, and no sandbox exists";
  }
  return "";
}

}  // namespace ebb::report
