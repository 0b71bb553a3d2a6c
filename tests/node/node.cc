#include "node/node.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"
#include "node/image_sets.h"
#include "node/isolation.h"

namespace ebb::node {
namespace {

// A file without a name: it is gone when it is closed, whatever happens.
base::Result<base::UniqueFd> AnonymousFile() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/ebb-images-XXXXXX";
  base::UniqueFd file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.valid()) {
    return base::Error{base::ErrorCode::kInternal, "make " + path + ": " + std::strerror(errno)};
  }
  ::unlink(path.c_str());
  return file;
}

base::Result<std::string> NewFolder() {
  std::array<char, 24> path{"/run/ebb-node-XXXXXX"};
  if (::mkdtemp(path.data()) != nullptr) return std::string(path.data());
  return base::Error{base::ErrorCode::kInternal,
                     std::string("make a folder in /run: ") + std::strerror(errno)};
}

}  // namespace

base::Result<std::unique_ptr<Node>> Node::Make(const NodeOptions& options) {
  if (const auto reason = WhyNoNode()) {
    return base::Error{base::ErrorCode::kUnsupported, *reason};
  }
  const base::Result<std::string> folder = NewFolder();
  if (!folder.ok()) return folder.error();
  std::unique_ptr<Node> node(new Node);
  auto volume = Volume::Mount(*folder, options.volume);
  if (!volume.ok()) return volume.error();
  node->volume_ = std::move(*volume);
  auto containerd = Containerd::Make(*folder, options.containerd);
  if (!containerd.ok()) return containerd.error();
  node->containerd_ = std::move(*containerd);
  node->pods_ = std::make_unique<Pods>(node->endpoint());
  if (const base::Status ready = node->pods_->WaitReady(); !ready.ok()) return ready.error();
  if (options.load_sandbox_image) {
    const std::array<ImageSpec, 1> pause{PauseImage(options.containerd.sandbox_image)};
    if (const auto loaded = node->Load(pause); !loaded.ok()) return loaded.error();
  }
  return node;
}

base::Result<std::vector<MadeImage>> Node::Load(std::span<const ImageSpec> specs) {
  const base::Result<base::UniqueFd> file = AnonymousFile();
  if (!file.ok()) return file.error();
  base::Result<std::vector<MadeImage>> made = WriteImages(file->get(), specs);
  if (!made.ok()) return made;
  if (const base::Status done = containerd_->Import(file->get()); !done.ok()) return done.error();
  for (const MadeImage& image : *made) {
    for (const std::string& name : image.names) {
      if (const auto listed = pods_->WaitForImage(name); !listed.ok()) return listed.error();
    }
  }
  return made;
}

base::Status Node::KillAndStart() {
  containerd_->Kill();
  if (base::Status started = containerd_->Start(); !started.ok()) return started;
  return pods_->WaitReady();
}

}  // namespace ebb::node
