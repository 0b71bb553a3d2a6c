// The rules of containers/storage in the neutral words of image/store.h. Pure.
#pragma once

#include "crio/listing.h"
#include "image/store.h"

namespace ebb::crio {

// What is kept by whom. Removing an image takes its data and, from its uppermost layer down, each
// layer that is no other image's uppermost one, no container's and no other layer's parent
// (store.DeleteImage, containers/storage 1.43 to 1.59): the same as what nobody reaches any more,
// if every layer that no image and no container uses is a root. Those are, as kOther: nobody
// collects them, and they hold what they are built on. Orphans have no root. What does not fit
// these rules is named in Store::unknown.
image::Store Translate(const Listing& listing);

}  // namespace ebb::crio
