// Everything there is to say about one image: facts only, no layout.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"

namespace ebb::report {

struct Share {
  std::size_t image = 0;
  base::Bytes bytes;  // held by both images, whoever else holds them too
};

struct Explanation {
  image::Verdict verdict;
  std::vector<std::size_t> containers;      // indices: made from it
  std::vector<std::size_t> volumes;         // indices: mount it
  std::vector<std::size_t> sandbox_claims;  // indices into Observation::sandbox_images
  std::vector<std::string> rules;           // protect patterns that match it
  base::Bytes on_disk;                      // of all its pieces
  base::Bytes frees_alone;                  // removing it and nothing else
  std::vector<Share> shares;                // largest first; empty if sharing is unknown
  bool survives_kubelet = false;            // it stays, or is brought back
  std::string survives_why;
  bool kubelet_removes = false;
  std::string kubelet_why;
  std::string advice;  // what would have to change for the opposite verdict
};

// Requires `image` to be an index of seen.images. An image without a verdict is unresolved.
Explanation ExplainImage(const image::Observation& seen, const image::Policy& policy,
                         const image::Plan& plan, std::size_t image);

}  // namespace ebb::report
