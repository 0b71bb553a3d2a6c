// The second look (P3): who uses images right now, compared with what was observed.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "engine/claims.h"
#include "engine/observe.h"
#include "engine/ports.h"
#include "image/protection.h"

namespace ebb::engine {

// One re-reading of the world for the images of an earlier observation.
struct Look {
  std::set<image::ImageId> listed;
  // Per image index of the observation: in use, mounted, sandbox, pinned, needed by a pod or being
  // pulled, now or in any earlier look: what was used a moment ago is too young to go.
  image::Protection protection;
};

class Looker {
 public:
  // Requires all four to outlive it.
  Looker(const Ports& ports, const image::Observation& seen, const ObserveOptions& options)
      : ports_(ports), seen_(seen), options_(options) {}

  // Fails if the runtime does not answer.
  base::Result<Look> Again();

 private:
  void Remember(Look& look);
  PodBook& pods() { return options_.pods == nullptr ? pods_ : *options_.pods; }

  const Ports& ports_;
  const image::Observation& seen_;
  const ObserveOptions& options_;
  std::optional<RuntimeFacts> about_;
  PodBook pods_;
  FactBook facts_;
  std::vector<std::optional<image::Shield>> shields_;  // the first ever seen, per image
  std::set<image::ImageId> gone_;  // not listed by some look: a new stay is young
};

}  // namespace ebb::engine
