#include "image/protection.h"

#include <algorithm>

#include "image/repository.h"
#include "image/use.h"

namespace ebb::image {
namespace {

// Names by which a sandbox image is recognised where no runtime tells which one it will use next:
// a container runtime of version 2 keeps that to itself, and an upgrade may have preloaded it.
bool LooksLikeSandboxImage(const Image& image) {
  constexpr std::string_view kPause = "pause";
  const auto looks = [&](const std::string& name) {
    if (name.find(kPause) == std::string::npos) return false;
    const std::string full = Normalize(name);
    const auto slash = full.rfind('/', full.find('@'));
    return full.find(kPause, slash == std::string::npos ? 0 : slash) != std::string::npos;
  };
  return std::ranges::any_of(image.tags, looks) || std::ranges::any_of(image.digests, looks);
}

std::string HoldersText(const std::vector<Container>& containers,
                        const std::vector<std::size_t>& holders) {
  const Container& first = containers[holders.front()];
  std::string text =
      first.pod_name.empty() ? "container " + first.id : first.pod_namespace + "/" + first.pod_name;
  if (!first.name.empty()) text += " (" + first.name + ")";
  if (holders.size() > 1) text += " and " + std::to_string(holders.size() - 1) + " more";
  return text;
}

class Rules {
 public:
  Rules(const Observation& seen, const Policy& policy)
      : seen_(seen),
        policy_(policy),
        uses_(ResolveUses(seen.images, seen.containers)),
        needs_(NeedsOf(seen.pods)),
        pulled_by_(Claimants(seen.images, seen.pulls)),
        needed_by_(Claimants(seen.images, needs_)),
        newest_(AmongNewest(seen.images, policy.keep_newest)),
        sandbox_told_(std::ranges::any_of(seen.sandbox_images, [](const SandboxImage& image) {
          return image.source == kFromRuntime && !image.id.value.empty();
        })) {}

  std::optional<Shield> Of(std::size_t i) const {
    if (auto shield = Identity(i)) return shield;
    if (auto shield = UsedBy(i)) return shield;
    if (auto shield = Rule(seen_.images[i])) return shield;
    if (auto shield = ClaimedBy(i)) return shield;
    if (auto shield = Age(seen_.images[i])) return shield;
    return KeepNewest(i);
  }

  const std::vector<std::size_t>& unidentified() const { return uses_.unidentified; }

 private:
  std::optional<Shield> Identity(std::size_t i) const {
    const ImageId& id = seen_.images[i].id;
    if (id.value.empty()) return Shield{Reason::kUnresolved, "the runtime lists it without an ID"};
    if (SameId(id.value, seen_.own_image.value)) return Shield{Reason::kSelf, ""};
    return std::nullopt;
  }

  std::optional<Shield> UsedBy(std::size_t i) const {
    if (!uses_.by_container[i].empty()) {
      return Shield{Reason::kInUse, HoldersText(seen_.containers, uses_.by_container[i])};
    }
    if (!uses_.by_volume[i].empty()) {
      return Shield{Reason::kImageVolume, HoldersText(seen_.containers, uses_.by_volume[i])};
    }
    for (const SandboxImage& sandbox : seen_.sandbox_images) {
      if (SameId(sandbox.id.value, seen_.images[i].id.value)) {
        return Shield{Reason::kSandbox, sandbox.name + ", from " + sandbox.source};
      }
    }
    if (!sandbox_told_ && LooksLikeSandboxImage(seen_.images[i])) {
      return Shield{Reason::kSandbox, "by its name; the runtime does not tell which one it uses"};
    }
    return std::nullopt;
  }

  std::optional<Shield> Rule(const Image& image) const {
    if (image.pinned) return Shield{Reason::kPinned, ""};
    for (const Guarded& guarded : seen_.guarded) {
      if (!SameId(guarded.id.value, image.id.value)) continue;
      return Shield{Reason::kGuarded, std::string(Code(guarded.reason)) + ": " + guarded.detail};
    }
    for (const Pattern& pattern : policy_.protect) {
      if (pattern.Matches(image))
        return Shield{Reason::kProtectRule, "rule '" + pattern.text() + "'"};
    }
    return std::nullopt;
  }

  std::optional<Shield> ClaimedBy(std::size_t i) const {
    if (pulled_by_[i] != nullptr) return Shield{Reason::kPulling, pulled_by_[i]->by};
    if (needed_by_[i] != nullptr) return Shield{Reason::kNeeded, needed_by_[i]->by};
    return std::nullopt;
  }

  // An age equal to the minimum is old enough, as the kubelet has it (v1.36).
  std::optional<Shield> Age(const Image& image) const {
    const base::Duration seen_for = seen_.taken_at - image.usage.first_seen;
    if (seen_for < policy_.min_seen_age) {
      return Shield{Reason::kTooYoung, "here for " + base::FormatAge(seen_for) + " of " +
                                           base::FormatDuration(policy_.min_seen_age)};
    }
    const base::Duration idle = seen_.taken_at - image.usage.last_used;
    if (image.usage.last_used != base::kNever && idle < policy_.min_idle_age) {
      return Shield{Reason::kTooYoung, "unused for " + base::FormatAge(idle) + " of " +
                                           base::FormatDuration(policy_.min_idle_age)};
    }
    return std::nullopt;
  }

  std::optional<Shield> KeepNewest(std::size_t i) const {
    if (newest_[i].empty()) return std::nullopt;
    return Shield{Reason::kKeepNewest, "among the " + std::to_string(policy_.keep_newest) +
                                           " newest of " + std::string(newest_[i])};
  }

  const Observation& seen_;
  const Policy& policy_;
  Uses uses_;
  std::vector<Claim> needs_;
  std::vector<const Claim*> pulled_by_;
  std::vector<const Claim*> needed_by_;
  std::vector<std::string_view> newest_;
  bool sandbox_told_;
};

}  // namespace

Protection Protect(const Observation& seen, const Policy& policy) {
  const Rules rules(seen, policy);
  Protection protection{.doubts = seen.doubts};
  protection.shields.reserve(seen.images.size());
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    protection.shields.push_back(rules.Of(i));
  }
  for (const std::size_t c : rules.unidentified()) {
    protection.doubts.push_back("container " + seen.containers[c].id +
                                " does not say which image it uses");
  }
  return protection;
}

std::vector<std::string> IdlePatterns(const Observation& seen, const Policy& policy) {
  std::vector<std::string> idle;
  for (const Pattern& pattern : policy.protect) {
    const auto matches = [&](const Image& image) { return pattern.Matches(image); };
    if (std::ranges::none_of(seen.images, matches)) idle.push_back(pattern.text());
  }
  for (const AgeRule& rule : policy.unused_for) {
    const auto matches = [&](const Image& image) { return rule.pattern.Matches(image); };
    if (std::ranges::none_of(seen.images, matches)) idle.push_back(rule.pattern.text());
  }
  return idle;
}

}  // namespace ebb::image
