#include "host/guard_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/unique_fd.h"
#include "host/small_file.h"

namespace ebb::host {
namespace {

namespace json = boost::json;

constexpr std::int64_t kVersion = 1;
constexpr const char* kChange = "/lock";
constexpr const char* kStandBy = "/standing-by";

json::object ToJson(const image::Labels& labels) {
  json::object object;
  for (const auto& [key, value] : labels) object[key] = value;
  return object;
}

json::object ToJson(const image::GuardedImage& guarded) {
  json::array records;
  for (const image::Record& record : guarded.records) {
    records.push_back({{"name", record.name},
                       {"mediaType", record.target.media_type},
                       {"digest", record.target.digest},
                       {"size", record.target.size},
                       {"annotations", ToJson(record.target.annotations)},
                       {"labels", ToJson(record.labels)}});
  }
  return {{"id", guarded.id.value},
          {"reason", image::Code(guarded.reason)},
          {"detail", guarded.detail},
          {"wantedAt", base::FormatTime(guarded.wanted_at)},
          {"records", std::move(records)}};
}

std::string TextAt(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  const json::string* const text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

const json::array& ArrayAt(const json::object& object, std::string_view key) {
  static const json::array none;
  const json::value* const value = object.if_contains(key);
  const json::array* const array = value == nullptr ? nullptr : value->if_array();
  return array == nullptr ? none : *array;
}

image::Labels LabelsAt(const json::object& object, std::string_view key) {
  image::Labels labels;
  const json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_object()) return labels;
  for (const auto& entry : value->get_object()) {
    if (!entry.value().is_string()) continue;
    const json::string& text = entry.value().get_string();
    labels[std::string(entry.key())] = std::string(text.data(), text.size());
  }
  return labels;
}

image::Record ToRecord(const json::object& object) {
  image::Record record;
  record.name = TextAt(object, "name");
  record.target.media_type = TextAt(object, "mediaType");
  record.target.digest = TextAt(object, "digest");
  const json::value* const size = object.if_contains("size");
  if (size != nullptr && size->is_int64()) record.target.size = size->get_int64();
  record.target.annotations = LabelsAt(object, "annotations");
  record.labels = LabelsAt(object, "labels");
  return record;
}

std::optional<image::GuardedImage> ToGuarded(const json::value& value) {
  if (!value.is_object()) return std::nullopt;
  const json::object& object = value.get_object();
  image::GuardedImage guarded;
  guarded.id = {TextAt(object, "id")};
  const auto reason = image::ParseGuardReason(TextAt(object, "reason"));
  const auto time = base::ParseTime(TextAt(object, "wantedAt"));
  if (guarded.id.value.empty() || !reason || !time.ok()) return std::nullopt;
  guarded.reason = *reason;
  guarded.detail = TextAt(object, "detail");
  guarded.wanted_at = *time;
  for (const json::value& record : ArrayAt(object, "records")) {
    if (!record.is_object()) return std::nullopt;
    guarded.records.push_back(ToRecord(record.get_object()));
    if (guarded.records.back().name.empty()) return std::nullopt;
  }
  return guarded;
}

base::Error NotOurs() {
  return {base::ErrorCode::kInternal, "it is not what this version of ebb writes"};
}

base::Error Failed(const std::string& path) {
  return {base::ErrorCode::kInternal,
          path + " cannot be written: " + std::generic_category().message(errno)};
}

class Locked : public engine::GuardMemory::Lock {
 public:
  explicit Locked(base::UniqueFd fd) : fd_(std::move(fd)) {}

 private:
  base::UniqueFd fd_;
};

}  // namespace

std::string RenderGuardSet(const image::GuardSet& set) {
  json::array images;
  for (const image::GuardedImage& guarded : set.images) images.push_back(ToJson(guarded));
  json::array added;
  for (const std::string& name : set.added) added.emplace_back(name);
  return json::serialize(json::object{
             {"version", kVersion}, {"images", std::move(images)}, {"added", std::move(added)}}) +
         "\n";
}

base::Result<image::GuardSet> ParseGuardSet(std::string_view text) {
  boost::system::error_code failure;
  const json::value value = json::parse({text.data(), text.size()}, failure);
  if (failure || !value.is_object()) return NotOurs();
  const json::object& object = value.get_object();
  const json::value* const version = object.if_contains("version");
  if (version == nullptr || *version != kVersion) return NotOurs();
  image::GuardSet set;
  for (const json::value& item : ArrayAt(object, "images")) {
    auto guarded = ToGuarded(item);
    if (!guarded) return NotOurs();
    set.images.push_back(std::move(*guarded));
  }
  for (const json::value& item : ArrayAt(object, "added")) {
    if (!item.is_string()) return NotOurs();
    set.added.emplace_back(item.get_string().data(), item.get_string().size());
  }
  return set;
}

base::Result<image::GuardSet> GuardFiles::Load() {
  const std::string path = directory_ + "/images.json";
  const auto text = ReadSmallFile(path, Symlinks::kRefuse);
  if (!text.ok()) {
    if (text.error().code == base::ErrorCode::kNotFound) return image::GuardSet{};
    return text.error();
  }
  auto set = ParseGuardSet(*text);
  if (!set.ok()) return set.error().In(path);
  return set;
}

base::Status GuardFiles::Save(const image::GuardSet& set) {
  std::error_code ignored;
  (void)std::filesystem::create_directories(std::filesystem::path(directory_).parent_path(),
                                            ignored);
  (void)::mkdir(directory_.c_str(), 0700);
  const std::string path = directory_ + "/images.json";
  const std::string fresh = path + ".new";
  const std::string text = RenderGuardSet(set);
  const base::UniqueFd file(
      ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return Failed(fresh);
  const auto written = ::write(file.get(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(file.get()) != 0) {
    const base::Error failed = Failed(fresh);
    (void)::unlink(fresh.c_str());
    return failed;
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0) return Failed(path);
  return base::Done{};
}

base::Result<std::unique_ptr<engine::GuardMemory::Lock>> GuardFiles::Take(const std::string& name,
                                                                          base::Duration patience) {
  std::error_code ignored;
  (void)std::filesystem::create_directories(std::filesystem::path(directory_).parent_path(),
                                            ignored);
  (void)::mkdir(directory_.c_str(), 0700);
  const std::string path = directory_ + name;
  base::UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return Failed(path);
  const base::Duration give_up = clock_.Elapsed() + patience;
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (clock_.Elapsed() >= give_up) {
      return base::Error{base::ErrorCode::kRefused, "another ebb holds " + path};
    }
    clock_.SleepFor(std::chrono::milliseconds(20));
  }
  return std::unique_ptr<Lock>(std::make_unique<Locked>(std::move(fd)));
}

base::Result<std::unique_ptr<engine::GuardMemory::Lock>> GuardFiles::Change() {
  return Take(kChange, std::chrono::seconds(10));
}

base::Result<std::unique_ptr<engine::GuardMemory::Lock>> GuardFiles::StandBy() {
  return Take(kStandBy, {});
}

// A shared lock is refused while somebody has the exclusive one, and keeps nobody from it for long.
bool GuardFiles::SomebodyStandsBy() {
  const std::string path = directory_ + kStandBy;
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return fd.valid() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace ebb::host
