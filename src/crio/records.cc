#include "crio/records.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <limits>

#include "base/text.h"

namespace ebb::crio {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestId = 200;  // names of files end at 255, and ours get endings

// It becomes part of a path: nothing in it may lead anywhere else.
bool IsId(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= kLongestId && text.front() != '.' &&
         std::ranges::all_of(text, plain);
}

// Reads the values of one entry and remembers the first that is not as it should be.
class Reader {
 public:
  explicit Reader(const json::object& entry) : entry_(entry) {}

  const std::string& problem() const { return problem_; }

  std::string Id() {
    std::string id = Text("id");
    if (problem_.empty() && !IsId(id)) problem_ = "its id cannot be one";
    return id;
  }
  // The ID of something else; empty: of nothing.
  std::string Other(std::string_view key) {
    std::string id = Text(key);
    if (!id.empty()) Check(key, id);
    return id;
  }
  std::vector<std::string> Others(std::string_view key) {
    std::vector<std::string> ids;
    const json::value* list = Find(key);
    if (list == nullptr) return ids;
    if (!list->is_array()) return Wrong(key), ids;
    ids.reserve(list->get_array().size());
    for (const json::value& id : list->get_array()) {
      if (!id.is_string()) return Wrong(key), ids;
      Check(key, ids.emplace_back(id.get_string()));
    }
    return ids;
  }
  std::string Text(std::string_view key) {
    const json::value* text = Find(key);
    if (text == nullptr) return {};
    if (!text->is_string()) return Wrong(key), std::string();
    return std::string(text->get_string());
  }
  // 0 where there is none, or a number that says that it is not known.
  std::int64_t Number(std::string_view key) {
    const json::value* number = Find(key);
    if (number == nullptr) return 0;
    if (!number->is_int64()) return Wrong(key), 0;
    return std::max<std::int64_t>(0, number->get_int64());
  }
  const json::object* Object(std::string_view key) {
    const json::value* object = Find(key);
    if (object == nullptr) return nullptr;
    if (!object->is_object()) return Wrong(key), nullptr;
    return &object->get_object();
  }

 private:
  const json::value* Find(std::string_view key) const {
    const json::value* value = entry_.if_contains(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  void Wrong(std::string_view key) {
    if (problem_.empty()) problem_ = "its " + std::string(key) + " is of another type";
  }
  void Check(std::string_view key, std::string_view id) {
    if (problem_.empty() && !IsId(id)) {
      problem_ = "its " + std::string(key) + " holds what cannot be an id";
    }
  }

  const json::object& entry_;
  std::string problem_;
};

Layer ReadLayer(Reader& entry) {
  Layer layer;
  layer.id = entry.Id();
  layer.parent = entry.Other("parent");
  layer.created = entry.Text("created");
  const std::int64_t packed = entry.Number("compressed-size");
  layer.download.count = packed > 0 ? packed : entry.Number("diff-size");
  const json::object* flags = entry.Object("flags");
  if (flags == nullptr) return layer;
  for (const auto& [flag, value] : *flags) {
    if (value.is_bool() && !value.get_bool()) continue;
    if (flag == "incomplete") {
      layer.incomplete = true;
    } else {
      layer.unknown_flag = base::OneLine(flag);
    }
  }
  return layer;
}

// The sizes of its data stand in the list, so that data which was added later is noticed.
std::string VersionOf(Reader& entry) {
  std::string version = entry.Text("created");
  const json::object* sizes = entry.Object("big-data-sizes");
  if (sizes == nullptr) return version;
  std::uint64_t sum = 0;
  for (const auto& [name, size] : *sizes) {
    sum += size.is_int64() ? static_cast<std::uint64_t>(size.get_int64()) : 0;
  }
  return version + "/" + std::to_string(sizes->size()) + "/" + std::to_string(sum);
}

ImageEntry ReadImage(Reader& entry) {
  ImageEntry image;
  image.id = entry.Id();
  image.top = entry.Other("layer");
  image.mapped = entry.Others("mapped-layers");
  image.version = VersionOf(entry);
  return image;
}

ContainerEntry ReadContainer(Reader& entry) {
  ContainerEntry container;
  container.id = entry.Id();
  container.image = entry.Other("image");
  container.layer = entry.Other("layer");
  return container;
}

base::Error Broken(const std::string& what) {
  return {base::ErrorCode::kInternal, what};
}

template <class Entry>
base::Result<std::vector<Entry>> Parse(std::string_view text, Entry (*read)(Reader&)) {
  std::vector<Entry> entries;
  if (text.empty()) return entries;
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error) return Broken("it is no JSON (" + error.message() + ")");
  if (document.is_null()) return entries;
  if (!document.is_array()) return Broken("it is no list");
  entries.reserve(document.get_array().size());
  for (const json::value& value : document.get_array()) {
    const std::string where = "entry " + std::to_string(entries.size() + 1) + ": ";
    if (!value.is_object()) return Broken(where + "it is no object");
    Reader reader(value.get_object());
    entries.push_back(read(reader));
    if (!reader.problem().empty()) return Broken(where + reader.problem());
  }
  return entries;
}

}  // namespace

base::Result<std::vector<Layer>> ParseLayers(std::string_view json) {
  return Parse<Layer>(json, ReadLayer);
}

base::Result<std::vector<ImageEntry>> ParseImages(std::string_view json) {
  return Parse<ImageEntry>(json, ReadImage);
}

base::Result<std::vector<ContainerEntry>> ParseContainers(std::string_view json) {
  return Parse<ContainerEntry>(json, ReadContainer);
}

}  // namespace ebb::crio
