// Ports that die: whoever is asked never answers, and nothing after it happens, as with SIGKILL.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "engine/ports.h"

namespace ebb::engine {

struct Killed {};

// One death for all ports together: before a call, or between the call and its answer.
class Mortality {
 public:
  explicit Mortality(int moments) : left_(moments) {}

  template <class Call>
  std::invoke_result_t<Call> Live(Call call) {
    Pass();
    auto answer = call();
    Pass();
    return answer;
  }

 private:
  void Pass() {
    if (left_-- == 0) throw Killed();
  }
  int left_;
};

class MortalRuntime : public Runtime, public Remover {
 public:
  template <class Real>
  MortalRuntime(Real& real, Mortality& fate) : real_(real), remover_(real), fate_(fate) {}

  base::Result<RuntimeFacts> Identify() override {
    return fate_.Live([&] { return real_.Identify(); });
  }
  base::Result<Inventory> List() override {
    return fate_.Live([&] { return real_.List(); });
  }
  base::Result<std::vector<StoragePath>> Storage() override {
    return fate_.Live([&] { return real_.Storage(); });
  }
  base::Result<image::ImageId> Resolve(std::string_view name) override {
    return fate_.Live([&] { return real_.Resolve(name); });
  }
  base::Result<std::vector<image::LayerChain>> LayersOf(
      std::span<const image::ImageId> ids) override {
    return fate_.Live([&] { return real_.LayersOf(ids); });
  }
  base::Result<std::vector<std::string>> ImagesOfSandboxes(
      std::span<const std::string> ids) override {
    return fate_.Live([&] { return real_.ImagesOfSandboxes(ids); });
  }
  base::Result<std::vector<std::vector<std::string>>> VolumesOf(
      std::span<const std::string> ids) override {
    return fate_.Live([&] { return real_.VolumesOf(ids); });
  }
  std::vector<RemovalResult> Remove(std::span<const Victim> victims) override {
    return fate_.Live([&] { return remover_.Remove(victims); });
  }

 private:
  Runtime& real_;
  Remover& remover_;
  Mortality& fate_;
};

class MortalHistory : public History {
 public:
  MortalHistory(History& real, Mortality& fate) : real_(real), fate_(fate) {}

  base::Result<std::vector<image::UsageRecord>> Load() override {
    return fate_.Live([&] { return real_.Load(); });
  }
  base::Status Save(std::span<const image::UsageRecord> records) override {
    return fate_.Live([&] { return real_.Save(records); });
  }
  base::Result<Facts> LoadFacts() override {
    return fate_.Live([&] { return real_.LoadFacts(); });
  }
  base::Status SaveFacts(const FactBook& book, const Inventory& seen) override {
    return fate_.Live([&] { return real_.SaveFacts(book, seen); });
  }
  base::Result<std::int64_t> Begin(const Intent& intent) override {
    return fate_.Live([&] { return real_.Begin(intent); });
  }
  base::Status Finish(std::int64_t batch, std::span<const RemovalResult> results) override {
    return fate_.Live([&] { return real_.Finish(batch, results); });
  }
  base::Result<std::vector<Intent>> Unfinished() override {
    return fate_.Live([&] { return real_.Unfinished(); });
  }
  base::Status RecordRun(const image::Report& report, const image::Observation& seen) override {
    return fate_.Live([&] { return real_.RecordRun(report, seen); });
  }
  base::Result<std::map<std::string, image::Setback>> Setbacks() override {
    return fate_.Live([&] { return real_.Setbacks(); });
  }
  base::Result<std::optional<image::PastRemoval>> FindRemoval(std::string_view image) override {
    return fate_.Live([&] { return real_.FindRemoval(image); });
  }
  base::Status SaveSample(const image::Filesystem& filesystem, base::TimePoint time) override {
    return fate_.Live([&] { return real_.SaveSample(filesystem, time); });
  }
  base::Result<std::vector<image::Sample>> Samples(std::string_view mountpoint,
                                                   const image::Period& period) override {
    return fate_.Live([&] { return real_.Samples(mountpoint, period); });
  }
  base::Status Remember(std::string_view key, std::string_view value) override {
    return fate_.Live([&] { return real_.Remember(key, value); });
  }
  base::Result<std::optional<std::string>> Recall(std::string_view key) override {
    return fate_.Live([&] { return real_.Recall(key); });
  }
  base::Status Forget(base::TimePoint now) override {
    return fate_.Live([&] { return real_.Forget(now); });
  }

 private:
  History& real_;
  Mortality& fate_;
};

class MortalHold : public Hold {
 public:
  MortalHold(std::unique_ptr<Hold> real, Mortality& fate) : real_(std::move(real)), fate_(fate) {}

  const std::vector<image::Image>& images() const override { return real_->images(); }
  base::Status Restore(std::span<const image::ImageId> ids) override {
    return fate_.Live([&] { return real_->Restore(ids); });
  }
  base::Status Release() override {
    return fate_.Live([&] { return real_->Release(); });
  }

 private:
  std::unique_ptr<Hold> real_;
  Mortality& fate_;
};

class MortalHolder : public Holder {
 public:
  MortalHolder(Holder& real, Mortality& fate) : real_(real), fate_(fate) {}

  base::Result<std::unique_ptr<Hold>> Take(std::span<const image::ImageId> ids) override {
    auto hold = fate_.Live([&] { return real_.Take(ids); });
    if (!hold.ok()) return hold;
    return std::unique_ptr<Hold>(std::make_unique<MortalHold>(std::move(*hold), fate_));
  }
  base::Status Sweep() override {
    return fate_.Live([&] { return real_.Sweep(); });
  }
  base::Result<std::vector<std::unique_ptr<Hold>>> Leftovers() override {
    auto left = fate_.Live([&] { return real_.Leftovers(); });
    if (!left.ok()) return left;
    for (auto& hold : *left) hold = std::make_unique<MortalHold>(std::move(hold), fate_);
    return left;
  }

 private:
  Holder& real_;
  Mortality& fate_;
};

class MortalDisk : public Filesystems {
 public:
  MortalDisk(Filesystems& real, Mortality& fate) : real_(real), fate_(fate) {}
  image::Filesystem Measure(const std::string& path) override {
    return fate_.Live([&] { return real_.Measure(path); });
  }

 private:
  Filesystems& real_;
  Mortality& fate_;
};

// The system lets go of a dead process' lock.
class MortalLock : public RunLock {
 public:
  MortalLock(RunLock& real, Mortality& fate) : real_(real), fate_(fate) {}
  base::Result<std::unique_ptr<Guard>> Acquire() override {
    return fate_.Live([&] { return real_.Acquire(); });
  }

 private:
  RunLock& real_;
  Mortality& fate_;
};

}  // namespace ebb::engine
