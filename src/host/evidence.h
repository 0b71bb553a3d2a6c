// When images were pulled, as the kubelet wrote it down.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/ports.h"

namespace ebb::host {

struct PullRecord {
  std::string image;  // an ID, or a reference
  base::TimePoint updated = base::kNever;
};

// One file of <kubelet root>/image_manager/pulled (ImagePulledRecord, KEP-2535). nullopt: not one,
// or without a time or an image.
std::optional<PullRecord> ParsePullRecord(const std::string& json);

// The kubelet writes such a file after each pull and updates it when credentials change: the image
// was here then. It keeps files of images long gone, so a file is no proof that an image is here.
class KubeletPullRecords : public engine::EvidenceSource {
 public:
  explicit KubeletPullRecords(std::string kubelet_root = "/var/lib/kubelet")
      : directory_(std::move(kubelet_root) + "/image_manager/pulled") {}

  // Reads at most 4096 files, and none through a symlink.
  std::vector<image::Evidence> Read(const std::vector<image::Image>& images) override;

 private:
  std::string directory_;
};

}  // namespace ebb::host
