// The guard in a thread of its own: what was lost is brought back at once, whatever the loop is
// busy with.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/events.h"
#include "engine/guardian.h"

namespace ebb::daemon {

class GuardThread {
 public:
  // All of it must outlive this.
  GuardThread(const engine::GuardPorts& ports, engine::Log& log, image::GuardPolicy policy);
  // Ends the thread; waits for a restoration under way, which takes seconds at most.
  ~GuardThread();
  GuardThread(const GuardThread&) = delete;
  GuardThread& operator=(const GuardThread&) = delete;

  void Heard(const engine::RuntimeEvent& event);
  // A new stream of events: anything may have happened before it.
  void Connected();
  // A look at the node; only the latest counts.
  void Look(std::shared_ptr<const image::Observation> seen);
  engine::GuardTotals totals();

 private:
  struct Work {
    bool ended = false;
    bool connected = false;
    std::vector<std::string> gone;
    std::shared_ptr<const image::Observation> seen;
  };
  void Run();
  Work Wait();

  engine::Clock& clock_;
  engine::Guardian guardian_;  // the thread's alone
  std::mutex mutex_;
  std::condition_variable wake_;
  Work work_;
  engine::GuardTotals totals_;
  std::thread thread_;
};

}  // namespace ebb::daemon
