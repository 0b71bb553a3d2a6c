// Image records as the guard needs them: the names by which a runtime knows images, and the leases
// that keep what they stand for.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "image/guard.h"
#include "image/guard_work.h"

namespace ebb::engine {

// Changes records and leases of the namespace whose images CRI lists. May be used from several
// threads.
class ImageRecords {
 public:
  virtual ~ImageRecords() = default;
  // Every record there is.
  virtual base::Result<std::vector<image::Record>> List() = 0;
  // kNotFound if there is no such record any more.
  virtual base::Status Label(const image::Relabel& change) = 0;
  // Makes those that are missing, and returns their names. A name that exists is left alone,
  // whatever it stands for.
  virtual base::Result<std::vector<std::string>> BringBack(
      std::span<const image::Record> records) = 0;
  // Whether the blobs of all these digests are there.
  virtual base::Result<bool> HasContent(const std::set<std::string>& digests) = 0;

  enum class Whose { kOurs, kAnybodys };  // of this state directory, or of any ebb
  virtual base::Result<std::vector<image::GuardLease>> Leases(Whose whose) = 0;
  virtual base::Status MakeLease(std::span<const std::string> digests, base::Duration life) = 0;
  // A lease that is gone is as good as dropped.
  virtual base::Status DropLease(const std::string& id) = 0;
};

// What the guard remembers, on disk: it is read by whoever wants to know, and changed by whoever
// holds the lock.
class GuardMemory {
 public:
  class Lock {
   public:
    virtual ~Lock() = default;
  };
  virtual ~GuardMemory() = default;
  // Nothing was remembered yet: an empty set. A file that cannot be understood is an error.
  virtual base::Result<image::GuardSet> Load() = 0;
  // Complete or not at all, also after a power cut.
  virtual base::Status Save(const image::GuardSet& set) = 0;
  // Waits for up to ten seconds for whoever is about to change it.
  virtual base::Result<std::unique_ptr<Lock>> Change() = 0;
  // Stands by to bring back what is lost, for as long as the lock lives. kRefused if another does.
  virtual base::Result<std::unique_ptr<Lock>> StandBy() = 0;
  // Whether anybody does.
  virtual bool SomebodyStandsBy() = 0;
};

}  // namespace ebb::engine
