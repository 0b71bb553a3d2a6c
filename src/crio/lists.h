// Reads the lists of a store from disk.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "crio/listing.h"
#include "crio/storage_conf.h"

namespace ebb::crio {

// Everything but what takes how much. `roots` as RootsOf() gives them. Others replace these files
// one by one while we read: a reading that saw a change, or no JSON, is done once more.
base::Result<Listing> ReadLists(const StorageConf& conf, const std::vector<std::string>& roots);

}  // namespace ebb::crio
