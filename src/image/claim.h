// Who is about to use an image that no container uses yet (P1): pods that are bound to this node,
// and pulls in progress.
#pragma once

#include <string>
#include <vector>

#include "image/image.h"
#include "image/pod.h"
#include "image/store.h"

namespace ebb::image {

struct Claim {
  std::string image;  // an ID, tag or digest, as whoever claims it has it
  std::string by;     // for people: "pod default/web", "the kubelet"
};

// Every image of a pod that has not ended, started or not: its next container may start at any
// time, and what is being deleted has not gone yet.
std::vector<Claim> NeedsOf(const KnownPods& pods);

// Images of which somebody is still writing a part, or which the lease of a pull holds.
std::vector<Claim> PullsIn(const Store& store);

// Per image who claims it, nullptr where nobody does; the first claim counts. Requires `claims` to
// outlive the answer.
std::vector<const Claim*> Claimants(const std::vector<Image>& images,
                                    const std::vector<Claim>& claims);

}  // namespace ebb::image
