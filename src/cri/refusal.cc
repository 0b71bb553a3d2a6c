#include "cri/refusal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace ebb::cri {
namespace {

// Lower case. "in use" alone would not do: an address or a device can be in use as well.
constexpr std::array<std::string_view, 7> kRefusals = {
    "image is in use",                // CRI-O: storage's reason, for containers
    "is in use by",                   // CRI-O: image volumes
    "image used by",                  // CRI-O: storage's first half
    "is being used by",               // docker: a container, running or stopped
    "is using its referenced image",  // docker: the same for one name
    "cannot be forced",               // docker: running container, child images
    "must be forced",                 // docker: stopped container, several names
};

// ENOSPC, as every program written in Go words it.
constexpr std::string_view kNoRoom = "no space left on device";

}  // namespace

bool SoundsHeld(std::string_view message) {
  std::string lower(message);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(kRefusals.begin(), kRefusals.end(), [&](std::string_view refusal) {
    return lower.find(refusal) != std::string::npos;
  });
}

engine::RemovalResult ToRemoval(const grpc::Status& status, const rpc::Method& method) {
  if (status.ok()) return {image::Outcome::kRemoved, ""};
  if (status.error_code() == grpc::StatusCode::NOT_FOUND) return {image::Outcome::kGone, ""};
  if (!rpc::Unanswered(status) && SoundsHeld(status.error_message())) {
    return {image::Outcome::kHeld, status.error_message()};
  }
  return {image::Outcome::kFailed, rpc::ToError(status, method).message,
          status.error_message().find(kNoRoom) != std::string::npos};
}

}  // namespace ebb::cri
