#include "image/record.h"

#include <algorithm>
#include <set>

#include "image/reference.h"

namespace ebb::image {

std::vector<Record> RecordsOf(const Image& image, const std::vector<Record>& all) {
  if (image.id.value.empty()) return {};
  std::set<std::string> targets;
  std::set<std::string> names;
  for (const Record& record : all) {
    if (!Names(record.name, image)) continue;
    names.insert(record.name);
    targets.insert(record.target.digest);
  }
  std::vector<Record> found;
  for (const Record& record : all) {
    if (names.contains(record.name) || targets.contains(record.target.digest)) {
      found.push_back(record);
    }
  }
  return found;
}

}  // namespace ebb::image
