// How many dead containers are too many, by the kubelet's arithmetic.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>

#include "image/policy.h"
#include "image/workload.h"

namespace ebb::image {

// One dead container that counts, and which others it is counted with.
struct Countable {
  std::size_t container = 0;  // index into the list of containers
  std::string group;          // pod UID and container name
};

// Indices of the containers beyond the limits, as the kubelet (v1.36) chooses them: of each group
// the newest max_per_container stay; if then more than max_in_all are left, as many of each group
// as an even share allows (at least one); and if these are still too many, the oldest go.
std::set<std::size_t> FindSurplus(std::span<const Container> containers,
                                  std::span<const Countable> countable, const DeadPolicy& policy);

}  // namespace ebb::image
