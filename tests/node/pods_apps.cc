// Pods with one container each.
#include <chrono>
#include <thread>

#include "node/pods.h"

namespace ebb::node {
namespace {

base::Result<std::string> Started(Pods& pods, const std::string& name, const ContainerSpec& spec) {
  const base::Result<Pod> pod = pods.RunPod(name);
  if (!pod.ok()) return pod.error();
  base::Result<std::string> container = pods.CreateContainer(*pod, spec);
  if (!container.ok()) return container;
  if (const base::Status started = pods.StartContainer(*container); !started.ok()) {
    return started.error().In("container " + name);
  }
  return container;
}

}  // namespace

base::Result<std::string> Pods::RunApp(const std::string& name, const std::string& image) {
  return Started(*this, name, {.name = name, .image = image});
}

base::Result<std::string> Pods::RunToEnd(const std::string& name, const std::string& image) {
  constexpr std::chrono::milliseconds kPause(10);
  constexpr int kTries = 1000;
  base::Result<std::string> container =
      Started(*this, name, {.name = name, .image = image, .command = {"/bin/true"}});
  for (int i = 0; container.ok() && i < kTries; ++i) {
    const base::Result<ContainerState> state = StateOf(*container);
    if (!state.ok()) return state.error();
    if (*state == ContainerState::kExited) return container;
    std::this_thread::sleep_for(kPause);
  }
  if (!container.ok()) return container;
  return base::Error{base::ErrorCode::kInternal, "container " + name + " does not end"};
}

}  // namespace ebb::node
