#include "daemon/guard_thread.h"

#include <algorithm>
#include <utility>

namespace ebb::daemon {
namespace {

constexpr base::Duration kLongestWait = std::chrono::minutes(1);

}  // namespace

GuardThread::GuardThread(const engine::GuardPorts& ports, engine::Log& log,
                         image::GuardPolicy policy)
    : clock_(ports.clock), guardian_(ports, log, std::move(policy)), thread_([this] { Run(); }) {}

GuardThread::~GuardThread() {
  {
    const std::lock_guard lock(mutex_);
    work_.ended = true;
  }
  wake_.notify_all();
  thread_.join();
}

void GuardThread::Heard(const engine::RuntimeEvent& event) {
  if (event.gone.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    work_.gone.push_back(event.gone);
  }
  wake_.notify_all();
}

void GuardThread::Connected() {
  {
    const std::lock_guard lock(mutex_);
    work_.connected = true;
  }
  wake_.notify_all();
}

void GuardThread::Look(std::shared_ptr<const image::Observation> seen) {
  {
    const std::lock_guard lock(mutex_);
    work_.seen = std::move(seen);
  }
  wake_.notify_all();
}

engine::GuardTotals GuardThread::totals() {
  const std::lock_guard lock(mutex_);
  return totals_;
}

GuardThread::Work GuardThread::Wait() {
  const auto next = guardian_.NextAt();
  const base::Duration until = next ? *next - clock_.Elapsed() : kLongestWait;
  std::unique_lock lock(mutex_);
  totals_ = guardian_.totals();
  wake_.wait_for(lock, std::clamp(until, base::Duration{}, kLongestWait), [this] {
    return work_.ended || work_.connected || work_.seen != nullptr || !work_.gone.empty();
  });
  return std::exchange(work_, {.ended = work_.ended});
}

void GuardThread::Run() {
  guardian_.Begin();
  for (Work work = Wait(); !work.ended; work = Wait()) {
    if (work.connected) guardian_.Doubt();
    for (const std::string& record : work.gone) guardian_.Gone(record);
    // What is lost comes before what is to be decided.
    guardian_.Act();
    if (work.seen != nullptr) {
      guardian_.Look(*work.seen);
      guardian_.Act();
    }
  }
}

}  // namespace ebb::daemon
