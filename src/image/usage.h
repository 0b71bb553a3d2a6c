// How usage history grows from one observation to the next.
#pragma once

#include <string>
#include <vector>

#include "image/observation.h"

namespace ebb::image {

// What history keeps of one image ID.
struct UsageRecord {
  ImageId id;
  std::string name;  // last known display name, for reports about images long gone
  Usage usage;
  bool present = false;  // in the latest observation
  bool in_use = false;   // by a container or as a volume, in the latest observation
  // Newest container creation already counted, and what usage.recent_starts is as of.
  base::TimePoint latest_start = base::kNever;
};

// Evidence from outside our own history: a time at which the image is known to have been here.
struct Evidence {
  ImageId id;
  base::TimePoint time = base::kNever;
};

// The records after `seen`: new images are dated from evidence, else from seen.taken_at; images in
// use are used now, and so are those that were in use when last seen, for nobody knows when between
// the two looks that ended; starts are counted and lose weight with age; an image that came back
// starts a new stay. Times in the future (a clock that was set back) become now. Images no longer
// listed stay, with present = false.
std::vector<UsageRecord> Advance(std::vector<UsageRecord> records, const Observation& seen,
                                 const std::vector<Evidence>& evidence);

// One record of two of the same image, where `later` was begun without knowing `earlier`: the stay
// goes on if the image was there when `earlier` was last written.
UsageRecord Joined(const UsageRecord& earlier, UsageRecord later);

// Copies each record's usage onto the image it belongs to; last_start is latest_start.
void ApplyUsage(const std::vector<UsageRecord>& records, std::vector<Image>& images);

}  // namespace ebb::image
