// Containers and sandboxes: who uses images.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "image/image.h"

namespace ebb::image {

enum class ContainerState { kCreated, kRunning, kExited, kUnknown };

struct Container {
  std::string id;
  std::string name;
  std::string pod_namespace;
  std::string pod_name;
  std::string pod_uid;  // empty: not told. A static pod's is the hash of its manifest
  std::string sandbox_id;
  ContainerState state = ContainerState::kUnknown;
  base::TimePoint created_at = base::kNever;
  // Three ways a runtime may say which image it is; any of them may be empty or of another form.
  std::string image_id;                    // CRI 1.30 and later
  std::string image_ref;                   // an ID, or repo@digest on CRI-O
  std::string image_name;                  // what the client asked with
  std::vector<std::string> volume_images;  // images mounted as volumes
};

struct Sandbox {
  std::string id;
  std::string pod_namespace;
  std::string pod_name;
  std::string pod_uid;  // as of Container
  bool ready = false;
  base::TimePoint created_at = base::kNever;
};

// What the kubelet keeps of a container's output, by its name in /var/log.
struct LogEntry {
  enum class Kind {
    kPodDirectory,  // /var/log/pods/<namespace>_<pod>_<uid>
    kDanglingLink,  // /var/log/containers/<pod>_<namespace>_<container>-<id>.log, to a log that is
                    // gone
  };
  Kind kind = Kind::kPodDirectory;
  std::string name;
  base::TimePoint changed = base::kNever;  // of the entry itself, not of what lies in it
};

// SandboxImage::source where the runtime itself says which image its next sandbox will use.
inline constexpr std::string_view kFromRuntime = "runtime configuration";

// A name under which the runtime looks for its sandbox (pause) image, and what it means here.
struct SandboxImage {
  std::string name;
  std::string source;  // "runtime configuration", "sandbox <id>", "configuration"
  ImageId id;          // empty: no such image on this node
};

}  // namespace ebb::image
