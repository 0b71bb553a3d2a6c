#include "kube/json.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <exception>
#include <optional>
#include <vector>

namespace ebb::kube {
namespace {

namespace json = boost::json;
using json::error_code;
using json::string_view;

constexpr std::size_t kMaxDepth = 64;

std::string_view View(string_view text) {
  return {text.data(), text.size()};
}

// Builds a value of what stands below the wanted keys.
class Pruner {
 public:
  // The parser asks for these by its own names.
  // NOLINTBEGIN(readability-identifier-naming)
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t{1} << 20U;
  static constexpr std::size_t max_string_size = std::size_t{16} << 20U;
  // NOLINTEND(readability-identifier-naming)

  explicit Pruner(std::span<const std::string_view> keys) : keys_(keys) {}

  Json Take() { return stack_.release(); }

  bool on_document_begin(error_code&) { return stack_.reset(), true; }
  bool on_document_end(error_code&) { return true; }

  bool on_object_begin(error_code&) { return Open(); }
  bool on_object_end(std::size_t, error_code&) {
    if (const auto size = Close()) stack_.push_object(*size);
    return true;
  }
  bool on_array_begin(error_code&) { return Open(); }
  bool on_array_end(std::size_t, error_code&) {
    if (const auto size = Close()) stack_.push_array(*size);
    return true;
  }

  bool on_key_part(string_view part, std::size_t, error_code&) {
    if (skipped_ == 0) key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(string_view part, std::size_t, error_code&) {
    if (skipped_ > 0) return true;
    key_.append(part.data(), part.size());
    wanted_ = std::ranges::find(keys_, key_) != keys_.end();
    if (wanted_) stack_.push_key(key_);
    key_.clear();
    return true;
  }

  bool on_string_part(string_view part, std::size_t, error_code&) {
    if (Kept()) stack_.push_chars(part);
    return true;
  }
  bool on_string(string_view part, std::size_t, error_code&) {
    if (Arrive()) stack_.push_string(part);
    return true;
  }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t value, string_view, error_code&) {
    if (Arrive()) stack_.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, string_view, error_code&) {
    if (Arrive()) stack_.push_uint64(value);
    return true;
  }
  bool on_double(double value, string_view, error_code&) {
    if (Arrive()) stack_.push_double(value);
    return true;
  }
  bool on_bool(bool value, error_code&) {
    if (Arrive()) stack_.push_bool(value);
    return true;
  }
  bool on_null(error_code&) {
    if (Arrive()) stack_.push_null();
    return true;
  }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

 private:
  bool Kept() const { return skipped_ == 0 && wanted_; }

  // A value is complete or begins: does it belong to what is built? Counts it if so.
  bool Arrive() {
    if (skipped_ > 0) return false;
    const bool kept = wanted_;
    wanted_ = true;  // the next value of an array, unless a key says otherwise
    if (kept && !sizes_.empty()) ++sizes_.back();
    return kept;
  }

  bool Open() {
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
  json::value_stack stack_;
  std::vector<std::size_t> sizes_;  // of the objects and arrays that are open and kept
  std::string key_;
  bool wanted_ = true;       // the next value is kept
  std::size_t skipped_ = 0;  // open objects and arrays that are not kept
};

base::Error NoJson(const std::string& why) {
  return {base::ErrorCode::kInternal, "it is no JSON (" + why + ")"};
}

}  // namespace

base::Result<Json> ReadJson(std::string_view text, std::span<const std::string_view> keys) {
  try {
    json::parse_options options;
    options.max_depth = kMaxDepth;
    json::basic_parser<Pruner> parser(options, keys);
    error_code error;
    const std::size_t read = parser.write_some(false, text.data(), text.size(), error);
    if (error) return NoJson(error.message() + " at byte " + std::to_string(read));
    const auto rest = text.substr(read);
    if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      return NoJson("something follows its end");
    }
    return parser.handler().Take();
  } catch (const std::exception& failure) {
    return NoJson(failure.what());
  }
}

Fields::Fields(const Json& value, std::string path) : path_(std::move(path)) {
  if (value.is_object()) {
    object_ = &value.get_object();
  } else if (!value.is_null()) {
    problem_ = (path_.empty() ? "it" : path_) + " is no object";
  }
  if (!path_.empty()) path_ += ".";
}

const Json* Fields::Find(std::string_view key) const {
  if (object_ == nullptr) return nullptr;
  const Json* value = object_->if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

void Fields::Wrong(std::string_view key, std::string_view what) {
  if (problem_.empty()) problem_ = path_ + std::string(key) + " is no " + std::string(what);
}

void Fields::Miss(std::string_view what) {
  const std::string where = path_.empty() ? "it" : path_.substr(0, path_.size() - 1);
  if (problem_.empty()) problem_ = where + " has no " + std::string(what);
}

void Fields::Adopt(const Fields& part) {
  if (problem_.empty()) problem_ = part.problem_;
}

std::string Fields::Text(std::string_view key) {
  const Json* value = Find(key);
  if (value == nullptr) return {};
  if (!value->is_string()) return Wrong(key, "text"), std::string();
  return std::string(View(value->get_string()));
}

std::vector<std::string> Fields::Texts(std::string_view key) {
  std::vector<std::string> texts;
  const json::array* list = List(key);
  if (list == nullptr) return texts;
  texts.reserve(list->size());
  for (const Json& text : *list) {
    if (!text.is_string()) return Wrong(key, "list of texts"), texts;
    texts.emplace_back(View(text.get_string()));
  }
  return texts;
}

bool Fields::Flag(std::string_view key) {
  const Json* value = Find(key);
  if (value == nullptr) return false;
  if (value->is_bool()) return value->get_bool();
  if (value->is_string() && value->get_string() == "true") return true;
  if (!value->is_string() || value->get_string() != "false") Wrong(key, "true or false");
  return false;
}

Fields Fields::Object(std::string_view key) {
  static const Json none;
  const Json* value = Find(key);
  Fields part(value == nullptr ? none : *value, path_ + std::string(key));
  Adopt(part);
  return part;
}

const boost::json::array* Fields::List(std::string_view key) {
  const Json* value = Find(key);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) return Wrong(key, "list"), nullptr;
  return &value->get_array();
}

}  // namespace ebb::kube
