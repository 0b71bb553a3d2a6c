// What a tree of files takes on disk.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace ebb::crio {

struct TreeUsage {
  base::Bytes disk;      // all blocks, as du counts them: files with several names once
  bool mounted = false;  // something is mounted in it, which is not counted: look again later
  bool linked = false;   // files in it have names outside of it as well
};

// Measures the file, link or folder `name` of the open folder `parent`, with all that is in it,
// without following links or leaving its filesystem. kNotFound if there is none, or if it goes
// away meanwhile.
base::Result<TreeUsage> MeasureTree(int parent, const std::string& name);

}  // namespace ebb::crio
