// engine::Holder over containerd's leases.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "containerd/connect.h"
#include "engine/ports.h"

namespace ebb::containerd {

// A hold is a lease on what the records of the images stand for, and the lease's labels are those
// records: it survives a crash of anybody. Take() leaves out images of which containerd has no
// record: Hold::images() names those that are held. Restore() brings back every record that is
// missing as it was, with its labels, and waits for up to two seconds per image until the CRI
// plugin has seen it. Release() is kNotFound if somebody deleted the lease: then nothing was held
// any more. A hold of another version of ours is about no image and can only be released.
struct HolderOptions {
  // Whoever shares this name shares the run lock: holds of others may be at work just now, are no
  // leftovers, and end by themselves. Empty: every hold is ours.
  std::string owner;
  // Longer than a batch can take: a lease that ends earlier holds nothing at the second look.
  base::Duration lifetime = std::chrono::minutes(10);
};

std::unique_ptr<engine::Holder> MakeHolder(std::shared_ptr<Connection> connection,
                                           HolderOptions options = {});

}  // namespace ebb::containerd
