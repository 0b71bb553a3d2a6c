#include "host/evidence.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "host/small_file.h"
#include "image/reference.h"

namespace ebb::host {
namespace {

constexpr int kMaxFiles = 4096;

std::string_view Member(const boost::json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  const auto* const text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view{} : std::string_view(text->data(), text->size());
}

std::string_view BareId(std::string_view id) {
  constexpr std::string_view kAlgorithm = "sha256:";
  return id.starts_with(kAlgorithm) ? id.substr(kAlgorithm.size()) : id;
}

// Answers what SameId() and Names() answer, for thousands of records without asking every image.
class Index {
 public:
  explicit Index(const std::vector<image::Image>& images) {
    for (const auto& image : images) {
      Add(std::string(BareId(image.id.value)), image);
      for (const auto& tag : image.tags) Add(image::Normalize(tag), image);
      for (const auto& digest : image.digests) Add(image::Normalize(digest), image);
    }
  }

  const image::Image* Find(std::string_view reference) const {
    auto found = by_name_.find(std::string(BareId(reference)));
    if (found == by_name_.end()) found = by_name_.find(image::Normalize(reference));
    if (found == by_name_.end() || !image::Names(reference, *found->second)) return nullptr;
    return found->second;
  }

 private:
  void Add(std::string name, const image::Image& image) {
    if (!name.empty()) by_name_.emplace(std::move(name), &image);
  }
  std::unordered_map<std::string, const image::Image*> by_name_;
};

}  // namespace

std::optional<PullRecord> ParsePullRecord(std::string_view json) {
  boost::system::error_code failure;
  const auto value = boost::json::parse({json.data(), json.size()}, failure);
  if (failure || !value.is_object()) return std::nullopt;
  const auto& object = value.get_object();
  const auto time = base::ParseTime(Member(object, "lastUpdatedTime"));
  PullRecord record;
  record.image = Member(object, "imageRef");
  if (!time.ok() || record.image.empty()) return std::nullopt;
  // Go writes a time that was never set as the year 1: that says nothing.
  record.updated = *time;
  if (record.updated <= base::kNever) return std::nullopt;
  return record;
}

std::vector<image::Evidence> KubeletPullRecords::Read(const std::vector<image::Image>& images) {
  std::vector<image::Evidence> evidence;
  const Index index(images);
  std::error_code failure;
  std::filesystem::directory_iterator entry(directory_, failure);
  for (int n = 0; !failure && entry != std::filesystem::directory_iterator() && n < kMaxFiles;
       ++n) {
    const auto content = ReadSmallFile(entry->path(), Symlinks::kRefuse);
    if (content.ok()) {
      const auto record = ParsePullRecord(*content);
      const auto* const image = record ? index.Find(record->image) : nullptr;
      if (image != nullptr) evidence.push_back({.id = image->id, .time = record->updated});
    }
    entry.increment(failure);
  }
  return evidence;
}

}  // namespace ebb::host
