// The kubelet's flags and files. The input's parts end with a zero byte, which no file may have:
// the flags, one per line; the main file; drop-ins.
#include "config/kubelet_config.h"

#include <variant>
#include <vector>

#include "config/distribution.h"
#include "input.h"

namespace ebb::fuzz {
namespace {

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(TakeUntil('\n', text));
  return lines;
}

void CheckFacts(const config::KubeletFacts& facts) {
  const auto in_range = [](const std::optional<base::Percent>& percent) {
    return percent && percent->value >= 0 && percent->value <= 100;
  };
  const image::KubeletThresholds& thresholds = facts.thresholds;
  Require(in_range(thresholds.image_gc_high) && in_range(thresholds.image_gc_low), "0 to 100 %");
  Require(!thresholds.source.empty(), "a threshold has a source");
  if (!thresholds.hard_imagefs) return;
  if (const auto* const percent = std::get_if<base::Percent>(&*thresholds.hard_imagefs)) {
    Require(percent->value > 0 && percent->value < 100, "0 % and 100 % are off");
  } else {
    Require(std::get<base::Bytes>(*thresholds.hard_imagefs).count > 0, "a size is some bytes");
  }
}

}  // namespace
}  // namespace ebb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace config = ebb::config;
  std::string_view rest = ebb::fuzz::Text(data, size);
  const auto lines = ebb::fuzz::Lines(ebb::fuzz::TakeUntil('\0', rest));
  const config::KubeletFlags flags = config::ParseKubeletFlags(lines);
  const config::KubeletFile main{.name = "main",
                                 .text = std::string(ebb::fuzz::TakeUntil('\0', rest))};
  std::vector<config::KubeletFile> drop_ins;
  while (!rest.empty()) {
    drop_ins.push_back({.name = "drop-in", .text = std::string(ebb::fuzz::TakeUntil('\0', rest))});
  }
  (void)config::MergeDistribution(config::ParseDistributionFlags(lines), drop_ins);
  const auto facts = config::MergeKubelet(flags, main, drop_ins);
  if (facts.ok()) ebb::fuzz::CheckFacts(*facts);
  return 0;
}
