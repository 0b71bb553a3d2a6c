#include "image/filesystem.h"

namespace ebb::image {

base::Percent UsedPercent(const Filesystem& fs) {
  return base::UsedPercent(fs.capacity, fs.available);
}

}  // namespace ebb::image
