// Which pod a log belongs to, by the names that the kubelet gives.
#pragma once

#include <string>
#include <string_view>

namespace ebb::image {

struct PodOfLog {
  std::string pod_namespace;
  std::string name;
  std::string uid;  // empty: not a name of the kubelet's
};

// "<namespace>_<pod>_<uid>", or a bare UID as kubelets before 1.14 wrote them. What does not look
// like a UID is somebody's own directory.
PodOfLog ParseLogDirectory(std::string_view name);

struct LinkedLog {
  std::string pod_namespace;
  std::string pod_name;
  std::string container;
  std::string container_id;  // empty: not a name of the kubelet's
};

// "<pod>_<namespace>_<container>-<id>.log".
LinkedLog ParseLogLink(std::string_view name);

}  // namespace ebb::image
