// One lease of ours and what it remembers. For holder.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "containerd/channel.h"
#include "containerd/memory.h"
#include "engine/ports.h"

namespace ebb::containerd {

class LeaseHold final : public engine::Hold {
 public:
  LeaseHold(std::shared_ptr<Connection> connection, std::string lease, held::Held held);

  const std::vector<image::Image>& images() const override { return images_; }
  base::Status Restore(std::span<const image::ImageId> ids) override;
  base::Status Release() override;

 private:
  base::Status RestoreOne(const held::HeldImage& image);
  base::Result<std::vector<images_api::Image>> Missing(const held::HeldImage& image) const;
  base::Status WaitUntilKnown(const std::string& name);

  std::shared_ptr<Connection> connection_;
  std::string lease_;
  held::Held held_;
  std::vector<image::Image> images_;
};

}  // namespace ebb::containerd
