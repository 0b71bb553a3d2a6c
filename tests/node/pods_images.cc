#include <algorithm>
#include <thread>

#include "node/pods_stubs.h"

namespace ebb::node {
namespace {

bool Matches(const ImageInfo& image, const std::string& wanted) {
  const auto has = [&wanted](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), wanted) != names.end();
  };
  return image.id == wanted || has(image.tags) || has(image.digests);
}

}  // namespace

base::Result<std::vector<ImageInfo>> Pods::Images() {
  const auto answer =
      Call(stubs_->image.get(), &cri::ImageService::Stub::ListImages, cri::ListImagesRequest());
  if (!answer.ok()) return answer.error();
  std::vector<ImageInfo> images;
  for (const cri::Image& image : answer->images()) {
    images.push_back({image.id(),
                      {image.repo_tags().begin(), image.repo_tags().end()},
                      {image.repo_digests().begin(), image.repo_digests().end()},
                      static_cast<std::int64_t>(image.size())});
  }
  return images;
}

base::Status Pods::PullImage(const std::string& image) {
  cri::PullImageRequest request;
  request.mutable_image()->set_image(image);
  return WithoutValue(Call(stubs_->image.get(), &cri::ImageService::Stub::PullImage, request));
}

base::Status Pods::RemoveImage(const std::string& image) {
  cri::RemoveImageRequest request;
  request.mutable_image()->set_image(image);
  return WithoutValue(Call(stubs_->image.get(), &cri::ImageService::Stub::RemoveImage, request));
}

base::Status Pods::WaitForImage(const std::string& image) {
  constexpr std::chrono::milliseconds kPause(10);
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    const base::Result<std::vector<ImageInfo>> images = Images();
    if (!images.ok()) return images.error();
    for (const ImageInfo& listed : *images) {
      if (Matches(listed, image)) return base::Done{};
    }
    std::this_thread::sleep_for(kPause);
  }
  return base::Error{base::ErrorCode::kNotFound, "image " + image + " does not appear"};
}

}  // namespace ebb::node
