#include "graph/strings.h"

#include <algorithm>
#include <limits>

namespace ebb::graph {

Interned::Id Interned::Of(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<Id>(texts_.size());
  const std::string& kept = texts_.emplace_back(text);
  ids_.emplace(kept, id);
  return id;
}

Arena::Id Arena::Add(std::string_view text) {
  const auto id = static_cast<Id>(bytes_.size());
  const auto size = std::min<std::size_t>(text.size(), std::numeric_limits<std::uint16_t>::max());
  bytes_.push_back(static_cast<char>(size & 0xffU));
  bytes_.push_back(static_cast<char>(size >> 8U));
  bytes_.insert(bytes_.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
  return id;
}

std::string_view Arena::Text(Id id) const {
  const auto low = static_cast<unsigned char>(bytes_[id]);
  const auto high = static_cast<unsigned char>(bytes_[id + 1]);
  return {bytes_.data() + id + 2, std::size_t{low} | std::size_t{high} << 8U};
}

}  // namespace ebb::graph
