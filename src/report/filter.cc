#include "report/filter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "base/time.h"
#include "image/reference.h"

namespace ebb::report {
namespace {

using base::Error;
using base::ErrorCode;
using image::Observation;
using image::Reason;
using image::Verdict;

Error BadValue(std::string_view text, std::string_view allowed) {
  return {ErrorCode::kUsage,
          "filter '" + std::string(text) + "' is not allowed: " + std::string(allowed)};
}

std::optional<bool> ParseBool(std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  return std::nullopt;
}

// A filter on something that is either so or not.
template <class Test>
base::Result<Filter> BoolFilter(std::string_view text, std::string_view value, Test test) {
  const auto wanted = ParseBool(value);
  if (!wanted) return BadValue(text, "the value must be true or false");
  return Filter{std::string(text), [=](const Observation& seen, const Verdict& verdict) {
                  return test(seen, verdict) == *wanted;
                }};
}

base::Result<Filter> ReferenceFilter(std::string_view text, std::string_view value) {
  auto pattern = image::Pattern::Parse(value);
  if (!pattern.ok()) return BadValue(text, pattern.error().message);
  return Filter{std::string(text),
                [pattern = *pattern](const Observation& seen, const Verdict& verdict) {
                  return pattern.Matches(seen.images[verdict.image]);
                }};
}

base::Result<Filter> UnusedFilter(std::string_view text, std::string_view value) {
  const auto age = base::ParseDuration(value);
  if (!age.ok()) return BadValue(text, age.error().message);
  return Filter{std::string(text), [age = *age](const Observation& seen, const Verdict& verdict) {
                  if (verdict.reason == Reason::kInUse || verdict.reason == Reason::kImageVolume) {
                    return false;
                  }
                  return seen.taken_at - image::LastSignOfLife(seen.images[verdict.image]) >= age;
                }};
}

base::Result<Filter> ReasonFilter(std::string_view text, std::string_view value) {
  std::string allowed = "the codes are";
  for (const Reason reason : image::AllReasons()) {
    if (image::Code(reason) == value) {
      return Filter{std::string(text), [=](const Observation&, const Verdict& verdict) {
                      return verdict.reason == reason;
                    }};
    }
    allowed.append(" ").append(image::Code(reason));
  }
  return BadValue(text, allowed);
}

bool IsDangling(const Observation& seen, const Verdict& verdict) {
  return seen.images[verdict.image].tags.empty();
}

bool IsProtected(const Observation& /*seen*/, const Verdict& verdict) {
  return image::TierOf(verdict.reason) != image::Tier::kFree;
}

}  // namespace

base::Result<Filter> ParseFilter(std::string_view text) {
  const auto equals = text.find('=');
  const auto key = text.substr(0, equals);
  const auto value =
      equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1);
  if (key == "dangling") return BoolFilter(text, value, IsDangling);
  if (key == "protected") return BoolFilter(text, value, IsProtected);
  if (key == "reference") return ReferenceFilter(text, value);
  if (key == "unused-for") return UnusedFilter(text, value);
  if (key == "reason") return ReasonFilter(text, value);
  return BadValue(text,
                  "use dangling=true|false, reference=PATTERN, unused-for=DURATION, "
                  "protected=true|false or reason=CODE");
}

base::Status SortVerdicts(const Observation& seen, std::string_view sort_by,
                          std::vector<Verdict>& verdicts) {
  constexpr std::array<std::string_view, 5> kKeys = {"name", "size", "last-used", "frees",
                                                     "reason"};
  if (sort_by.empty()) sort_by = "name";
  if (std::ranges::find(kKeys, sort_by) == kKeys.end()) {
    return Error{ErrorCode::kUsage, "cannot sort by '" + std::string(sort_by) +
                                        "': use name, size, last-used, frees or reason"};
  }
  const auto key = [&](const Verdict& verdict) -> std::int64_t {
    const image::Image& image = seen.images[verdict.image];
    const std::array alone{verdict.image};
    if (sort_by == "size") return -image.size.count;
    if (sort_by == "last-used") return image::LastSignOfLife(image).time_since_epoch().count();
    if (sort_by == "frees") return -seen.store.Freed(alone).count;
    return sort_by == "reason" ? static_cast<std::int64_t>(verdict.reason) : 0;
  };
  std::vector<std::pair<std::int64_t, Verdict>> keyed;
  keyed.reserve(verdicts.size());
  for (Verdict& verdict : verdicts) {
    const std::int64_t place = key(verdict);
    keyed.emplace_back(place, std::move(verdict));
  }
  std::ranges::sort(keyed, [&](const auto& a, const auto& b) {
    const image::Image& x = seen.images[a.second.image];
    const image::Image& y = seen.images[b.second.image];
    return std::tie(a.first, image::DisplayName(x), x.id) <
           std::tie(b.first, image::DisplayName(y), y.id);
  });
  std::ranges::transform(keyed, verdicts.begin(),
                         [](auto& pair) { return std::move(pair.second); });
  return base::Done{};
}

}  // namespace ebb::report
