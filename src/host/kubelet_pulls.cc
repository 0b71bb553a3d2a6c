#include "host/kubelet_pulls.h"

#include <utility>

#include "host/pull_files.h"

namespace ebb::host {

base::Result<std::vector<image::Claim>> KubeletPulls::Read() {
  std::vector<image::Claim> pulls;
  const auto read = ForEachPullFile(directory_, [&](const std::string& content) {
    std::string image = TextMember(content, "image");
    if (!image.empty()) pulls.push_back({std::move(image), "the kubelet pulls it"});
  });
  if (!read.ok()) return read.error();
  return pulls;
}

}  // namespace ebb::host
