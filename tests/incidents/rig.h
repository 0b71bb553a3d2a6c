// A node with something of everything on it, and the program behind a proxy that records its calls.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/program.h"
#include "node/image_sets.h"
#include "node/node_fixture.h"
#include "testing/temp_dir.h"
#include "wire/proxy.h"

namespace ebb::node {

using Arguments = std::vector<std::string>;

inline constexpr const char* kRunning = "localhost/running:1";
inline constexpr const char* kCreated = "localhost/created:1";
inline constexpr const char* kExited = "localhost/exited:1";
inline constexpr const char* kPause = "localhost/pause:1";

class Incident : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    node_ = MakeNode({.volume = {.size = {std::int64_t{600} << 20}}});
    ASSERT_NE(node_, nullptr);
    std::vector<ImageSpec> images = {AppImage(kRunning), AppImage(kCreated), AppImage(kExited)};
    for (int i = 0; i < kIdle; ++i) images.push_back(AppImage(Idle(i), {kIdleBytes}));
    const auto loaded = node_->Load(images);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    StartProxy({});
  }

  void StartProxy(std::function<void(const wire::Call&)> before_forward) {
    proxy_.reset();
    auto proxy = wire::Proxy::Start({.listen = dir_ / "proxy.sock",
                                     .upstream = node_->socket(),
                                     .before_forward = std::move(before_forward)});
    ASSERT_TRUE(proxy.ok()) << proxy.error().message;
    proxy_ = std::move(*proxy);
  }

  // A running, a created and an exited container, each of an image of its own.
  void StartPods() {
    ASSERT_TRUE(node_->pods().RunApp("running", kRunning).ok());
    ASSERT_TRUE(node_->pods().RunToEnd("exited", kExited).ok());
    const auto pod = node_->pods().RunPod("created");
    ASSERT_TRUE(pod.ok()) << pod.error().message;
    const auto created =
        node_->pods().CreateContainer(*pod, {.name = "created", .image = kCreated});
    ASSERT_TRUE(created.ok()) << created.error().message;
    created_ = *created;
  }

  // `ebb COMMAND` through the proxy, whatever the ages, without a blast radius.
  cli::Ran Ebb(Arguments arguments) {
    for (const std::string& word :
         {std::string("--runtime-endpoint"), "unix://" + (dir_ / "proxy.sock").string(),
          std::string("--state-dir"), (dir_ / "state").string(), std::string("--min-age"),
          std::string("0s"), std::string("--max-percent"), std::string("100")}) {
      arguments.push_back(word);
    }
    return cli::Ebb(arguments);
  }

  bool Has(const std::string& name) const {
    const auto images = node_->pods().Images();
    EXPECT_TRUE(images.ok());
    return images.ok() && std::ranges::any_of(*images, [&](const ImageInfo& image) {
             return std::ranges::find(image.tags, name) != image.tags.end();
           });
  }
  std::string IdOf(const std::string& name) const {
    const auto images = node_->pods().Images();
    for (const ImageInfo& image : *images) {
      if (std::ranges::find(image.tags, name) != image.tags.end()) return image.id;
    }
    return "no such image";
  }
  // What calls that take images or pieces of them away were about, in order.
  Arguments AskedToRemove() const {
    Arguments objects;
    for (const wire::Call& call : proxy_->calls()) {
      if (wire::Removes(call.method)) objects.push_back(call.object);
    }
    return objects;
  }
  int IdleLeft() const {
    int left = 0;
    for (int i = 0; i < kIdle; ++i) left += Has(Idle(i)) ? 1 : 0;
    return left;
  }

  static std::string Idle(int i) { return "localhost/idle-" + std::to_string(i) + ":1"; }

  static constexpr int kIdle = 6;
  static constexpr std::int64_t kIdleBytes = 15'000'000;

  testing::TempDir dir_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<wire::Proxy> proxy_;
  std::string created_;
};

}  // namespace ebb::node
