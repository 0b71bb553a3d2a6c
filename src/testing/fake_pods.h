// Who knows pods and pulls, in memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/claims.h"
#include "engine/pods.h"

namespace ebb::testing {

// Answers whatever it is told to, and counts the questions.
class FakePods : public engine::PodSource {
 public:
  explicit FakePods(std::string name = "a test") : name_(std::move(name)) {}

  std::string Name() const override { return name_; }
  base::Result<std::vector<image::Pod>> Read() override {
    ++asked;
    return answer;
  }
  void BeSilent() { answer = base::Error{base::ErrorCode::kUnavailable, "connection refused"}; }
  // A pod that is bound to the node and uses `image`, whether it has started or not.
  void Bind(std::string image, std::string name = "web") {
    answer->push_back({.uid = "uid-" + name,
                       .config_hash = {},
                       .pod_namespace = "default",
                       .name = std::move(name),
                       .images = {std::move(image)}});
  }

  base::Result<std::vector<image::Pod>> answer = std::vector<image::Pod>{};
  int asked = 0;

 private:
  std::string name_;
};

class FakePulls : public engine::PullSource {
 public:
  base::Result<std::vector<image::Claim>> Read() override { return answer; }
  void Pull(std::string image) { answer->push_back({std::move(image), "the kubelet"}); }

  base::Result<std::vector<image::Claim>> answer = std::vector<image::Claim>{};
};

}  // namespace ebb::testing
