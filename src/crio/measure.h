// What layers and images take on disk, remembered.
#pragma once

#include "crio/listing.h"
#include "engine/ports.h"

namespace ebb::crio {

// Fills every `disk` of `listing` but those of containers' own layers and of additional places,
// from `facts` or by walking. What cannot be measured stays unknown and is tried again next time.
// What `facts` knows of things that are not in `listing` is erased from facts.all.
void Measure(Listing& listing, engine::FactBook& facts);

}  // namespace ebb::crio
