// A mutex that clang's -Wthread-safety can follow; std::mutex of libstdc++ has no annotations.
#pragma once

#include <mutex>

#if defined(__clang__)
#define EBB_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define EBB_THREAD_ANNOTATION(x)
#endif
#define EBB_GUARDED_BY(x) EBB_THREAD_ANNOTATION(guarded_by(x))
#define EBB_REQUIRES(x) EBB_THREAD_ANNOTATION(requires_capability(x))

namespace ebb::base {

class EBB_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void lock() EBB_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void unlock() EBB_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class EBB_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) EBB_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() EBB_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace ebb::base
