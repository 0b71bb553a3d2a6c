#include "host/pull_files.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <system_error>

#include "host/small_file.h"

namespace ebb::host {

base::Status ForEachPullFile(const std::string& directory,
                             const std::function<void(const std::string&)>& each) {
  constexpr int kMaxFiles = 4096;
  std::error_code failure;
  std::filesystem::directory_iterator entry(directory, failure);
  if (failure) {
    const bool missing = failure == std::errc::no_such_file_or_directory;
    return base::Error{missing ? base::ErrorCode::kNotFound : base::ErrorCode::kInternal,
                       directory + ": " + failure.message()};
  }
  for (int n = 0; !failure && entry != std::filesystem::directory_iterator() && n < kMaxFiles;
       ++n) {
    const auto content = ReadSmallFile(entry->path(), Symlinks::kRefuse);
    if (content.ok()) each(*content);
    entry.increment(failure);
  }
  return base::Done{};
}

std::string TextMember(const std::string& json, std::string_view key) {
  boost::system::error_code failure;
  const auto value = boost::json::parse(json, failure);
  if (failure || !value.is_object()) return "";
  const auto* const member = value.get_object().if_contains(key);
  const auto* const text = member == nullptr ? nullptr : member->if_string();
  return text == nullptr ? "" : std::string(text->data(), text->size());
}

}  // namespace ebb::host
