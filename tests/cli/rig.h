// A stand-in runtime on a real socket, and the program that works on it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"
#include "testing/fake_node.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"
#include "wire/cri_server.h"

namespace ebb::cli {

using Words = std::vector<std::string>;

// A runtime with three unused images, one used and the sandbox image, on a real socket; its image
// store is a directory of this machine, so its disk is real too.
class Cli : public ::testing::Test {
 protected:
  explicit Cli(testing::Profile profile = testing::Containerd17())
      : node_(WithStore(std::move(profile), dir_.path()), clock_) {
    clock_.Set(std::chrono::system_clock::now());
    for (const char* name : {"idle-a", "idle-b", "idle-c", "used"}) {
      ids_.push_back(node_.AddImage("registry.example/" + std::string(name) + ":1", {100}));
    }
    pause_ = node_.AddImage("registry.k8s.io/pause:3.9", {10});
    node_.SetSandboxImage("registry.k8s.io/pause:3.9");
    node_.AddContainer("registry.example/used:1", image::ContainerState::kExited);
    auto server = wire::CriServer::Start(node_, {.path = dir_ / "cri.sock"});
    EXPECT_TRUE(server.ok());
    if (server.ok()) server_ = std::move(*server);
  }

  static testing::Profile WithStore(testing::Profile profile, const std::string& path) {
    profile.images_path = path;
    profile.containers_path = path;
    return profile;
  }

  // `ebb COMMAND --runtime-endpoint … --state-dir … MORE`.
  Words Line(const Words& command, const Words& more = {}) const {
    Words line = command;
    for (const std::string& word : {std::string("--runtime-endpoint"), server_->endpoint(),
                                    std::string("--state-dir"), (dir_ / "state").string()}) {
      line.push_back(word);
    }
    line.insert(line.end(), more.begin(), more.end());
    return line;
  }
  Ran Run(const Words& command, const Words& more = {}) { return Ebb(Line(command, more)); }
  // Every image that nothing protects, whatever its age.
  Words CollectLine(const Words& more = {}) const {
    Words words = {"--all-unused", "--yes", "--min-age", "0s", "--max-percent", "100"};
    words.insert(words.end(), more.begin(), more.end());
    return Line({"collect"}, words);
  }
  Ran CollectAll(const Words& more = {}) { return Ebb(CollectLine(more)); }
  std::size_t IdleLeft() const {
    return static_cast<std::size_t>(std::count_if(ids_.begin(), ids_.begin() + 3,
                                                  [&](const auto& id) { return node_.Has(id); }));
  }

  testing::TempDir dir_;
  testing::ManualClock clock_;
  testing::FakeNode node_;
  std::vector<image::ImageId> ids_;
  image::ImageId pause_;
  std::unique_ptr<wire::CriServer> server_;
};

inline Words Lines(const std::string& text) {
  Words lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace ebb::cli
