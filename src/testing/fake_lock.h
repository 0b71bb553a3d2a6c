// A run lock within one test.
#pragma once

#include <memory>

#include "engine/ports.h"

namespace ebb::testing {

class FakeLock : public engine::RunLock {
 public:
  base::Result<std::unique_ptr<Guard>> Acquire() override {
    if (held) return base::Error{base::ErrorCode::kRefused, "another test holds the lock"};
    return std::unique_ptr<Guard>(std::make_unique<Held>(held));
  }

  bool held = false;  // set it to play another holder

 private:
  class Held : public Guard {
   public:
    explicit Held(bool& held) : held_(held) { held_ = true; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() override { held_ = false; }

   private:
    bool& held_;
  };
};

}  // namespace ebb::testing
