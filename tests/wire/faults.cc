#include "wire/faults.h"

#include <thread>

namespace ebb::wire {

void Faults::Set(std::string_view method, const Fault& fault) {
  const base::MutexLock lock(mutex_);
  faults_.insert_or_assign(std::string(method), fault);
}

void Faults::Clear() {
  const base::MutexLock lock(mutex_);
  faults_.clear();
}

std::optional<Fault> Faults::Take(std::string_view method) {
  const base::MutexLock lock(mutex_);
  auto found = faults_.find(method);
  if (found == faults_.end()) found = faults_.find(method.substr(method.rfind('/') + 1));
  if (found == faults_.end()) return std::nullopt;
  Fault fault = found->second;
  if (fault.times == 1) {
    faults_.erase(found);
  } else if (fault.times > 1) {
    --found->second.times;
  }
  return fault;
}

void Faults::Wait(std::chrono::milliseconds time, const std::function<bool()>& given_up) const {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end && !released_ && !given_up()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void Faults::WaitForever(const std::function<bool()>& given_up) const {
  Wait(std::chrono::hours(24), given_up);
}

}  // namespace ebb::wire
