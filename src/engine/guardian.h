// The guard between two looks at the node: told what happened, it makes names again when they are
// due.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/guard.h"

namespace ebb::engine {

struct GuardTotals {
  std::size_t guarded = 0;     // images
  std::uint64_t restored = 0;  // times an image was brought back
  std::uint64_t failed = 0;    // times that came to nothing
};

class Guardian {
 public:
  // All of it must outlive this.
  Guardian(const GuardPorts& ports, Log& log, image::GuardPolicy policy)
      : ports_(ports), log_(log), policy_(std::move(policy)) {}

  // What was guarded before this start may have been lost since.
  void Begin();
  // The record of that name was deleted.
  void Gone(std::string_view record);
  // Anything may have happened.
  void Doubt();
  // A look at the node: what is guarded is decided anew.
  void Look(const image::Observation& seen);
  // Makes whole what is due.
  void Act();
  // Monotonic; nullopt: nothing is waited for.
  std::optional<base::Duration> NextAt() const;

  const GuardTotals& totals() const { return totals_; }

 private:
  void StandBy();
  void Take(image::GuardSet set);
  void Restore(const image::GuardedImage& guarded);
  void TellTrouble(std::vector<std::string> trouble);
  void Tell(Log::Level level, const std::string& text);

  GuardPorts ports_;
  Log& log_;
  image::GuardPolicy policy_;
  image::GuardSet set_;
  image::GuardWatch watch_;
  std::optional<base::Duration> again_at_;  // everything is looked at once more
  std::map<image::ImageId, base::Duration> gone_at_;
  std::map<image::ImageId, std::string> told_;  // the last failure of each
  std::vector<std::string> trouble_;            // of the last pass
  std::unique_ptr<GuardMemory::Lock> standing_by_;
  GuardTotals totals_;
};

}  // namespace ebb::engine
