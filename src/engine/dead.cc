#include "engine/dead.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "image/log_name.h"

namespace ebb::engine {
namespace {

using image::DeadThing;
using image::Outcome;

// Filesystems that hold containers or logs, each once.
std::vector<image::Filesystem> Measure(const DeadPorts& ports) {
  std::vector<std::string> paths;
  if (const auto storage = ports.runtime.Storage(); storage.ok()) {
    paths.reserve(storage->size() + 1);
    for (const StoragePath& path : *storage) paths.push_back(path.mountpoint);
  }
  if (ports.logs != nullptr) paths.push_back(ports.logs->Path());
  std::vector<image::Filesystem> measured;
  measured.reserve(paths.size());
  for (const std::string& path : paths) {
    image::Filesystem filesystem = ports.filesystems.Measure(path);
    const bool known = std::ranges::any_of(
        measured, [&](const auto& other) { return other.device == filesystem.device; });
    if (filesystem.measured() && !known) measured.push_back(std::move(filesystem));
  }
  return measured;
}

base::Bytes Freed(const DeadReport& report) {
  base::Bytes freed;
  for (const image::Filesystem& before : report.before) {
    const auto after = std::ranges::find(report.after, before.device, &image::Filesystem::device);
    if (after != report.after.end()) freed += after->available - before.available;
  }
  return std::max(freed, base::Bytes{});
}

// Who is where, right now.
struct Now {
  std::unordered_map<std::string, bool> ready;  // by ID of the sandbox
  std::unordered_set<std::string> occupied;     // sandboxes that have a container
  std::unordered_set<std::string> pods;         // UIDs of which the runtime lists anything
  std::unordered_set<std::string> containers;
};

class Reclaimer {
 public:
  Reclaimer(const DeadPorts& ports, const image::DeadPlan& plan, const Stopped& stopped)
      : ports_(ports), plan_(plan), stopped_(stopped) {}

  DeadReport Run() && {
    report_.started = ports_.clock.Now();
    for (std::size_t i = 0; i < plan_.things.size(); ++i) {
      if (plan_.things[i].verdict != image::DeadVerdict::kGoes) continue;
      report_.removals.push_back({.thing = i, .outcome = Outcome::kNotTried, .detail = {}});
    }
    if (!report_.removals.empty()) RemoveAll();
    report_.finished = ports_.clock.Now();
    return std::move(report_);
  }

 private:
  using Kind = DeadThing::Kind;

  void RemoveAll() {
    deadline_ = ports_.clock.Elapsed() + ports_.time;
    report_.before = Measure(ports_);
    Each({Kind::kContainer, Kind::kContainer},
         [&](const DeadThing& thing, DeadRemoval& removal) { Container(thing, removal); });
    if (LookAgain(Kind::kSandbox)) {
      Each({Kind::kSandbox, Kind::kSandbox},
           [&](const DeadThing& thing, DeadRemoval& removal) { Sandbox(thing, removal); });
    }
    if (ports_.logs != nullptr && LookAgain(Kind::kLogDirectory)) {
      Each({Kind::kLogDirectory, Kind::kLogLink},
           [&](const DeadThing& thing, DeadRemoval& removal) { Log(thing, removal); });
    }
    report_.after = Measure(ports_);
    report_.freed = Freed(report_);
  }

  struct Kinds {
    Kind first;
    Kind last;
  };

  template <class Remove>
  void Each(const Kinds& kinds, Remove remove) {
    for (DeadRemoval& removal : report_.removals) {
      const DeadThing& thing = plan_.things[removal.thing];
      if (thing.kind < kinds.first || thing.kind > kinds.last) continue;
      if (!MayGoOn()) return;
      remove(thing, removal);
    }
  }

  bool MayGoOn() {
    if (!report_.problem.empty()) return false;
    if (stopped_ && stopped_()) {
      report_.problem = "stopped by a signal or a pause";
    } else if (ports_.clock.Elapsed() >= deadline_) {
      report_.problem = "the time of one pass was over: the next one goes on";
    }
    return report_.problem.empty();
  }

  // The lists that sandboxes and logs depend on, if any of these is to go.
  bool LookAgain(Kind kind) {
    const bool any = std::ranges::any_of(report_.removals, [&](const DeadRemoval& removal) {
      return plan_.things[removal.thing].kind >= kind;
    });
    if (!any || !MayGoOn()) return false;
    const auto inventory = ports_.runtime.List();
    if (!inventory.ok()) {
      report_.problem = inventory.error().In("look again").message;
      return false;
    }
    now_ = {};
    for (const image::Sandbox& sandbox : inventory->sandboxes) {
      now_.ready.insert_or_assign(sandbox.id, sandbox.ready);
      now_.pods.insert(sandbox.pod_uid);
    }
    for (const image::Container& container : inventory->containers) {
      now_.occupied.insert(container.sandbox_id);
      now_.pods.insert(container.pod_uid);
      now_.containers.insert(container.id);
    }
    return true;
  }

  void Container(const DeadThing& thing, DeadRemoval& removal) {
    const auto now = ports_.remover.Look(thing.id);
    if (!now.ok()) return Record(now.error(), removal);
    if (now->state != image::ContainerState::kExited &&
        now->state != image::ContainerState::kCreated) {
      return InUse("it runs, or may run, by now", removal);
    }
    Record(ports_.remover.RemoveContainer(thing.id), removal);
    if (removal.outcome != Outcome::kRemoved || ports_.logs == nullptr) return;
    if (now->log_path.empty()) return;
    const auto logs = ports_.logs->RemoveFiles(now->log_path);
    if (logs.ok() || logs.error().code == base::ErrorCode::kNotFound) return;
    removal.detail = logs.error().In("its logs stay").message;
  }

  void Sandbox(const DeadThing& thing, DeadRemoval& removal) {
    const auto ready = now_.ready.find(thing.id);
    if (ready == now_.ready.end()) {
      removal.outcome = Outcome::kGone;
      return;
    }
    if (ready->second) return InUse("it is ready by now", removal);
    if (now_.occupied.contains(thing.id)) return InUse("it has a container", removal);
    Record(ports_.remover.RemoveSandbox(thing.id), removal);
  }

  void Log(const DeadThing& thing, DeadRemoval& removal) {
    const bool directory = thing.kind == Kind::kLogDirectory;
    if (directory && now_.pods.contains(thing.pod_uid)) {
      return InUse("something of its pod is left", removal);
    }
    if (!directory && now_.containers.contains(image::ParseLogLink(thing.id).container_id)) {
      return InUse("its container is left", removal);
    }
    const auto kind =
        directory ? image::LogEntry::Kind::kPodDirectory : image::LogEntry::Kind::kDanglingLink;
    Record(ports_.logs->Remove({.kind = kind, .name = thing.id, .changed = thing.since}), removal);
  }

  static void InUse(const char* why, DeadRemoval& removal) {
    removal.outcome = Outcome::kCameInUse;
    removal.detail = why;
  }

  void Record(const base::Status& result, DeadRemoval& removal) {
    if (result.ok()) {
      removal.outcome = Outcome::kRemoved;
    } else if (result.error().code == base::ErrorCode::kNotFound) {
      removal.outcome = Outcome::kGone;
    } else {
      const bool changed = result.error().code == base::ErrorCode::kConflict;
      removal.outcome = changed ? Outcome::kCameInUse : Outcome::kFailed;
      removal.detail = result.error().message;
    }
    CountSilence(result);
  }

  // One slow answer is no dead runtime; two in a row would only cost time.
  void CountSilence(const base::Status& result) {
    const bool silent = !result.ok() && result.error().code == base::ErrorCode::kUnavailable;
    unanswered_ = silent ? unanswered_ + 1 : 0;
    if (unanswered_ >= 2) report_.problem = "the container runtime stopped answering";
  }

  const DeadPorts& ports_;
  const image::DeadPlan& plan_;
  const Stopped& stopped_;
  DeadReport report_;
  Now now_;
  base::Duration deadline_{};
  int unanswered_ = 0;
};

}  // namespace

void ReadLogs(LogDirectories& logs, image::Observation& seen) {
  auto listed = logs.List();
  if (listed.ok()) {
    seen.logs = std::move(*listed);
  } else {
    seen.warnings.push_back(listed.error().In("logs of pods are not known").message);
  }
}

DeadReport ReclaimDead(const DeadPorts& ports, const image::DeadPlan& plan,
                       const Stopped& stopped) {
  return Reclaimer(ports, plan, stopped).Run();
}

}  // namespace ebb::engine
