#include "daemon/pulse.h"

#include <algorithm>
#include <utility>

#include "host/filesystems.h"

namespace ebb::daemon {
namespace {

constexpr base::Duration kBeat = std::chrono::seconds(1);
constexpr int kBeatsPerWatchdog = 3;

}  // namespace

Pulse::Pulse(Board& board, engine::Clock& clock, const host::ServiceManager& manager)
    : board_(board),
      clock_(clock),
      manager_(manager),
      filesystems_(std::make_unique<host::SystemFilesystems>()),
      thread_([this] { Run(); }) {}

Pulse::~Pulse() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Pulse::Watch(std::vector<image::Filesystem> places, const image::MarkSettings& marks) {
  {
    const std::lock_guard lock(mutex_);
    places_ = std::move(places);
    marks_ = marks;
  }
  wake_.notify_all();
}

void Pulse::ForgetRates() {
  const std::lock_guard lock(mutex_);
  for (auto& [mountpoint, rate] : rates_) rate.Forget();
  for (image::Filesystem& place : places_) place.bytes_per_second.reset();
}

void Pulse::Run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    lock.unlock();
    Beat();
    lock.lock();
    if (!ended_) wake_.wait_for(lock, kBeat);
  }
}

void Pulse::Beat() {
  std::vector<image::Filesystem> places;
  {
    const std::lock_guard lock(mutex_);
    places = places_;
  }
  places = Measure(std::move(places));
  std::map<std::string, report::Outlook> outlooks;
  for (const image::Filesystem& fs : places) outlooks[fs.mountpoint] = LookAhead(fs);
  base::Duration alive_until{};
  board_.Update([&](Shown& shown) {
    shown.disk = std::move(places);
    shown.outlooks = std::move(outlooks);
    alive_until = shown.alive_until;
  });
  const base::Duration now = clock_.Elapsed();
  if (!manager_.watchdog() || now > alive_until) return;
  if (now - told_alive_ < *manager_.watchdog() / kBeatsPerWatchdog) return;
  manager_.Alive();
  told_alive_ = now;
}

std::vector<image::Filesystem> Pulse::Measure(std::vector<image::Filesystem> places) {
  for (image::Filesystem& place : places) {
    image::Filesystem now = filesystems_->Measure(place.mountpoint);
    now.holds_images = place.holds_images;
    now.holds_containers = place.holds_containers;
    now.holds_node = place.holds_node;
    now.bytes_per_second = place.bytes_per_second;
    place = std::move(now);
  }
  return places;
}

report::Outlook Pulse::LookAhead(const image::Filesystem& fs) {
  report::Outlook outlook;
  if (!fs.measured()) return outlook;
  const std::lock_guard lock(mutex_);
  image::FillRate& rate = rates_[fs.mountpoint];
  rate.Add(clock_.Elapsed(), fs.used());
  // Before two minutes have been seen: as it was recorded before we started.
  auto speed = rate.BytesPerSecond();
  if (!speed) speed = fs.bytes_per_second;
  outlook.until_full = image::TimeToFill(fs.available, speed);
  if (!fs.holds_images) return outlook;
  outlook.marks = image::ResolveMarks(marks_, fs.capacity);
  outlook.until_high =
      image::TimeToFill(fs.available - base::AvailableAt(fs.capacity, outlook.marks->high), speed);
  return outlook;
}

}  // namespace ebb::daemon
