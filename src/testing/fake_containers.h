// Containers, sandboxes and logs of a FakeNode as what removes them sees them, with faults on
// demand.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/dead.h"
#include "testing/fake_node.h"

namespace ebb::testing {

class FakeContainers : public engine::ContainerRemover {
 public:
  explicit FakeContainers(FakeNode& node) : node_(node) {}

  // By ID: what removing it answers.
  std::map<std::string, base::Error> failures;
  // Run before a container or sandbox is looked at, with its ID.
  std::function<void(const std::string&)> before;
  // Every ID that was to be removed, in order.
  std::vector<std::string> asked;
  // What was running when it was removed.
  std::vector<std::string> killed;

  base::Result<engine::ContainerNow> Look(const std::string& id) override {
    if (before) before(id);
    const auto state = node_.StateOf(id);
    if (!state) return base::Error{base::ErrorCode::kNotFound, "no container " + id};
    return engine::ContainerNow{*state, "/logs/" + id};
  }
  base::Status RemoveContainer(const std::string& id) override {
    if (auto entered = Enter(id); !entered.ok()) return entered;
    node_.RemoveContainer(id);
    return base::Done{};
  }
  base::Status RemoveSandbox(const std::string& id) override {
    if (before) before(id);
    if (auto entered = Enter(id); !entered.ok()) return entered;
    node_.RemoveSandbox(id);
    return base::Done{};
  }

 private:
  base::Status Enter(const std::string& id) {
    asked.push_back(id);
    const auto failure = failures.find(id);
    if (failure != failures.end()) return failure->second;
    const auto state = node_.StateOf(id);
    const bool harmless =
        state == image::ContainerState::kExited || state == image::ContainerState::kCreated;
    if (!harmless) killed.push_back(id);
    return base::Done{};
  }

  FakeNode& node_;
};

class FakeLogs : public engine::LogDirectories {
 public:
  std::vector<image::LogEntry> entries;
  std::vector<std::string> removed_files;
  base::Status problem = base::Done{};  // of every call, unless it is fine

  std::string Path() const override { return "/logs"; }
  base::Result<std::vector<image::LogEntry>> List() override {
    if (!problem.ok()) return problem.error();
    return entries;
  }
  base::Status Remove(const image::LogEntry& entry) override {
    if (!problem.ok()) return problem;
    const auto gone = std::erase_if(entries, [&](const auto& e) { return e.name == entry.name; });
    if (gone == 0) return base::Error{base::ErrorCode::kNotFound, "no log " + entry.name};
    return base::Done{};
  }
  base::Status RemoveFiles(const std::string& log_path) override {
    if (!problem.ok()) return problem;
    removed_files.push_back(log_path);
    return base::Done{};
  }
};

}  // namespace ebb::testing
