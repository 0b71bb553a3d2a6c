#include "image/guard.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "image/holding.h"
#include "image/observation.h"

namespace ebb::image {
namespace {

constexpr std::array<std::pair<GuardReason, std::string_view>, 4> kReasons = {
    {{GuardReason::kSandbox, "sandbox"},
     {GuardReason::kSelf, "self"},
     {GuardReason::kAdded, "added"},
     {GuardReason::kRule, "rule"}}};

constexpr base::Duration kLinger = std::chrono::hours(24);
constexpr base::Percent kShare{5};

const Filesystem* ImageDisk(const Observation& seen) {
  const auto disk = std::ranges::find_if(
      seen.filesystems, [](const Filesystem& fs) { return fs.holds_images && fs.measured(); });
  return disk == seen.filesystems.end() ? nullptr : &*disk;
}

class Chooser {
 public:
  Chooser(const Observation& seen, const GuardPolicy& policy, const GuardSet& before)
      : seen_(seen), policy_(policy), before_(before) {}

  GuardChoice Choose() && {
    for (const Image& image : seen_.images) Claim(image);
    for (const GuardedImage& guarded : before_.images) {
      if (!Listed(guarded.id)) Claim(WithoutMovedNames(guarded));
    }
    Linger();
    std::ranges::sort(choice_.claims, {}, [](const GuardClaim& claim) {
      return std::tuple(claim.reason, DisplayName(claim.image), claim.image.id.value);
    });
    Fit();
    return std::move(choice_);
  }

 private:
  bool Listed(const ImageId& id) const {
    return std::ranges::any_of(
        seen_.images, [&](const Image& image) { return SameId(image.id.value, id.value); });
  }
  const GuardedImage* Before(const ImageId& id) const {
    const auto at = std::ranges::find(before_.images, id, &GuardedImage::id);
    return at == before_.images.end() ? nullptr : &*at;
  }

  Image WithoutMovedNames(const GuardedImage& guarded) const {
    Image image = ToImage(guarded);
    const auto moved = [&](const std::string& name) {
      return std::ranges::any_of(seen_.images,
                                 [&](const Image& other) { return Names(name, other); });
    };
    std::erase_if(image.tags, moved);
    std::erase_if(image.digests, moved);
    return image;
  }

  void Claim(const Image& image) {
    if (image.id.value.empty()) return;
    if (auto claim = Judge(image)) choice_.claims.push_back(std::move(*claim));
  }

  std::optional<GuardClaim> Judge(const Image& image) const {
    for (const SandboxImage& sandbox : seen_.sandbox_images) {
      const bool same = sandbox.id.value.empty() ? Names(sandbox.name, image)
                                                 : SameId(sandbox.id.value, image.id.value);
      if (same) return GuardClaim{image, GuardReason::kSandbox, sandbox.name};
    }
    if (SameId(image.id.value, seen_.own_image.value)) {
      return GuardClaim{image, GuardReason::kSelf, DisplayName(image)};
    }
    for (const std::string& name : before_.added) {
      if (Names(name, image)) return GuardClaim{image, GuardReason::kAdded, name};
    }
    for (const Pattern& pattern : policy_.patterns) {
      if (pattern.Matches(image)) return GuardClaim{image, GuardReason::kRule, pattern.text()};
    }
    return std::nullopt;
  }

  bool Claimed(const ImageId& id) const {
    return std::ranges::any_of(choice_.claims,
                               [&](const GuardClaim& claim) { return claim.image.id == id; });
  }

  // A node between two pods has no sandbox that would tell, and some runtimes never do.
  void Linger() {
    const bool other = std::ranges::any_of(choice_.claims, [](const GuardClaim& claim) {
      return claim.reason == GuardReason::kSandbox;
    });
    for (const GuardedImage& guarded : before_.images) {
      if (Claimed(guarded.id)) continue;
      const bool recent = seen_.taken_at - guarded.wanted_at < kLinger;
      const bool lingers = guarded.reason == GuardReason::kSandbox && (recent || !other);
      if (!lingers && seen_.doubts.empty()) continue;
      choice_.claims.push_back({ToImage(guarded), guarded.reason, guarded.detail});
    }
  }

  base::Bytes SizeOf(const Image& image) const {
    const auto at = std::ranges::find(seen_.images, image.id, &Image::id);
    if (at == seen_.images.end()) return {};
    return sizes_[static_cast<std::size_t>(at - seen_.images.begin())].held;
  }

  // What was guarded before a disk could not be measured stays guarded.
  void Fit() {
    const Filesystem* const disk = ImageDisk(seen_);
    if (!policy_.max_bytes && disk == nullptr) {
      return Drop([&](const GuardClaim& claim) { return Before(claim.image.id) == nullptr; },
                  "the image filesystem cannot be measured");
    }
    sizes_ = BytesOfImages(seen_);
    const base::Bytes most = policy_.max_bytes.value_or(
        base::Bytes{disk == nullptr ? 0 : disk->capacity.count / 100 * kShare.value});
    base::Bytes taken;
    Drop(
        [&](const GuardClaim& claim) {
          const base::Bytes size = SizeOf(claim.image);
          if (taken + size > most) return true;
          taken += size;
          return false;
        },
        "guarded images may take no more than " + base::FormatBytes(most));
  }

  template <class TooMuch>
  void Drop(TooMuch too_much, const std::string& why) {
    std::erase_if(choice_.claims, [&](const GuardClaim& claim) {
      if (claim.reason == GuardReason::kSandbox || !too_much(claim)) return false;
      choice_.left_out.push_back(DisplayName(claim.image) + " is not guarded: " + why);
      return true;
    });
  }

  const Observation& seen_;
  const GuardPolicy& policy_;
  const GuardSet& before_;
  GuardChoice choice_;
  std::vector<RootBytes> sizes_;
};

}  // namespace

std::string_view Code(GuardReason reason) {
  const auto* const at = std::ranges::find(kReasons, reason, [](const auto& r) { return r.first; });
  return at == kReasons.end() ? std::string_view{} : at->second;
}

std::optional<GuardReason> ParseGuardReason(std::string_view code) {
  const auto* const at = std::ranges::find(kReasons, code, [](const auto& r) { return r.second; });
  if (at == kReasons.end()) return std::nullopt;
  return at->first;
}

Image ToImage(const GuardedImage& guarded) {
  Image image;
  image.id = guarded.id;
  for (const Record& record : guarded.records) {
    if (SameId(record.name, guarded.id.value)) continue;
    const bool digest = record.name.find('@') != std::string::npos;
    (digest ? image.digests : image.tags).push_back(record.name);
  }
  return image;
}

GuardChoice ChooseGuarded(const Observation& seen, const GuardPolicy& policy,
                          const GuardSet& before) {
  return Chooser(seen, policy, before).Choose();
}

}  // namespace ebb::image
