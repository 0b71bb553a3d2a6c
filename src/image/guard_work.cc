#include "image/guard_work.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ebb::image {
namespace {

constexpr base::Duration kSaveEvery = std::chrono::hours(1);

std::string_view LabelOf(const Record& record, std::string_view key) {
  const auto at = record.labels.find(std::string(key));
  return at == record.labels.end() ? std::string_view{} : std::string_view(at->second);
}

const Record* FindRecord(const std::vector<Record>& records, std::string_view name) {
  const auto at = std::ranges::find(records, name, &Record::name);
  return at == records.end() ? nullptr : &*at;
}

// A pin that stands without our marker was put there by somebody else.
std::optional<Relabel> Missing(const Record& record) {
  const bool pinned = LabelOf(record, kPinLabel) == kPinValue;
  const std::string_view marker = LabelOf(record, kMarker);
  if (pinned && (marker == kOurPin || marker == kTheirPin)) return std::nullopt;
  const std::string_view whose = pinned ? kTheirPin : kOurPin;
  return Relabel{record.name,
                 {{std::string(kPinLabel), std::string(kPinValue)},
                  {std::string(kMarker), std::string(whose)}}};
}

void Apply(const Relabel& change, Record& record) {
  for (const auto& [key, value] : change.labels) record.labels[key] = value;
}

// As good as the same: times within an hour are not worth a write.
bool Same(const GuardedImage& then, const GuardedImage& now) {
  const base::Duration later = now.wanted_at - then.wanted_at;
  if (later < base::Duration{} || later >= kSaveEvery) return false;
  if (then.reason != now.reason || then.detail != now.detail) return false;
  return std::ranges::is_permutation(then.records, now.records);
}

class Decision {
 public:
  Decision(const GuardSight& sight, const GuardPolicy& policy)
      : sight_(sight), choice_(ChooseGuarded(sight.seen, policy, sight.before)) {}

  GuardWork Make() && {
    work_.set.added = sight_.before.added;
    work_.left_out = std::move(choice_.left_out);
    for (const GuardClaim& claim : choice_.claims) Guard(claim);
    Release();
    Hold();
    work_.save = Differs();
    return std::move(work_);
  }

 private:
  const GuardedImage* Before(const ImageId& id) const {
    const auto& images = sight_.before.images;
    const auto at = std::ranges::find(images, id, &GuardedImage::id);
    return at == images.end() ? nullptr : &*at;
  }

  void Guard(const GuardClaim& claim) {
    GuardedImage guarded{claim.image.id, claim.reason, claim.detail, sight_.seen.taken_at,
                         RecordsOf(claim.image, sight_.records)};
    const GuardedImage* const before = Before(claim.image.id);
    if (before != nullptr) AddLost(*before, guarded);
    // Neither there nor known from before: nothing can be kept.
    if (guarded.records.empty()) return;
    for (Record& record : guarded.records) {
      if (FindRecord(sight_.records, record.name) == nullptr) continue;
      const auto missing = Missing(record);
      if (!missing) continue;
      Apply(*missing, record);
      work_.put_on.push_back(*missing);
    }
    if (before != nullptr) KeepTime(*before, guarded);
    work_.set.images.push_back(std::move(guarded));
  }

  // A name that is gone is remembered; one that stands for something else by now is not ours.
  void AddLost(const GuardedImage& before, GuardedImage& guarded) {
    bool lost = false;
    for (const Record& record : before.records) {
      if (FindRecord(sight_.records, record.name) != nullptr) continue;
      guarded.records.push_back(record);
      lost = true;
    }
    if (lost) work_.lost.push_back(guarded.id);
  }

  // The day of grace of a sandbox image counts from when somebody named it.
  void KeepTime(const GuardedImage& before, GuardedImage& guarded) const {
    const auto wants = [&](const SandboxImage& sandbox) { return sandbox.name == guarded.detail; };
    const bool named = std::ranges::any_of(sight_.seen.sandbox_images, wants);
    if (guarded.reason == GuardReason::kSandbox && !named) guarded.wanted_at = before.wanted_at;
  }

  bool IsGuarded(std::string_view record) const {
    return std::ranges::any_of(work_.set.images, [&](const GuardedImage& guarded) {
      return FindRecord(guarded.records, record) != nullptr;
    });
  }

  // Only what this guard has guarded: another's marks are its own business.
  void Release() {
    std::vector<Record> freed;
    for (const GuardedImage& before : sight_.before.images) {
      for (const Record& record : before.records) {
        const Record* const now = FindRecord(sight_.records, record.name);
        if (now != nullptr && !IsGuarded(record.name)) freed.push_back(*now);
      }
    }
    work_.take_off = TakeOff(freed);
  }

  void Hold() {
    std::set<std::string> digests;
    for (const GuardedImage& guarded : work_.set.images) {
      for (const Record& record : guarded.records) digests.insert(record.target.digest);
    }
    const base::TimePoint now = sight_.seen.taken_at;
    bool held = digests.empty();
    for (const GuardLease& lease : sight_.leases) {
      const base::Duration left = lease.until - now;
      const bool fresh = left > kLeaseLife - kLeaseRenewal && left <= kLeaseLife + kLeaseRenewal;
      if (!held && fresh && lease.digests == digests) {
        held = true;
      } else {
        work_.drop.push_back(lease.id);
      }
    }
    if (!held) work_.lease.assign(digests.begin(), digests.end());
  }

  bool Differs() const {
    if (sight_.before.images.size() != work_.set.images.size()) return true;
    return std::ranges::any_of(work_.set.images, [&](const GuardedImage& now) {
      const GuardedImage* const then = Before(now.id);
      return then == nullptr || !Same(*then, now);
    });
  }

  const GuardSight& sight_;
  GuardChoice choice_;
  GuardWork work_;
};

}  // namespace

GuardWork DecideGuard(const GuardSight& sight, const GuardPolicy& policy) {
  return Decision(sight, policy).Make();
}

std::vector<Relabel> TakeOff(const std::vector<Record>& records) {
  std::vector<Relabel> changes;
  for (const Record& record : records) {
    const std::string_view marker = LabelOf(record, kMarker);
    if (marker.empty()) continue;
    Relabel change{record.name, {{std::string(kMarker), ""}}};
    if (marker == kOurPin) change.labels[std::string(kPinLabel)] = "";
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace ebb::image
