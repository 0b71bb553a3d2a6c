#include "image/policy.h"

#include <algorithm>

namespace ebb::image {
namespace {

using base::Percent;

// The used per cent at which a threshold on available space is crossed; nullopt: never.
std::optional<Percent> UsedAt(const std::optional<Quantity>& threshold, base::Bytes capacity) {
  if (!threshold) return std::nullopt;
  if (const auto* percent = std::get_if<Percent>(&*threshold)) {
    if (percent->value <= 0 || percent->value >= 100) return std::nullopt;
    return Percent{100 - percent->value};
  }
  const base::Bytes bytes = std::get<base::Bytes>(*threshold);
  if (capacity.count <= 0 || bytes.count <= 0) return std::nullopt;
  // UsedPercent rounds up: one point less makes sure that we act before the kubelet does.
  return std::max(Percent{1}, Percent{base::UsedPercent(capacity, bytes).value - 1});
}

constexpr Percent kDefaultCeiling{85};  // the kubelet's own default, for both of its triggers
constexpr int kDistance = 3;
constexpr int kBand = 2;

}  // namespace

Marks ResolveMarks(const MarkSettings& settings, base::Bytes capacity) {
  const auto& kubelet = settings.kubelet;
  const auto eviction =
      kubelet ? UsedAt(kubelet->hard_imagefs, capacity) : std::optional<Percent>(kDefaultCeiling);
  Marks marks;
  marks.kubelet_high = kubelet ? kubelet->image_gc_high : std::nullopt;
  Percent ceiling = kDefaultCeiling;
  if (marks.kubelet_high) ceiling = std::min(ceiling, *marks.kubelet_high);
  if (eviction) ceiling = std::min(ceiling, *eviction);
  marks.high = settings.high.value_or(Percent{std::max(1, ceiling.value - kDistance)});
  marks.low = settings.low.value_or(Percent{std::max(0, marks.high.value - kBand)});
  marks.low = std::min(marks.low, Percent{marks.high.value - 1});
  marks.critical = Percent{eviction ? eviction->value - 1 : 99};
  marks.critical = std::max(marks.critical, marks.high);
  if (settings.high) {
    marks.source = "configuration";
  } else if (kubelet) {
    marks.source = "auto, from " + kubelet->source;
  } else {
    marks.source = "auto, kubelet not found";
  }
  return marks;
}

std::string_view Code(RemovalPolicy policy) {
  switch (policy) {
    case RemovalPolicy::kReuse: return "reuse";
    case RemovalPolicy::kIdle: return "idle";
    case RemovalPolicy::kLru: return "lru";
    case RemovalPolicy::kBytes: return "bytes";
  }
  return "";
}

std::optional<RemovalPolicy> ParseRemovalPolicy(std::string_view code) {
  for (const auto policy :
       {RemovalPolicy::kReuse, RemovalPolicy::kIdle, RemovalPolicy::kLru, RemovalPolicy::kBytes}) {
    if (Code(policy) == code) return policy;
  }
  return std::nullopt;
}

}  // namespace ebb::image
