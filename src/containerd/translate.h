// containerd's rules of collection in the neutral words of image/store.h. Pure.
#pragma once

#include "base/time.h"
#include "containerd/listing.h"
#include "image/store.h"

namespace ebb::containerd {

// What is kept by whom, as containerd's own collector (1.6 to 2.3) would find it at `now`. What is
// named and not there is ignored, as there. An object with a rule that this does not know has a
// root of its own, and Store::unknown says so.
image::Store Translate(const Listing& listing, base::TimePoint now);

}  // namespace ebb::containerd
