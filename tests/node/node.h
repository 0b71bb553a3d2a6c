// A node: a filesystem, a containerd on it, its images and its pods.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "node/containerd.h"
#include "node/image_maker.h"
#include "node/pods.h"
#include "node/volume.h"

namespace ebb::node {

struct NodeOptions {
  VolumeSpec volume;
  ContainerdOptions containerd;
  // False: the node starts without its sandbox image, and no pod can start.
  bool load_sandbox_image = true;
};

// Several may stand side by side. Inside RunIsolated only, which also ends what pods it leaves.
class Node {
 public:
  static base::Result<std::unique_ptr<Node>> Make(const NodeOptions& options = {});

  // Makes the images, imports them, and returns when CRI lists them all.
  base::Result<std::vector<MadeImage>> Load(std::span<const ImageSpec> specs);
  // A crash and a start: SIGKILL, start, and CRI answers again.
  base::Status KillAndStart();
  // Exactly this full, by the kubelet's formula.
  base::Status FillTo(base::Percent target) { return node::FillTo(directory(), target); }
  base::Result<base::Percent> Used() const { return node::Used(directory()); }

  const std::string& directory() const { return volume_->directory(); }
  const std::string& socket() const { return containerd_->socket(); }
  std::string endpoint() const { return containerd_->endpoint(); }
  Volume& volume() { return *volume_; }
  Containerd& containerd() { return *containerd_; }
  Pods& pods() { return *pods_; }

 private:
  Node() = default;

  // In this order: the filesystem goes last.
  std::unique_ptr<Volume> volume_;
  std::unique_ptr<Containerd> containerd_;
  std::unique_ptr<Pods> pods_;
};

}  // namespace ebb::node
