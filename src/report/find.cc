#include "report/find.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "image/reference.h"
#include "report/text.h"

namespace ebb::report {
namespace {

constexpr std::size_t kShortestPrefix = 3;
constexpr std::size_t kMostSuggestions = 3;
constexpr std::size_t kLikeEnough = 2;  // letters that may be wrong

std::string_view WithoutAlgorithm(std::string_view id) {
  constexpr std::string_view kAlgorithm = "sha256:";
  return id.starts_with(kAlgorithm) ? id.substr(kAlgorithm.size()) : id;
}

// "train" of "ghcr.io/x/train:v41" and of "localhost:5000/train@sha256:...".
std::string_view LastWord(std::string_view reference) {
  reference = reference.substr(0, reference.find('@'));
  const auto slash = reference.rfind('/');
  if (slash != std::string_view::npos) reference.remove_prefix(slash + 1);
  return reference.substr(0, reference.find(':'));
}

// Letters to insert, drop or replace to make `a` of `b`.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

bool IsLike(std::string_view wanted, const image::Image& image) {
  const auto like = [&](const std::string& name) {
    const std::string_view word = LastWord(name);
    return word.find(wanted) != std::string_view::npos ||
           (wanted.size() > kLikeEnough && Distance(wanted, word) <= kLikeEnough);
  };
  return !wanted.empty() && (std::ranges::any_of(image.tags, like) ||
                             (image.tags.empty() && std::ranges::any_of(image.digests, like)));
}

std::vector<std::size_t> Matches(const image::Observation& seen, std::string_view reference) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    if (image::Names(reference, seen.images[i])) found.push_back(i);
  }
  const std::string_view prefix = WithoutAlgorithm(reference);
  if (!found.empty() || prefix.size() < kShortestPrefix) return found;
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    if (WithoutAlgorithm(seen.images[i].id.value).starts_with(prefix)) found.push_back(i);
  }
  return found;
}

std::string NamesOf(const image::Observation& seen, const std::vector<std::size_t>& images) {
  std::vector<std::string> names;
  const Style style;
  for (const std::size_t i : images) {
    const image::Image& image = seen.images[i];
    names.push_back(image::DisplayName(image) + " (" + ShortId(image.id.value, style) + ")");
  }
  std::ranges::sort(names);
  return Clean(Listed(names, kMostSuggestions));
}

}  // namespace

base::Result<std::size_t> FindImage(const image::Observation& seen, std::string_view reference) {
  const auto found = Matches(seen, reference);
  if (found.size() == 1) return found.front();
  const std::string quoted = "'" + Clean(reference) + "'";
  if (found.size() > 1) {
    return base::Error{base::ErrorCode::kUsage,
                       quoted + " means more than one image: " + NamesOf(seen, found)};
  }
  std::vector<std::size_t> like;
  const std::string_view wanted = LastWord(reference);
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    if (IsLike(wanted, seen.images[i])) like.push_back(i);
  }
  std::string message = "no image on this node is called " + quoted;
  message +=
      like.empty() ? "; `ebb images` lists them" : "; did you mean " + NamesOf(seen, like) + "?";
  return base::Error{base::ErrorCode::kUsage, message};
}

}  // namespace ebb::report
