#include "engine/guardian.h"

#include <algorithm>
#include <utility>

namespace ebb::engine {
namespace {

using image::GuardedImage;
using Found = image::GuardWatch::Found;

// A stream of events tells nothing when it stands: what happens soon after may be missed.
constexpr base::Duration kSettled = std::chrono::seconds(2);

std::string NameOf(const GuardedImage& guarded) {
  return image::DisplayName(image::ToImage(guarded));
}

std::string Milliseconds(base::Duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) +
         " ms";
}

}  // namespace

void Guardian::Begin() {
  StandBy();
  auto set = ports_.memory.Load();
  if (!set.ok()) return Tell(Log::Level::kError, set.error().message);
  Take(std::move(*set));
  Doubt();
}

void Guardian::Take(image::GuardSet set) {
  set_ = std::move(set);
  watch_.Guard(set_);
  totals_.guarded = set_.images.size();
}

void Guardian::Gone(std::string_view record) {
  const base::Duration now = ports_.clock.Elapsed();
  watch_.Gone(record, now);
  for (const GuardedImage& guarded : set_.images) {
    const auto at = std::ranges::find(guarded.records, record, &image::Record::name);
    if (at != guarded.records.end()) gone_at_[guarded.id] = now;
  }
}

void Guardian::Doubt() {
  const base::Duration now = ports_.clock.Elapsed();
  watch_.DoubtAll(now);
  again_at_ = now + kSettled;
}

// Whoever stands by is known to `ebb status`; a second daemon guards all the same.
void Guardian::StandBy() {
  if (standing_by_ != nullptr) return;
  auto lock = ports_.memory.StandBy();
  if (lock.ok()) standing_by_ = std::move(*lock);
}

void Guardian::Look(const image::Observation& seen) {
  StandBy();
  auto pass = KeepGuard(ports_, policy_, seen);
  if (!pass.ok()) return TellTrouble({pass.error().message});
  for (const std::string& line : pass->news) Tell(Log::Level::kInfo, line);
  TellTrouble(std::move(pass->problems));
  Take(std::move(pass->set));
  for (const image::ImageId& id : pass->lost) watch_.Doubt(id, ports_.clock.Elapsed());
}

// The same trouble is told once.
void Guardian::TellTrouble(std::vector<std::string> trouble) {
  for (const std::string& line : trouble) {
    const bool known = std::ranges::find(trouble_, line) != trouble_.end();
    if (!known) Tell(Log::Level::kWarning, line);
  }
  trouble_ = std::move(trouble);
}

void Guardian::Act() {
  const base::Duration now = ports_.clock.Elapsed();
  if (again_at_ && *again_at_ <= now) {
    again_at_.reset();
    watch_.DoubtAll(now);
  }
  for (const image::ImageId& id : watch_.Due(now)) {
    const auto guarded = std::ranges::find(set_.images, id, &GuardedImage::id);
    if (guarded != set_.images.end()) Restore(*guarded);
  }
}

// The same failure is told once.
void Guardian::Restore(const GuardedImage& guarded) {
  const auto gone = gone_at_.find(guarded.id);
  const base::Duration since = gone == gone_at_.end() ? ports_.clock.Elapsed() : gone->second;
  const Restoration restoration = RestoreImage(ports_, guarded);
  const base::Duration now = ports_.clock.Elapsed();
  watch_.Looked(guarded.id, restoration.found, now);
  if (restoration.found == Found::kFailed) {
    ++totals_.failed;
    if (std::exchange(told_[guarded.id], restoration.problem) == restoration.problem) return;
    return Tell(Log::Level::kError,
                NameOf(guarded) + " could not be brought back: " + restoration.problem);
  }
  told_.erase(guarded.id);
  gone_at_.erase(guarded.id);
  if (restoration.found != Found::kRestored) return;
  ++totals_.restored;
  Tell(Log::Level::kWarning,
       NameOf(guarded) + " was removed by somebody and is back after " + Milliseconds(now - since));
}

std::optional<base::Duration> Guardian::NextAt() const {
  std::optional<base::Duration> next = watch_.NextAt();
  if (again_at_) next = std::min(next.value_or(*again_at_), *again_at_);
  return next;
}

void Guardian::Tell(Log::Level level, const std::string& text) {
  log_.Write(level, "guard: " + text);
}

}  // namespace ebb::engine
