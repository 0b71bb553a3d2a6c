// Work done by several threads at a time, taken in order by one.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::kube {

// `work(n, put)` runs for every n below `jobs`, up to `threads` of them at a time, and may put any
// number of parts; `take(n, part)` gets them in the thread of the caller: all of job 0, then all of
// job 1. A job waits while `kAhead` of its parts are not taken, so that what is held stays small
// however much there is.
template <class Part>
class InOrder {
 public:
  using Put = std::function<void(Part)>;

  template <class Work, class Take>
  static void Run(std::size_t jobs, std::size_t threads, const Work& work, const Take& take) {
    InOrder order(jobs);
    std::vector<std::jthread> workers;
    workers.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) {
      workers.emplace_back([&] { order.WorkOff(work); });
    }
    for (std::size_t job = 0; job < jobs; ++job) {
      while (auto part = order.Next(job)) take(job, std::move(*part));
    }
  }

 private:
  static constexpr std::size_t kAhead = 4;

  struct Job {
    std::deque<Part> parts = {};
    bool done = false;
  };

  explicit InOrder(std::size_t jobs) : jobs_(jobs) {}

  template <class Work>
  void WorkOff(const Work& work) {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (next_ == jobs_.size()) return;
      const std::size_t job = next_++;
      lock.unlock();
      work(job, [&](Part part) { Add(job, std::move(part)); });
      lock.lock();
      jobs_[job].done = true;
      changed_.notify_all();
    }
  }

  void Add(std::size_t job, Part part) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_[job].parts.size() < kAhead; });
    jobs_[job].parts.push_back(std::move(part));
    changed_.notify_all();
  }

  std::optional<Part> Next(std::size_t job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_[job].done || !jobs_[job].parts.empty(); });
    if (jobs_[job].parts.empty()) return std::nullopt;
    Part part = std::move(jobs_[job].parts.front());
    jobs_[job].parts.pop_front();
    changed_.notify_all();
    return part;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job> jobs_;
  std::size_t next_ = 0;  // the first that nobody does
};

}  // namespace ebb::kube
