#include "report/explain.h"

#include <algorithm>

#include "base/text.h"
#include "report/explanation.h"
#include "report/find.h"
#include "report/json.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Container;
using image::Image;
using image::Observation;
using image::Policy;

constexpr std::size_t kMost = 4;  // of each kind of holder, name or neighbour

std::size_t Most(const Style& style) {
  return style.format == Format::kWide ? static_cast<std::size_t>(-1) : kMost;
}

std::string PodOf(const std::string& pod_namespace, const std::string& pod_name) {
  return pod_name.empty() ? "no pod" : pod_namespace + "/" + pod_name;
}

std::string Describe(const Container& container) {
  const std::string& name = container.name.empty() ? container.id : container.name;
  return "container " + name + " (" + PodOf(container.pod_namespace, container.pod_name) + ", " +
         std::string(Code(container.state)) + ")";
}

// "sandbox of shop/web-1 (ready)" where the claim comes from a sandbox that is still there.
std::string DescribeClaim(const Observation& seen, const image::SandboxImage& claim) {
  for (const image::Sandbox& sandbox : seen.sandboxes) {
    if (claim.source != "sandbox " + sandbox.id) continue;
    return "sandbox of " + PodOf(sandbox.pod_namespace, sandbox.pod_name) +
           (sandbox.ready ? " (ready)" : " (not ready)");
  }
  return "sandbox image " + claim.name + " (" + claim.source + ")";
}

// One line per holder; what is beyond `most` of a kind is counted.
std::string HolderLines(const std::vector<std::string>& holders, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < std::min(holders.size(), Most(style)); ++i) {
    text += Line(style, "held by", Clean(holders[i]));
  }
  if (holders.size() > Most(style)) {
    text += Line(style, "held by", std::to_string(holders.size() - kMost) + " more: see -o wide");
  }
  return text;
}

std::string Holders(const Observation& seen, const Explanation& explanation, const Style& style) {
  std::vector<std::string> containers;
  containers.reserve(explanation.containers.size());
  for (const std::size_t c : explanation.containers) {
    containers.push_back(Describe(seen.containers[c]));
  }
  std::vector<std::string> others;
  others.reserve(explanation.volumes.size() + explanation.sandbox_claims.size());
  for (const std::size_t c : explanation.volumes) {
    others.push_back("volume of " + Describe(seen.containers[c]));
  }
  for (const std::size_t s : explanation.sandbox_claims) {
    others.push_back(DescribeClaim(seen, seen.sandbox_images[s]));
  }
  std::vector<std::string> rules;
  if (seen.images[explanation.verdict.image].pinned) rules.emplace_back("a pin in the runtime");
  for (const std::string& rule : explanation.rules) rules.push_back("protect rule '" + rule + "'");
  return HolderLines(containers, style) + HolderLines(others, style) + HolderLines(rules, style);
}

std::string Bytes(const Observation& seen, const Explanation& explanation, const Style& style) {
  const Image& image = seen.images[explanation.verdict.image];
  const image::Accounting accounting = seen.store.accounting();
  std::string text = Line(style, "size",
                          base::FormatBytes(image.size) + " reported, " +
                              Approximately(explanation.on_disk, accounting) +
                              " on disk; removing it alone frees " +
                              Approximately(explanation.frees_alone, accounting));
  std::vector<std::string> shares;
  shares.reserve(explanation.shares.size());
  for (const Share& share : explanation.shares) {
    shares.push_back(base::FormatBytes(share.bytes) + " with " +
                     ShortName(image::DisplayName(seen.images[share.image]), style));
  }
  if (!shares.empty()) text += Line(style, "shares", Clean(Listed(shares, Most(style))));
  return text;
}

std::string Age(base::TimePoint then, base::TimePoint now, base::Duration least) {
  if (then == base::kNever) return "not known";
  const base::Duration age = now - then;
  const std::string ago = age < std::chrono::seconds(1) ? "now" : base::FormatAge(age) + " ago";
  return ago + (age < least ? ", below" : ", above") + " the minimum of " +
         base::FormatDuration(least) + " (" + base::FormatTime(then) + ")";
}

std::string Ages(const Observation& seen, const Policy& policy, const Image& image,
                 const Style& style) {
  const image::Usage& usage = image.usage;
  return Line(style, "first seen", Age(usage.first_seen, seen.taken_at, policy.min_seen_age)) +
         Line(style, "last used", Age(usage.last_used, seen.taken_at, policy.min_idle_age)) +
         Line(style, "used",
              base::Count(static_cast<std::size_t>(usage.starts), "start") + ", " +
                  base::Count(static_cast<std::size_t>(usage.pulls), "pull"));
}

std::string Names(const Image& image, const Style& style) {
  std::string text = Line(style, "id", Clean(image.id.value));
  if (!image.tags.empty()) text += Line(style, "tags", Clean(Listed(image.tags, Most(style))));
  if (!image.digests.empty()) {
    text += Line(style, "digests", Clean(Listed(image.digests, Most(style))));
  }
  return text;
}

std::string Text(const Observation& seen, const Policy& policy, const Explanation& explanation,
                 const Style& style) {
  const image::Verdict& verdict = explanation.verdict;
  const Image& image = seen.images[verdict.image];
  std::string text = Paint(style, Color::kBold, Clean(image::DisplayName(image))) +
                     (verdict.remove ? " would be removed: " : " stays: ") +
                     std::string(image::Meaning(verdict.reason)) + ".\n\n";
  text += Line(style, "reason",
               std::string(image::Code(verdict.reason)) + " (tier " +
                   std::string(image::Code(image::TierOf(verdict.reason))) + ")" +
                   (verdict.detail.empty() ? "" : ": " + Clean(verdict.detail)));
  text += Line(style, verdict.remove ? "to keep" : "to remove", explanation.advice);
  text += Holders(seen, explanation, style);
  text += Ages(seen, policy, image, style);
  text += Bytes(seen, explanation, style);
  text += Line(style, "kubelet",
               (explanation.kubelet_removes ? "would remove it " : "would not remove it: ") +
                   explanation.kubelet_why);
  text +=
      Line(style, "survives",
           std::string(explanation.survives_kubelet ? "yes: " : "no: ") + explanation.survives_why);
  return text + Names(image, style) + TrustLines(seen, style);
}

JsonArray ContainersJson(const Observation& seen, const Explanation& explanation) {
  JsonArray array;
  const auto add = [&](std::size_t c, std::string_view how) {
    const Container& container = seen.containers[c];
    array.push_back({{"id", container.id},
                     {"name", container.name},
                     {"podNamespace", container.pod_namespace},
                     {"podName", container.pod_name},
                     {"state", Code(container.state)},
                     {"how", how}});
  };
  for (const std::size_t c : explanation.containers) add(c, "image");
  for (const std::size_t c : explanation.volumes) add(c, "volume");
  return array;
}

Json ExplanationDocument(const Observation& seen, const Policy& policy,
                         const Explanation& explanation) {
  JsonObject document = Document("Explanation");
  document["takenAt"] = ToJson(seen.taken_at);
  document["image"] = ToJson(seen, explanation.verdict);
  document["meaning"] = image::Meaning(explanation.verdict.reason);
  document["advice"] = explanation.advice;
  document["containers"] = ContainersJson(seen, explanation);
  JsonArray& sandboxes = document["sandboxImages"].emplace_array();
  for (const std::size_t s : explanation.sandbox_claims) {
    const image::SandboxImage& claim = seen.sandbox_images[s];
    sandboxes.push_back({{"name", claim.name}, {"source", claim.source}});
  }
  document["rules"] = ToJson(explanation.rules);
  document["minimumSeenAge"] = base::FormatDuration(policy.min_seen_age);
  document["minimumIdleAge"] = base::FormatDuration(policy.min_idle_age);
  document["onDiskBytes"] = explanation.on_disk.count;
  JsonArray& shares = document["sharesWith"].emplace_array();
  for (const Share& share : explanation.shares) {
    shares.push_back({{"id", seen.images[share.image].id.value},
                      {"name", image::DisplayName(seen.images[share.image])},
                      {"bytes", share.bytes.count}});
  }
  document["kubelet"] = {{"removes", explanation.kubelet_removes},
                         {"why", explanation.kubelet_why},
                         {"survives", explanation.survives_kubelet},
                         {"survivesWhy", explanation.survives_why}};
  AddTrust(document, seen);
  return document;
}

}  // namespace

base::Result<std::string> RenderExplain(const Observation& seen, const Policy& policy,
                                        const image::Plan& plan, std::string_view reference,
                                        const Style& style) {
  const auto found = FindImage(seen, reference);
  if (!found.ok()) return found.error();
  if (style.format == Format::kName) return Clean(seen.images[*found].id.value) + "\n";
  const Explanation explanation = ExplainImage(seen, policy, plan, *found);
  if (IsDocument(style)) {
    return Write(ExplanationDocument(seen, policy, explanation), style.format);
  }
  return Text(seen, policy, explanation, style);
}

}  // namespace ebb::report
