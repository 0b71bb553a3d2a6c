// One batch of removals, from the look before it to the look after it (P3).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/look.h"
#include "engine/ports.h"
#include "image/report.h"

namespace ebb::engine {

struct BatchEnd {
  std::size_t done = 0;                // removals from the front that have their outcome; 0: none
  base::Status status = base::Done{};  // an error ends the run
};

// Carries out batch after batch of one run. Requires the run lock and all arguments to outlive it.
class Batches {
 public:
  Batches(const Ports& ports, const image::Observation& seen, const ObserveOptions& observed)
      : ports_(ports), seen_(seen), holder_(ports.holder), looker_(ports, seen, observed) {}

  // True if nothing keeps an image between the check and its removal: the runtime does not refuse,
  // and what is removed is not held.
  bool blind() const { return holder_ == nullptr && !seen_.runtime.traits.refuses_images_in_use; }

  // Tries to hold again, where that had to be given up: there may be room for it by now.
  void HoldAgain() { holder_ = ports_.holder; }

  // Look, hold, remove, look again, bring back what came into use, free the rest. Whatever
  // happens, what was done is in the outcomes. Where nothing can be held any more (a disk too full
  // to write a lease) that is said, blind() from then on, and nothing was done yet.
  BatchEnd Remove(std::span<image::Removal> batch);

 private:
  using Going = std::vector<image::Removal*>;

  base::Result<Look> LookBefore();
  Going StillFree(std::span<image::Removal> batch, const Look& look) const;
  base::Result<std::unique_ptr<Hold>> Take(Going& going);
  std::optional<std::int64_t> WriteDown(const Going& going) const;
  void CallRuntime(const Going& going) const;
  base::Status Settle(const Going& going, Hold* hold);
  void Verify(const Going& going, const Look& look) const;
  base::Status BringBack(const Going& going, const Look& look, Hold& hold);
  void Finish(std::int64_t intent, const Going& going) const;
  std::vector<image::ImageId> IdsOf(const Going& going) const;
  bool ListedAgain(std::span<const image::ImageId> ids) const;
  const image::ImageId& IdOf(const image::Removal& removal) const {
    return seen_.images[removal.image].id;
  }
  void Warn(const std::string& message) const { ports_.log->Write(Log::Level::kWarning, message); }

  const Ports& ports_;
  const image::Observation& seen_;
  Holder* holder_;
  Looker looker_;
  std::optional<Look> last_look_;
  base::Duration looked_at_{};
};

}  // namespace ebb::engine
