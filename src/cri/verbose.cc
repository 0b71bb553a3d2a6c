#include "cri/verbose.h"

#include <boost/json/basic_parser_impl.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ebb::cri {
namespace {

using Text = boost::json::string_view;
using Code = boost::system::error_code;

// Follows one path through a document and stops the parser at the end of what is there. A tree
// of the whole document would cost most of the time: a history is longer than its layers.
class Finder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the names Boost.JSON asks for.
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  // NOLINTEND(readability-identifier-naming)

  explicit Finder(std::span<const std::string_view> path) : path_(path) {}

  bool found() const { return found_; }
  std::vector<std::string> Take() { return std::move(strings_); }

  // NOLINTBEGIN(readability-identifier-naming): the names Boost.JSON asks for.
  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code& ec) {
    if (in_list_ || AtTarget()) return Stop(ec, false);
    ++depth_;
    return true;
  }
  bool on_object_end(std::size_t, Code&) {
    --depth_;
    LeaveValue();
    return true;
  }
  bool on_array_begin(Code& ec) {
    if (in_list_) return Stop(ec, false);
    in_list_ = AtTarget();
    ++depth_;
    return true;
  }
  bool on_array_end(std::size_t, Code& ec) {
    if (in_list_) return Stop(ec, true);
    --depth_;
    LeaveValue();
    return true;
  }
  bool on_key_part(Text part, std::size_t, Code&) { return Collect(part); }
  bool on_key(Text part, std::size_t, Code&) {
    Collect(part);
    // Only a key right below the last one that matched can lead on.
    if (depth_ == matched_ + 1 && matched_ < path_.size() && buffer_ == path_[matched_]) ++matched_;
    buffer_.clear();
    return true;
  }
  bool on_string_part(Text part, std::size_t, Code&) { return Collect(part); }
  bool on_string(Text part, std::size_t, Code& ec) {
    Collect(part);
    if (in_list_ || AtTarget()) strings_.push_back(buffer_);
    buffer_.clear();
    if (!in_list_ && AtTarget()) return Stop(ec, true);
    return Scalar(ec, true);
  }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t, Text, Code& ec) { return Scalar(ec, false); }
  bool on_uint64(std::uint64_t, Text, Code& ec) { return Scalar(ec, false); }
  bool on_double(double, Text, Code& ec) { return Scalar(ec, false); }
  bool on_bool(bool, Code& ec) { return Scalar(ec, false); }
  bool on_null(Code& ec) { return Scalar(ec, false); }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }
  // NOLINTEND(readability-identifier-naming)

 private:
  // The value that begins now is the one at the end of the path.
  bool AtTarget() const { return matched_ == path_.size() && depth_ == matched_; }

  // A value that was reached through a matching key is over: the key no longer leads anywhere.
  void LeaveValue() {
    if (matched_ > 0 && depth_ == matched_) --matched_;
  }

  bool Scalar(Code& ec, bool text) {
    if (!text && (in_list_ || AtTarget())) return Stop(ec, false);
    LeaveValue();
    return true;
  }

  bool Collect(Text part) {
    buffer_.append(part.data(), part.size());
    return true;
  }

  bool Stop(Code& ec, bool found) {
    found_ = found;
    // Any error ends the parser; nobody looks at which.
    ec = make_error_code(boost::system::errc::operation_canceled);
    return false;
  }

  std::span<const std::string_view> path_;
  std::size_t matched_ = 0;  // keys of the path that lead to where we are
  std::size_t depth_ = 0;    // objects and arrays that are open
  bool in_list_ = false;
  bool found_ = false;
  std::string buffer_;
  std::vector<std::string> strings_;
};

std::string StringAt(std::string_view json, std::initializer_list<std::string_view> path) {
  auto strings = StringsAt(json, path);
  return strings && strings->size() == 1 ? std::move(strings->front()) : std::string();
}

}  // namespace

std::optional<std::vector<std::string>> StringsAt(std::string_view json,
                                                  std::initializer_list<std::string_view> path) {
  boost::json::basic_parser<Finder> parser(boost::json::parse_options{},
                                           std::span(path.begin(), path.size()));
  Code ec;
  parser.write_some(false, json.data(), json.size(), ec);
  if (!parser.handler().found()) return std::nullopt;
  return parser.handler().Take();
}

std::string SandboxImageOf(std::string_view config) {
  return StringAt(config, {"sandboxImage"});
}

std::string ImageOfSandbox(std::string_view info) {
  return StringAt(info, {"image"});
}

std::optional<std::vector<std::string>> DiffIdsOf(std::string_view info) {
  return StringsAt(info, {"imageSpec", "rootfs", "diff_ids"});
}

}  // namespace ebb::cri
