#include "kube/json.h"

#include <boost/json/basic_parser_impl.hpp>
#include <exception>
#include <vector>

#include "kube/pruner.h"

namespace ebb::kube {
namespace {

namespace json = boost::json;
using json::error_code;
using json::string_view;

constexpr std::size_t kMaxDepth = 64;

std::string_view View(string_view text) {
  return {text.data(), text.size()};
}

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
