// The guard: which images must never be lost, whoever removes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"
#include "image/image.h"
#include "image/record.h"
#include "image/reference.h"

namespace ebb::image {

struct Observation;

// Why an image is guarded; those before count more when there is not room for all.
enum class GuardReason {
  kSandbox,  // without it no pod starts
  kSelf,     // we run from it
  kAdded,    // `ebb guard add`
  kRule,     // a protect rule with `guard: true`
};

// "sandbox", "self", "added", "rule".
std::string_view Code(GuardReason reason);
std::optional<GuardReason> ParseGuardReason(std::string_view code);

struct GuardPolicy {
  // Guarded images together take at most so much, sandbox images aside: a kubelet that removes one
  // frees nothing by it. nullopt: 5 % of the image filesystem.
  std::optional<base::Bytes> max_bytes;
  std::vector<Pattern> patterns;
};

// What is kept of a guarded image so that its names can be made again.
struct GuardedImage {
  ImageId id;
  GuardReason reason = GuardReason::kSandbox;
  std::string detail;                        // the name or the rule it is guarded by
  base::TimePoint wanted_at = base::kNever;  // when it was last seen to be wanted
  std::vector<Record> records;
};

// A guarded image as an observation tells of it.
struct Guarded {
  ImageId id;
  std::string name;
  GuardReason reason = GuardReason::kSandbox;
  std::string detail;
};

// What the guard remembers across restarts.
struct GuardSet {
  std::vector<GuardedImage> images;
  std::vector<std::string> added;  // what the operator named
};

// An image as the guard's names tell of it, listed by the runtime or not.
Image ToImage(const GuardedImage& guarded);

struct GuardClaim {
  Image image;
  GuardReason reason = GuardReason::kSandbox;
  std::string detail;
};

struct GuardChoice {
  std::vector<GuardClaim> claims;     // strongest reason first, then by name
  std::vector<std::string> left_out;  // a sentence for each image there was no room for
};

// Who is to be guarded now: of the images listed, and of those guarded before that are gone. A name
// that stands for another image now moves the guard to that one. A sandbox image is kept for a day
// after it was last wanted, and longer while no other one is known; while the observation is in
// doubt, everything that was guarded is.
GuardChoice ChooseGuarded(const Observation& seen, const GuardPolicy& policy,
                          const GuardSet& before);

}  // namespace ebb::image
