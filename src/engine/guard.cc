#include "engine/guard.h"

#include <algorithm>
#include <set>
#include <utility>

#include "image/guard_work.h"

namespace ebb::engine {
namespace {

using image::GuardedImage;
using image::GuardSet;
using Found = image::GuardWatch::Found;

constexpr base::Duration kPatience = std::chrono::seconds(2);
constexpr base::Duration kPause = std::chrono::milliseconds(5);

std::string NameOf(const GuardedImage& guarded) {
  return image::DisplayName(image::ToImage(guarded));
}

std::vector<std::string> News(const GuardSet& before, const GuardSet& now) {
  std::vector<std::string> news;
  const auto lacks = [](const GuardSet& set) {
    return [&set](const GuardedImage& guarded) {
      return std::ranges::find(set.images, guarded.id, &GuardedImage::id) == set.images.end();
    };
  };
  for (const GuardedImage& guarded : now.images) {
    if (!lacks(before)(guarded)) continue;
    news.push_back(NameOf(guarded) + " is guarded (" + std::string(Code(guarded.reason)) + ": " +
                   guarded.detail + ")");
  }
  for (const GuardedImage& guarded : before.images) {
    if (lacks(now)(guarded)) news.push_back(NameOf(guarded) + " is not guarded any more");
  }
  return news;
}

// Carries out what was decided. What fails is told and does not stop the rest.
class Worker {
 public:
  Worker(const GuardPorts& ports, std::vector<std::string>& problems)
      : ports_(ports), problems_(problems) {}

  void Relabel(const std::vector<image::Relabel>& changes) {
    for (const image::Relabel& change : changes) {
      const auto labelled = ports_.records.Label(change);
      const bool gone = !labelled.ok() && labelled.error().code == base::ErrorCode::kNotFound;
      if (!gone) Note(labelled);
    }
  }
  void Save(const GuardSet& set) { Note(ports_.memory.Save(set)); }
  // The predecessor goes when its successor is there.
  void Hold(const image::GuardWork& work) {
    if (!work.lease.empty()) {
      const auto made = ports_.records.MakeLease(work.lease, image::kLeaseLife);
      Note(made);
      if (!made.ok()) return;
    }
    Drop(work.drop);
  }
  void Drop(const std::vector<std::string>& leases) {
    for (const std::string& lease : leases) Note(ports_.records.DropLease(lease));
  }

 private:
  void Note(const base::Status& status) {
    if (!status.ok()) problems_.push_back(status.error().message);
  }

  const GuardPorts& ports_;
  std::vector<std::string>& problems_;
};

bool Knows(Runtime& runtime, const std::string& name, const image::ImageId& id) {
  const auto resolved = runtime.Resolve(name);
  return resolved.ok() && image::SameId(resolved->value, id.value);
}

// The runtime follows its records a little later.
bool Follows(const GuardPorts& ports, const image::ImageId& id, std::vector<std::string> names) {
  names.push_back(id.value);
  const base::Duration give_up = ports.clock.Elapsed() + kPatience;
  for (const std::string& name : names) {
    while (!Knows(ports.runtime, name, id)) {
      if (ports.clock.Elapsed() >= give_up) return false;
      ports.clock.SleepFor(kPause);
    }
  }
  return true;
}

std::vector<std::string> IdsOf(const std::vector<image::GuardLease>& leases) {
  std::vector<std::string> ids;
  ids.reserve(leases.size());
  for (const image::GuardLease& lease : leases) ids.push_back(lease.id);
  return ids;
}

bool IsAmong(const GuardSet& set, const std::string& record) {
  return std::ranges::any_of(set.images, [&](const GuardedImage& guarded) {
    return std::ranges::find(guarded.records, record, &image::Record::name) !=
           guarded.records.end();
  });
}

}  // namespace

base::Result<GuardPass> KeepGuard(const GuardPorts& ports, const image::GuardPolicy& policy,
                                  const image::Observation& seen) {
  const auto lock = ports.memory.Change();
  if (!lock.ok()) return lock.error().In("guard");
  GuardPass pass;
  auto before = ports.memory.Load();
  if (!before.ok()) {
    pass.problems.push_back(before.error().In("what was guarded before is not known").message);
    before = GuardSet{};
  }
  const auto records = ports.records.List();
  if (!records.ok()) return records.error().In("guard");
  const auto leases = ports.records.Leases(ImageRecords::Whose::kOurs);
  if (!leases.ok()) return leases.error().In("guard");
  image::GuardWork work = image::DecideGuard({seen, *records, *leases, *before}, policy);
  Worker worker(ports, pass.problems);
  worker.Relabel(work.take_off);
  if (work.save) worker.Save(work.set);
  worker.Hold(work);
  worker.Relabel(work.put_on);
  pass.news = News(*before, work.set);
  pass.set = std::move(work.set);
  pass.lost = std::move(work.lost);
  std::ranges::move(work.left_out, std::back_inserter(pass.problems));
  return pass;
}

Restoration RestoreImage(const GuardPorts& ports, const image::GuardedImage& guarded) {
  Restoration restoration;
  std::set<std::string> digests;
  for (const image::Record& record : guarded.records) digests.insert(record.target.digest);
  const auto there = ports.records.HasContent(digests);
  if (!there.ok()) {
    restoration.problem = there.error().message;
    return restoration;
  }
  if (!*there) {
    restoration.problem = "its content is gone, too: it has to be pulled or imported again";
    return restoration;
  }
  auto made = ports.records.BringBack(guarded.records);
  if (!made.ok()) {
    restoration.problem = made.error().message;
    return restoration;
  }
  restoration.names = std::move(*made);
  if (!Follows(ports, guarded.id, restoration.names)) {
    restoration.problem =
        "its names are there and the runtime does not list it: some of its "
        "content is missing";
    return restoration;
  }
  restoration.found = restoration.names.empty() ? Found::kWhole : Found::kRestored;
  return restoration;
}

base::Result<std::size_t> RemoveGuard(const GuardPorts& ports, ImageRecords::Whose whose) {
  const auto lock = ports.memory.Change();
  if (!lock.ok()) return lock.error().In("take the guard off");
  auto records = ports.records.List();
  if (!records.ok()) return records.error().In("take the guard off");
  const auto leases = ports.records.Leases(whose);
  if (!leases.ok()) return leases.error().In("take the guard off");
  if (whose == ImageRecords::Whose::kOurs) {
    const auto set = ports.memory.Load();
    if (!set.ok()) return set.error().In("take the guard off");
    std::erase_if(*records, [&](const image::Record& r) { return !IsAmong(*set, r.name); });
  }
  const auto changes = image::TakeOff(*records);
  std::vector<std::string> problems;
  Worker worker(ports, problems);
  worker.Relabel(changes);
  worker.Drop(IdsOf(*leases));
  worker.Save({});
  if (!problems.empty()) return base::Error{base::ErrorCode::kInternal, problems.front()};
  return changes.size();
}

}  // namespace ebb::engine
