// From a UID to the place of its node, in eight bytes an entry.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/uid.h"

namespace ebb::graph {

// Open addressing with linear probing. The UIDs themselves stay with the nodes: whoever asks says
// what the UID at a place is.
class UidTable {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  template <class UidAt>
  std::uint32_t Find(const Uid& uid, const UidAt& uid_at) const {
    if (slots_.empty()) return kNone;
    for (std::size_t slot = Hash(uid) & Mask();; slot = (slot + 1) & Mask()) {
      if (slots_[slot] == kNone) return kNone;
      if (slots_[slot] != kGone && uid_at(slots_[slot]) == uid) return slots_[slot];
    }
  }

  // Requires that the UID is not in it.
  template <class UidAt>
  void Add(const Uid& uid, std::uint32_t place, const UidAt& uid_at) {
    if ((taken_ + 1) * 2 > slots_.size()) Grow(uid_at);
    std::size_t slot = Hash(uid) & Mask();
    while (slots_[slot] != kNone && slots_[slot] != kGone) slot = (slot + 1) & Mask();
    if (slots_[slot] == kNone) ++taken_;
    slots_[slot] = place;
  }

  // Requires that it is there.
  void Remove(const Uid& uid, std::uint32_t place) {
    std::size_t slot = Hash(uid) & Mask();
    while (slots_[slot] != place) slot = (slot + 1) & Mask();
    slots_[slot] = kGone;
  }

 private:
  static constexpr std::uint32_t kGone = kNone - 1;
  static std::size_t Hash(const Uid& uid) {
    return static_cast<std::size_t>((uid.words[0] ^ uid.words[1]) * 0x9e3779b97f4a7c15U >> 20U);
  }
  std::size_t Mask() const { return slots_.size() - 1; }

  template <class UidAt>
  void Grow(const UidAt& uid_at) {
    constexpr std::size_t kLeast = 16;
    std::size_t alive = 0;
    for (const std::uint32_t place : slots_) {
      if (place < kGone) ++alive;
    }
    std::size_t size = kLeast;
    while (size < (alive + 1) * 3) size *= 2;
    std::vector<std::uint32_t> old(size, kNone);
    old.swap(slots_);
    taken_ = 0;
    for (const std::uint32_t place : old) {
      if (place < kGone) Add(uid_at(place), place, uid_at);
    }
  }

  std::vector<std::uint32_t> slots_;
  std::size_t taken_ = 0;  // slots that are not empty, those of removed entries among them
};

}  // namespace ebb::graph
