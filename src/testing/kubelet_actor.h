// Does to a node's images what the kubelet (v1.36) does, its mistakes included.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/percent.h"
#include "engine/ports.h"

namespace ebb::testing {

struct KubeletOptions {
  base::Percent high{85};      // imageGCHighThresholdPercent
  base::Percent low{80};       // imageGCLowThresholdPercent
  base::Percent evict_at{86};  // used; imagefs.available<15% is met from here on
  base::Duration min_age = std::chrono::minutes(2);
  bool honours_pins = true;  // not before 1.25 to 1.28, see kubernetes#119986
};

// Remembers first seen and last used from its own start on, counts reported sizes, one removal at
// a time, by ID.
class KubeletActor {
 public:
  KubeletActor(engine::Runtime& runtime, engine::Remover& remover, engine::Filesystems& filesystems,
               engine::Clock& clock, KubeletOptions options = {})
      : runtime_(runtime),
        remover_(remover),
        filesystems_(filesystems),
        clock_(clock),
        options_(options) {}

  // The body of its loop of five minutes: from the high mark down to the low one.
  base::Status CollectImages();
  // The body of the eviction manager's loop of ten seconds: everything unused goes.
  base::Status RelievePressure();

  // IDs it removed, in order.
  const std::vector<std::string>& removed() const { return removed_; }

 private:
  struct Record {
    base::TimePoint first_detected = base::kNever;
    base::TimePoint last_used = base::kNever;
    base::Bytes size;
    bool pinned = false;
    bool in_use = false;
  };

  base::Status Detect();
  base::Result<image::Filesystem> ImageFilesystem();
  void FreeSpace(base::Bytes wanted);

  engine::Runtime& runtime_;
  engine::Remover& remover_;
  engine::Filesystems& filesystems_;
  engine::Clock& clock_;
  const KubeletOptions options_;
  std::map<std::string, Record> records_;
  std::vector<std::string> removed_;
};

}  // namespace ebb::testing
