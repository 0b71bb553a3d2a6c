// Pods, containers and images of a node, through the calls that a kubelet makes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace ebb::node {

struct Pod {
  std::string name;
  std::string id;
};

// Either a folder of the host or, where the runtime can, an image.
struct MountSpec {
  std::string container_path;
  std::string host_path;
  std::string image;
};

struct ContainerSpec {
  std::string name;
  std::string image;
  std::vector<std::string> command;  // empty: the image's own
  std::vector<MountSpec> mounts;
  std::map<std::string, std::string> labels;
};

enum class ContainerState { kCreated, kRunning, kExited, kUnknown };

struct ImageInfo {
  std::string id;
  std::vector<std::string> tags;
  std::vector<std::string> digests;
  std::int64_t size = 0;  // bytes, as the runtime reports them
};

// A client of one runtime. Every call ends within a minute; a runtime that is gone is
// kUnavailable, a thing that is gone is kNotFound, every other refusal is kInternal.
class Pods {
 public:
  explicit Pods(const std::string& endpoint);
  ~Pods();
  Pods(const Pods&) = delete;
  Pods& operator=(const Pods&) = delete;

  // Returns when the runtime answers CRI calls, which is a little after its socket is there.
  base::Status WaitReady();

  // A pod on the host's network, which needs no network plugin, in namespace "default".
  base::Result<Pod> RunPod(const std::string& name);
  base::Status StopPod(const std::string& pod_id);
  base::Status RemovePod(const std::string& pod_id);
  // All pods in the state "ready".
  base::Result<std::vector<Pod>> ReadyPods();

  base::Result<std::string> CreateContainer(const Pod& pod, const ContainerSpec& spec);
  base::Status StartContainer(const std::string& id);
  // SIGTERM, and SIGKILL a second later.
  base::Status StopContainer(const std::string& id);
  base::Status RemoveContainer(const std::string& id);
  base::Result<ContainerState> StateOf(const std::string& id);

  // A pod with one running container, both of that name; returns the container's id.
  base::Result<std::string> RunApp(const std::string& name, const std::string& image);
  // The same, but the container has ended by itself with success when this returns.
  base::Result<std::string> RunToEnd(const std::string& name, const std::string& image);

  base::Result<std::vector<ImageInfo>> Images();
  // Asks a registry, as a pod start would for an image that is not there.
  base::Status PullImage(const std::string& image);
  // Removes every name of the image; an absent one is success.
  base::Status RemoveImage(const std::string& image);
  // Returns when an image of this id or name is listed; kNotFound after ten seconds.
  base::Status WaitForImage(const std::string& image);

 private:
  struct Stubs;
  std::unique_ptr<Stubs> stubs_;
};

}  // namespace ebb::node
