#include "image/past.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "image/report.h"

namespace ebb::image {
namespace {

struct Stay {
  base::TimePoint first_seen;
  const ImageId* id;
};

// Stays under one key (an ID or a name), oldest first.
using Stays = std::unordered_map<std::string_view, std::vector<Stay>>;

void Sort(Stays& stays) {
  for (auto& [key, under] : stays) std::ranges::sort(under, {}, &Stay::first_seen);
}

class Returns {
 public:
  void Add(const ImageId& id, const std::string& name, base::TimePoint first_seen) {
    if (first_seen == base::kNever) return;
    by_id_[id.value].push_back({first_seen, &id});
    if (!name.empty()) by_name_[name].push_back({first_seen, &id});
  }

  void Sort() {
    image::Sort(by_id_);
    image::Sort(by_name_);
  }

  // The image itself counts before whatever has its name now.
  std::optional<Stay> After(const PastRemoval& removal) const {
    const auto itself = First(by_id_, removal.id.value, removal.run_started);
    return itself ? itself : First(by_name_, removal.name, removal.run_started);
  }

 private:
  static std::optional<Stay> First(const Stays& stays, std::string_view key,
                                   base::TimePoint after) {
    const auto under = stays.find(key);
    if (under == stays.end()) return std::nullopt;
    const auto at = std::ranges::upper_bound(under->second, after, {}, &Stay::first_seen);
    return at == under->second.end() ? std::nullopt : std::optional(*at);
  }

  Stays by_id_;
  Stays by_name_;
};

bool IsOurs(const PastRemoval& removal) {
  return removal.outcome == Code(Outcome::kRemoved) || removal.outcome == Code(Outcome::kRaced);
}

}  // namespace

std::vector<Regret> FindRegrets(const std::vector<PastRemoval>& removals,
                                const std::vector<UsageRecord>& records) {
  Returns returns;
  for (const UsageRecord& record : records) {
    returns.Add(record.id, record.name, record.usage.first_seen);
  }
  for (const PastRemoval& removal : removals) {
    returns.Add(removal.id, removal.name, removal.first_seen);
  }
  returns.Sort();
  std::vector<Regret> regrets;
  for (const PastRemoval& removal : removals) {
    if (!IsOurs(removal)) continue;
    if (const auto stay = returns.After(removal)) {
      regrets.push_back({.removal = removal, .back = stay->first_seen, .back_as = *stay->id});
    }
  }
  std::ranges::sort(regrets, [](const Regret& a, const Regret& b) {
    return std::tuple(b.removal.run, std::string_view(a.removal.id.value)) <
           std::tuple(a.removal.run, std::string_view(b.removal.id.value));
  });
  return regrets;
}

}  // namespace ebb::image
