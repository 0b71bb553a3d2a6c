// Builds JSON values without what nobody asks for. Only sources of this folder include it.
#pragma once

#include <algorithm>
#include <boost/json/basic_parser.hpp>
#include <boost/json/value_stack.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kube/json.h"

namespace ebb::kube {

// Builds a value of what stands below the wanted keys: the handler of a basic_parser.
class Pruner {
 public:
  // The parser asks for these by its own names.
  // NOLINTBEGIN(readability-identifier-naming)
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t{1} << 20U;
  static constexpr std::size_t max_string_size = std::size_t{16} << 20U;
  // NOLINTEND(readability-identifier-naming)

  // False ends the reading.
  using TakeItem = std::function<bool(Json)>;

  // With `take_item` every object or list in the list `items` of the document is handed to it as
  // soon as it is complete, and is no part of the document any more.
  explicit Pruner(std::span<const std::string_view> keys, TakeItem take_item = {})
      : keys_(keys), take_item_(std::move(take_item)) {}

  Json Take() { return stack_.release(); }

  bool on_document_begin(boost::json::error_code&) {
    stack_.reset();
    return true;
  }
  bool on_document_end(boost::json::error_code&) { return true; }

  bool on_object_begin(boost::json::error_code&) { return Open(); }
  bool on_object_end(std::size_t, boost::json::error_code& error) {
    if (const auto size = Close()) {
      to_->push_object(*size);
      if (in_items_ && sizes_.size() == kInItems) return HandOut(error);
    }
    return true;
  }
  bool on_array_begin(boost::json::error_code&) {
    const bool items = take_item_ && skipped_ == 0 && sizes_.size() == 1 && items_next_;
    (void)Open();
    in_items_ = in_items_ || items;
    return true;
  }
  bool on_array_end(std::size_t, boost::json::error_code& error) {
    if (const auto size = Close()) {
      to_->push_array(*size);
      if (in_items_ && sizes_.size() == kInItems) return HandOut(error);
      if (sizes_.size() < kInItems) in_items_ = false;
    }
    return true;
  }

  bool on_key_part(boost::json::string_view part, std::size_t, boost::json::error_code&) {
    if (skipped_ == 0) key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(boost::json::string_view part, std::size_t, boost::json::error_code&) {
    if (skipped_ > 0) return true;
    key_.append(part.data(), part.size());
    wanted_ = std::ranges::find(keys_, key_) != keys_.end();
    items_next_ = key_ == "items";
    if (wanted_) to_->push_key(key_);
    key_.clear();
    return true;
  }

  bool on_string_part(boost::json::string_view part, std::size_t, boost::json::error_code&) {
    if (Kept()) to_->push_chars(part);
    return true;
  }
  bool on_string(boost::json::string_view part, std::size_t, boost::json::error_code&) {
    if (Arrive()) to_->push_string(part);
    return true;
  }
  bool on_number_part(boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_int64(std::int64_t value, boost::json::string_view, boost::json::error_code&) {
    if (Arrive()) to_->push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, boost::json::string_view, boost::json::error_code&) {
    if (Arrive()) to_->push_uint64(value);
    return true;
  }
  bool on_double(double value, boost::json::string_view, boost::json::error_code&) {
    if (Arrive()) to_->push_double(value);
    return true;
  }
  bool on_bool(bool value, boost::json::error_code&) {
    if (Arrive()) to_->push_bool(value);
    return true;
  }
  bool on_null(boost::json::error_code&) {
    if (Arrive()) to_->push_null();
    return true;
  }
  bool on_comment_part(boost::json::string_view, boost::json::error_code&) { return true; }
  bool on_comment(boost::json::string_view, boost::json::error_code&) { return true; }

 private:
  static constexpr std::size_t kInItems = 2;  // the document and its list are open

  bool Kept() const { return skipped_ == 0 && wanted_; }

  // A value is complete or begins: does it belong to what is built? Counts it if so.
  bool Arrive() {
    if (skipped_ > 0) return false;
    const bool kept = wanted_;
    items_next_ = false;
    wanted_ = true;  // the next value of an array, unless a key says otherwise
    if (kept && !sizes_.empty()) ++sizes_.back();
    return kept;
  }

  bool HandOut(boost::json::error_code& error) {
    to_ = &stack_;
    --sizes_.back();
    if (take_item_(item_.release())) return true;
    error = boost::json::error::exception;
    return false;
  }

  bool Open() {
    if (in_items_ && sizes_.size() == kInItems && skipped_ == 0) {
      item_.reset();
      to_ = &item_;
    }
    if (Arrive()) {
      sizes_.push_back(0);
    } else {
      ++skipped_;
    }
    return true;
  }

  // How many parts the object or array has that ends here; nullopt if it was skipped.
  std::optional<std::size_t> Close() {
    if (skipped_ > 0) return --skipped_, std::nullopt;
    const std::size_t size = sizes_.back();
    sizes_.pop_back();
    return size;
  }

  std::span<const std::string_view> keys_;
  TakeItem take_item_;
  boost::json::value_stack stack_;
  boost::json::value_stack item_;
  boost::json::value_stack* to_ = &stack_;
  std::vector<std::size_t> sizes_;  // of the objects and arrays that are open and kept
  std::string key_;
  bool wanted_ = true;       // the next value is kept
  bool items_next_ = false;  // the last key was `items`
  bool in_items_ = false;
  std::size_t skipped_ = 0;  // open objects and arrays that are not kept
};

}  // namespace ebb::kube
