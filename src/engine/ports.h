// What the use cases need from the world, in their own words. Adapters implement these; each
// method promises what its comment says and nothing else is called.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "image/observation.h"
#include "image/past.h"
#include "image/report.h"
#include "image/sample.h"
#include "image/store.h"
#include "image/usage.h"

namespace ebb::engine {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual base::TimePoint Now() = 0;     // wall clock: for people and for history
  virtual base::Duration Elapsed() = 0;  // monotonic, from an arbitrary start
  virtual void SleepFor(base::Duration time) = 0;
};

// Asked between two steps: whether to end here.
using Stopped = std::function<bool()>;

class Log {
 public:
  virtual ~Log() = default;
  enum class Level { kDebug, kInfo, kWarning, kError };
  virtual void Write(Level level, std::string_view message) = 0;
};

// What a runtime says about itself.
struct RuntimeFacts {
  image::Runtime runtime;
  std::string sandbox_image;  // from Status; empty where the runtime does not tell
};

// Images, containers and sandboxes read one right after the other. Container::volume_images is
// left empty: see Runtime::VolumesOf.
struct Inventory {
  std::vector<image::Image> images;  // as listed: IDs may repeat
  std::vector<image::Container> containers;
  std::vector<image::Sandbox> sandboxes;
};

// Where the runtime keeps images and containers; nothing is measured yet.
struct StoragePath {
  std::string mountpoint;
  bool holds_images = false;
  bool holds_containers = false;
  base::Bytes used;  // as the runtime reports it; containerd counts snapshots only
};

// Reads one container runtime. Every failure is an Error; kUnavailable if nobody answers.
class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual base::Result<RuntimeFacts> Identify() = 0;
  virtual base::Result<Inventory> List() = 0;
  virtual base::Result<std::vector<StoragePath>> Storage() = 0;
  // The ID a name stands for; an empty ID if there is no such image.
  virtual base::Result<image::ImageId> Resolve(std::string_view name) = 0;
  // Diff IDs from the base up, one answer per ID in order; nullopt where the runtime does not
  // tell or the image is gone. Fails only if the runtime cannot be asked at all.
  virtual base::Result<std::vector<image::LayerChain>> LayersOf(
      std::span<const image::ImageId> ids) = 0;
  // Names of the images each sandbox was made from, one per ID in order; empty where unknown.
  virtual base::Result<std::vector<std::string>> ImagesOfSandboxes(
      std::span<const std::string> sandbox_ids) = 0;
  // Images mounted as volumes, one answer per container ID in order. A container that is gone
  // mounts nothing; any other failure fails the whole call, for then anything may be mounted.
  virtual base::Result<std::vector<std::vector<std::string>>> VolumesOf(
      std::span<const std::string> container_ids) = 0;
};

struct RemovalResult {
  image::Outcome outcome = image::Outcome::kFailed;  // kRemoved, kGone, kHeld or kFailed
  std::string detail;
  bool no_room = false;  // kFailed because the runtime found no room on its disk to write that down
};

// One call's worth of removal: an image as one runtime handler has it (the kubelet drops the
// handler and then removes nothing, or the wrong one).
struct Victim {
  image::ImageId id;
  std::string handler = {};  // empty: the runtime's default
};

// Removes images by ID, many in flight, one answer per victim in order. An answer may be wrong in
// either direction if the runtime dies: the caller verifies by listing again.
class Remover {
 public:
  virtual ~Remover() = default;
  virtual std::vector<RemovalResult> Remove(std::span<const Victim> victims) = 0;
};

// Measures the filesystem below a path. A path that cannot be measured within two seconds comes
// back with Filesystem::problem set; this never fails and never hangs.
class Filesystems {
 public:
  virtual ~Filesystems() = default;
  virtual image::Filesystem Measure(const std::string& path) = 0;
};

// Facts that never change for an ID: looked up once, remembered for ever.
struct Facts {
  std::map<std::string, std::vector<std::string>> layers;   // image ID -> diff IDs
  std::map<std::string, std::string> sandbox_images;        // sandbox ID -> image name
  std::map<std::string, std::vector<std::string>> volumes;  // container ID -> image references
  std::map<std::string, std::int64_t>
      snapshots;  // committed snapshot -> bytes as its runtime counts
};

// Facts, and which of them are new since they were loaded.
struct FactBook {
  Facts all;
  Facts fresh;

  template <class Value>
  void Learn(std::map<std::string, Value> Facts::* kind, const std::string& id,
             const Value& value) {
    (all.*kind)[id] = value;
    (fresh.*kind)[id] = value;
  }
};

// Reads everything a runtime stores and who keeps it, through an API of its own (containerd) or
// from its disk (CRI-O).
class StoreReader {
 public:
  virtual ~StoreReader() = default;
  // Sizes of committed snapshots never change: they come from `facts`, and what had to be asked for
  // is added to them. Snapshots that are gone leave facts.all.
  virtual base::Result<image::Store> Read(FactBook& facts) = 0;
};

// What is held of one batch of removals: nothing of it is freed before Release(). A hold that is
// only dropped ends by itself, later than any batch can last (P3).
class Hold {
 public:
  virtual ~Hold() = default;
  // The images it is about, with the names they had when it was taken.
  virtual const std::vector<image::Image>& images() const = 0;
  // Brings back every name of these images as it was when the hold was taken; returns when the
  // runtime lists them again. Names that exist are left alone.
  virtual base::Status Restore(std::span<const image::ImageId> ids) = 0;
  // Frees what no image keeps any more; the bytes are back on return.
  virtual base::Status Release() = 0;
};

// Takes holds, where the runtime has a way to (containerd: leases).
class Holder {
 public:
  virtual ~Holder() = default;
  virtual base::Result<std::unique_ptr<Hold>> Take(std::span<const image::ImageId> ids) = 0;
  // Frees what nobody keeps any more, for example what expired leases of others held; the bytes are
  // back on return. Requires the run lock.
  virtual base::Status Sweep() = 0;
  // Holds that an interrupted run left behind. Requires the run lock.
  virtual base::Result<std::vector<std::unique_ptr<Hold>>> Leftovers() = 0;
};

// One batch of removals, written down before it starts so that a crash can be seen afterwards.
struct Intent {
  std::int64_t run = 0;
  base::TimePoint time = base::kNever;
  std::vector<image::ImageId> ids;
  std::int64_t batch = 0;  // set by Unfinished(): Finish() of it acknowledges the crash
};

// Survives restarts. Every write is complete or absent, also after kill -9.
class History {
 public:
  virtual ~History() = default;
  virtual base::Result<std::vector<image::UsageRecord>> Load() = 0;
  virtual base::Status Save(std::span<const image::UsageRecord> records) = 0;
  virtual base::Result<Facts> LoadFacts() = 0;
  // Adds book.fresh, and forgets what is about none of the IDs in `seen` and every snapshot that is
  // not in book.all.
  virtual base::Status SaveFacts(const FactBook& book, const Inventory& seen) = 0;
  // Returns the number of the batch.
  virtual base::Result<std::int64_t> Begin(const Intent& intent) = 0;
  virtual base::Status Finish(std::int64_t batch, std::span<const RemovalResult> results) = 0;
  // Batches that began and never finished: a crash in the middle of a removal.
  virtual base::Result<std::vector<Intent>> Unfinished() = 0;
  // What the run removed is no longer present: an image that is back before the next observation
  // is dated anew all the same.
  virtual base::Status RecordRun(const image::Report& report, const image::Observation& seen) = 0;
  // By image ID: removals that failed or were refused since it was last removed.
  virtual base::Result<std::map<std::string, image::Setback>> Setbacks() = 0;
  // The latest recorded removal of an image of that ID or name; nullopt if there is none.
  virtual base::Result<std::optional<image::PastRemoval>> FindRemoval(std::string_view image) = 0;
  // Keeps how full a filesystem was, the first time in each minute; one that could not be measured
  // is no sample.
  virtual base::Status SaveSample(const image::Filesystem& filesystem, base::TimePoint time) = 0;
  // Oldest first. A period that ends now leaves out what a clock that was ahead has recorded.
  virtual base::Result<std::vector<image::Sample>> Samples(std::string_view mountpoint,
                                                           const image::Period& period) = 0;
  // Small facts that have to outlive a restart, each under a name of its own.
  virtual base::Status Remember(std::string_view key, std::string_view value) = 0;
  // nullopt: nothing was ever remembered under that name.
  virtual base::Result<std::optional<std::string>> Recall(std::string_view key) = 0;
  // Drops runs and samples that are too old to matter, a bounded part at a time: for calling once
  // an hour. What carries a time later than `now` stays.
  virtual base::Status Forget(base::TimePoint now) = 0;
};

// The one lock that lets a single ebb remove images on a node. Held until the guard goes.
class RunLock {
 public:
  class Guard {
   public:
    virtual ~Guard() = default;
  };
  virtual ~RunLock() = default;
  // kRefused names the holder and the path.
  virtual base::Result<std::unique_ptr<Guard>> Acquire() = 0;
};

// Times outside our own history at which images are known to have been on the node, for example
// the kubelet's pull records. Reading never fails: what cannot be read is no evidence.
class EvidenceSource {
 public:
  virtual ~EvidenceSource() = default;
  virtual std::vector<image::Evidence> Read(const std::vector<image::Image>& images) = 0;
};

class PodSource;         // engine/pods.h
class ImageRecords;      // engine/records.h
class GuardMemory;       // engine/records.h
class PullSource;        // engine/claims.h
class ContainerRemover;  // engine/dead.h
class LogDirectories;    // engine/dead.h

// Everything a use case may touch, wired once. None is null, except where a comment says so.
struct Ports {
  Clock* clock = nullptr;
  Log* log = nullptr;
  Runtime* runtime = nullptr;
  Remover* remover = nullptr;
  Filesystems* filesystems = nullptr;
  History* history = nullptr;  // null: no writable state; nothing is remembered and we say so
  RunLock* lock = nullptr;
  EvidenceSource* evidence = nullptr;      // null: none
  StoreReader* store = nullptr;            // null: bytes are estimated from what CRI reports
  Holder* holder = nullptr;                // null: nothing can be held between the two looks
  std::vector<PodSource*> pods = {};       // none: nobody is asked which pods are wanted
  ImageRecords* records = nullptr;         // null: names cannot be guarded
  GuardMemory* guard = nullptr;            // null: nothing is guarded
  PullSource* pulls = nullptr;             // null: only the store tells of pulls
  ContainerRemover* containers = nullptr;  // null: containers and sandboxes are only reported
  LogDirectories* logs = nullptr;          // null: logs are not looked at
};

}  // namespace ebb::engine
