#include "engine/batch.h"

#include <algorithm>
#include <utility>

namespace ebb::engine {
namespace {

using image::Outcome;
using image::Removal;

bool IsGone(const Removal& removal) {
  return removal.outcome == Outcome::kRemoved || removal.outcome == Outcome::kGone;
}

// An image that several runtime handlers have is gone when all of them have removed it.
RemovalResult Worst(std::span<const RemovalResult> results) {
  const auto bad = std::ranges::find_if(
      results, [](const RemovalResult& result) { return result.outcome != Outcome::kRemoved; });
  return bad == results.end() ? results.front() : *bad;
}

}  // namespace

BatchEnd Batches::Remove(std::span<Removal> batch) {
  const auto before = LookBefore();
  if (!before.ok()) return {0, before.error()};
  if (!before->protection.doubts.empty()) {
    return {0, base::Error{base::ErrorCode::kConflict, before->protection.doubts.front()}};
  }
  for (Removal& removal : batch) removal.outcome = Outcome::kNotTried;
  const Going going = StillFree(batch, *before);
  std::unique_ptr<Hold> hold;
  if (!Take(going, hold)) return {};
  std::int64_t intent = -1;
  if (ports_.history != nullptr && !going.empty()) {
    std::vector<image::ImageId> ids;
    ids.reserve(going.size());
    for (const Removal* removal : going) ids.push_back(IdOf(*removal));
    const auto begun = ports_.history->Begin({.time = ports_.clock->Now(), .ids = ids});
    if (begun.ok()) intent = *begun;
    if (!begun.ok()) Warn(begun.error().In("a removal is not in the history").message);
  }
  CallRuntime(going);
  base::Status settled = Settle(going, hold.get());
  if (intent >= 0) {
    std::vector<RemovalResult> results;
    results.reserve(going.size());
    for (const Removal* removal : going) results.push_back({removal->outcome, removal->detail});
    const auto finished = ports_.history->Finish(intent, results);
    if (!finished.ok()) Warn(finished.error().In("a removal is not in the history").message);
  }
  return {batch.size(), std::move(settled)};
}

// Where images in use are safe all the same, the look after one batch is the look before the next,
// unless something took its time between.
base::Result<Look> Batches::LookBefore() {
  constexpr auto kFresh = std::chrono::milliseconds(100);
  if (!blind() && last_look_ && ports_.clock->Elapsed() - looked_at_ < kFresh) {
    return std::move(*std::exchange(last_look_, std::nullopt));
  }
  return looker_.Again();
}

Batches::Going Batches::StillFree(std::span<Removal> batch, const Look& look) const {
  Going free;
  free.reserve(batch.size());
  for (Removal& removal : batch) {
    const auto& shield = look.protection.shields[removal.image];
    if (shield) {
      removal.outcome = Outcome::kCameInUse;
      removal.detail = std::string(Code(shield->reason)) + ": " + shield->detail;
    } else if (!look.listed.contains(IdOf(removal))) {
      removal.outcome = Outcome::kGone;
    } else {
      free.push_back(&removal);
    }
  }
  return free;
}

// False: nothing can be held from now on, and the caller has to come again with a smaller batch.
bool Batches::Take(const Going& going, std::unique_ptr<Hold>& hold) {
  if (holder_ == nullptr || going.empty()) return true;
  std::vector<image::ImageId> ids;
  ids.reserve(going.size());
  for (const Removal* removal : going) ids.push_back(IdOf(*removal));
  auto taken = holder_->Take(ids);
  if (taken.ok()) {
    hold = std::move(*taken);
    return true;
  }
  holder_ = nullptr;
  Warn(taken.error().In("images are removed without being held").message);
  return false;
}

void Batches::CallRuntime(const Going& going) const {
  std::vector<Victim> victims;
  std::vector<std::size_t> calls;  // per removal: how many of the victims are its own
  calls.reserve(going.size());
  for (const Removal* removal : going) {
    const image::Image& image = seen_.images[removal->image];
    for (const std::string& handler : image.handlers) victims.push_back({image.id, handler});
    if (image.handlers.empty()) victims.push_back({image.id});
    calls.push_back(std::max<std::size_t>(1, image.handlers.size()));
  }
  const auto results = ports_.remover->Remove(victims);
  std::size_t at = 0;
  for (std::size_t i = 0; i < going.size(); ++i) {
    const RemovalResult result = Worst(std::span(results).subspan(at, calls[i]));
    going[i]->outcome = result.outcome;
    going[i]->detail = result.detail;
    at += calls[i];
  }
}

// A look that fails leaves the hold as it is: what it keeps can still be brought back by the next
// run, and is freed by itself after that.
base::Status Batches::Settle(const Going& going, Hold* hold) {
  auto after = looker_.Again();
  looked_at_ = ports_.clock->Elapsed();
  if (!after.ok()) return after.error();
  Verify(going, *after);
  last_look_ = std::move(*after);
  if (hold == nullptr) return base::Done{};
  const base::Status back = BringBack(going, *last_look_, *hold);
  if (!back.ok()) return back;
  auto released = hold->Release();
  if (!released.ok()) return released.error().In("what was removed is not freed yet");
  return base::Done{};
}

// What the runtime lists counts, not what its calls answered; and whoever came to use an image
// while it went is told.
void Batches::Verify(const Going& going, const Look& look) const {
  for (Removal* removal : going) {
    const bool listed = look.listed.contains(IdOf(*removal));
    const auto& shield = look.protection.shields[removal->image];
    if (listed && IsGone(*removal)) {
      removal->outcome = Outcome::kFailed;
      removal->detail = "the runtime reported success, but still lists it";
    } else if (!listed && removal->outcome == Outcome::kFailed) {
      removal->outcome = Outcome::kRemoved;
      removal->detail = "gone, although the call failed: " + removal->detail;
    }
    if (!listed && shield && shield->reason != image::Reason::kPinned) {
      removal->outcome = Outcome::kRaced;
      removal->detail =
          "removed, and meanwhile " + shield->detail + " came to use it; it must be pulled again";
    }
  }
}

// Images that came into use get their names back, and so do those whose removal failed half way.
base::Status Batches::BringBack(const Going& going, const Look& look, Hold& hold) {
  std::vector<image::ImageId> ids;
  Going raced;
  for (Removal* removal : going) {
    const bool in_use = removal->outcome == Outcome::kRaced;
    if (in_use) raced.push_back(removal);
    if (in_use || removal->outcome == Outcome::kFailed) ids.push_back(IdOf(*removal));
  }
  if (ids.empty()) return base::Done{};
  const auto restored = hold.Restore(ids);
  if (!restored.ok()) {
    return restored.error().In(
        "an image that came into use could not be brought back; the next "
        "run tries again, until then its bytes are held");
  }
  if (!ListedAgain(ids)) {
    return base::Error{base::ErrorCode::kConflict,
                       "an image that came into use was brought back, but the runtime does not "
                       "list it; its bytes are held, the next run tries again"};
  }
  for (Removal* removal : raced) {
    removal->outcome = Outcome::kRestored;
    removal->detail = look.protection.shields[removal->image]->detail +
                      " came to use it while it was being removed; it was brought back";
  }
  return base::Done{};
}

bool Batches::ListedAgain(std::span<const image::ImageId> ids) const {
  constexpr auto kWait = std::chrono::seconds(5);
  constexpr auto kPoll = std::chrono::milliseconds(10);
  const base::Duration start = ports_.clock->Elapsed();
  while (ports_.clock->Elapsed() - start < kWait) {
    const auto inventory = ports_.runtime->List();
    const auto listed = [&](const image::ImageId& id) {
      return std::ranges::find(inventory->images, id, &image::Image::id) != inventory->images.end();
    };
    if (inventory.ok() && std::ranges::all_of(ids, listed)) return true;
    ports_.clock->SleepFor(kPoll);
  }
  return false;
}

}  // namespace ebb::engine
