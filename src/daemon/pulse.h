// Measures the disk every second, whatever the loop is busy with, and keeps the watchdog quiet for
// as long as the loop is alive.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "daemon/board.h"
#include "engine/ports.h"
#include "host/notify.h"
#include "image/fill_rate.h"

namespace ebb::daemon {

class Pulse {
 public:
  // All three must outlive this.
  Pulse(Board& board, engine::Clock& clock, const host::ServiceManager& manager);
  // Ends the thread; waits for a measurement under way, which takes at most two seconds.
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // What is measured from now on; flags and mountpoints are taken over. Measures at once.
  void Watch(std::vector<image::Filesystem> places, const image::MarkSettings& marks);
  // Something was removed: how the disk filled before says nothing any more.
  void ForgetRates();

 private:
  void Run();
  void Beat();
  std::vector<image::Filesystem> Measure(std::vector<image::Filesystem> places);
  report::Outlook LookAhead(const image::Filesystem& fs);

  Board& board_;
  engine::Clock& clock_;
  const host::ServiceManager& manager_;
  std::unique_ptr<engine::Filesystems> filesystems_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::vector<image::Filesystem> places_;
  image::MarkSettings marks_;
  std::map<std::string, image::FillRate> rates_;  // by mountpoint
  base::Duration told_alive_{};
  std::thread thread_;
};

}  // namespace ebb::daemon
