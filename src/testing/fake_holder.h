// Holds on a FakeNode, with faults on demand.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "testing/fake_node.h"

namespace ebb::testing {

class FakeHolder : public engine::Holder {
 public:
  explicit FakeHolder(FakeNode& node) : node_(node) {}

  // Set: every take, or every restore, answers this.
  std::optional<base::Error> fail_take;
  std::optional<base::Error> fail_restore;
  int sweeps = 0;  // how often Sweep() was called
  int taken = 0;   // how many holds were given

  base::Result<std::unique_ptr<engine::Hold>> Take(std::span<const image::ImageId> ids) override {
    if (fail_take) return *fail_take;
    ++taken;
    return std::make_unique<OneHold>(*this, node_.Hold(ids));
  }
  base::Status Sweep() override {
    ++sweeps;
    return base::Done{};
  }
  base::Result<std::vector<std::unique_ptr<engine::Hold>>> Leftovers() override {
    std::vector<std::unique_ptr<engine::Hold>> left;
    for (const int hold : node_.holds()) left.push_back(std::make_unique<OneHold>(*this, hold));
    return left;
  }

 private:
  class OneHold : public engine::Hold {
   public:
    OneHold(FakeHolder& owner, int number)
        : owner_(owner), number_(number), images_(owner.node_.HeldBy(number)) {}

    const std::vector<image::Image>& images() const override { return images_; }
    base::Status Restore(std::span<const image::ImageId> ids) override {
      if (owner_.fail_restore) return *owner_.fail_restore;
      owner_.node_.RestoreHeld(number_, ids);
      return base::Done{};
    }
    base::Status Release() override {
      owner_.node_.Release(number_);
      return base::Done{};
    }

   private:
    FakeHolder& owner_;
    int number_;
    std::vector<image::Image> images_;
  };

  FakeNode& node_;
};

}  // namespace ebb::testing
