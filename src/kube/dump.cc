#include "kube/dump.h"

#include <algorithm>
#include <filesystem>

#include "kube/input.h"
#include "kube/json_stream.h"
#include "kube/object_reader.h"

namespace ebb::kube {
namespace {

constexpr std::size_t kMaxYaml = std::size_t{64} << 20U;

namespace fs = std::filesystem;

bool HasObjects(fs::path path) {
  if (path.extension() == ".gz") path = path.stem();
  const fs::path ending = path.extension();
  return ending == ".json" || ending == ".yaml" || ending == ".yml";
}

// In a fixed order.
base::Result<std::vector<std::string>> FilesIn(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (at->is_regular_file(error) && HasObjects(at->path())) files.push_back(at->path());
  }
  if (error) return base::Error{base::ErrorCode::kInternal, directory + ": " + error.message()};
  if (files.empty()) {
    return base::Error{base::ErrorCode::kNotFound,
                       directory + ": there is no *.json, *.yaml or *.yml in it"};
  }
  std::ranges::sort(files);
  return files;
}

// From its first byte on.
base::Status ReadJsonDocuments(std::string_view part, Input& input, ObjectReader& objects) {
  JsonStream stream(ObjectReader::Keys(),
                    {.item = [&](const Json& item) { return objects.TakeItem(item); },
                     .document = [&](const Json& all) { return objects.TakeDocument(all); }});
  while (!part.empty()) {
    if (auto fed = stream.Feed(part); !fed.ok()) return fed;
    const auto next = input.Next();
    if (!next.ok()) return next.error();
    part = *next;
  }
  return stream.End();
}

base::Status TakeYaml(const Json& document, ObjectReader& objects) {
  const JsonObject* object = document.if_object();
  const Json* items = object == nullptr ? nullptr : object->if_contains("items");
  if (items == nullptr || !items->is_array()) return objects.TakeDocument(document);
  for (const Json& item : items->get_array()) {
    if (auto taken = objects.TakeItem(item); !taken.ok()) return taken;
  }
  JsonObject list = *object;
  list["items"] = nullptr;
  return objects.TakeDocument(list);
}

base::Status ReadYamlDocuments(std::string_view part, Input& input, ObjectReader& objects) {
  std::string text;
  while (!part.empty()) {
    text += part;
    if (text.size() > kMaxYaml) {
      return base::Error{base::ErrorCode::kInternal,
                         "YAML of more than 64 MiB is not read: write it with -o json, which is "
                         "read at any size"};
    }
    const auto next = input.Next();
    if (!next.ok()) return next.error();
    part = *next;
  }
  const auto documents = ReadYamlAll(text, ObjectReader::Keys());
  if (!documents.ok()) return documents.error();
  for (const Json& document : *documents) {
    if (document.is_null()) continue;
    if (auto taken = TakeYaml(document, objects); !taken.ok()) return taken;
  }
  return base::Done{};
}

base::Status ReadFile(const std::string& path, ObjectReader& objects) {
  auto input = Input::Open(path);
  if (!input.ok()) return input.error();
  const auto first = input->Next();
  if (!first.ok()) return first.error().In(path);
  const auto begin = first->find_first_not_of(" \t\r\n");
  const bool json =
      begin != std::string_view::npos && ((*first)[begin] == '{' || (*first)[begin] == '[');
  const auto read = json ? ReadJsonDocuments(*first, *input, objects)
                         : ReadYamlDocuments(*first, *input, objects);
  if (!read.ok()) return read.error().In(path);
  return base::Done{};
}

}  // namespace

base::Result<graph::World> ReadDump(const std::vector<std::string>& paths) {
  ObjectReader objects;
  for (const std::string& path : paths) {
    std::error_code error;
    std::vector<std::string> files = {path};
    if (fs::is_directory(path, error)) {
      auto found = FilesIn(path);
      if (!found.ok()) return found.error();
      files = std::move(*found);
    }
    for (const std::string& file : files) {
      if (auto read = ReadFile(file, objects); !read.ok()) return read.error();
    }
  }
  graph::World world = objects.Take();
  if (world.size() == 0) {
    return base::Error{base::ErrorCode::kInternal, paths.front() + ": there is no object in it"};
  }
  return world;
}

}  // namespace ebb::kube
