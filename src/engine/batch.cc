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
  for (Removal& removal : batch) {
    removal.outcome = Outcome::kNotTried;
    removal.no_room = false;
  }
  Going going = StillFree(batch, *before);
  const auto hold = Take(going);
  if (!hold.ok()) {
    const bool smaller = hold.error().code == base::ErrorCode::kHeld;
    return {0, smaller ? base::Status(base::Done{}) : base::Status(hold.error())};
  }
  const auto intent = WriteDown(going);
  CallRuntime(going);
  base::Status settled = Settle(going, hold->get());
  if (intent) Finish(*intent, going);
  return {batch.size(), std::move(settled)};
}

// A history that cannot be written stops no removal: the disk may be full, that is why we are here.
std::optional<std::int64_t> Batches::WriteDown(const Going& going) const {
  if (ports_.history == nullptr || going.empty()) return std::nullopt;
  const auto begun = ports_.history->Begin({.time = ports_.clock->Now(), .ids = IdsOf(going)});
  if (begun.ok()) return *begun;
  Warn(begun.error().In("a removal is not in the history").message);
  return std::nullopt;
}

void Batches::Finish(std::int64_t intent, const Going& going) const {
  std::vector<RemovalResult> results;
  results.reserve(going.size());
  for (const Removal* removal : going) results.push_back({removal->outcome, removal->detail});
  const auto finished = ports_.history->Finish(intent, results);
  if (!finished.ok()) Warn(finished.error().In("a removal is not in the history").message);
}

std::vector<image::ImageId> Batches::IdsOf(const Going& going) const {
  std::vector<image::ImageId> ids;
  ids.reserve(going.size());
  for (const Removal* removal : going) ids.push_back(IdOf(*removal));
  return ids;
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

// Null where nothing can be held. kHeld: nothing can from now on, and the caller has to come again
// with a smaller batch. What the holder does not know of leaves the batch: it would go without
// being held.
base::Result<std::unique_ptr<Hold>> Batches::Take(Going& going) {
  if (holder_ == nullptr || going.empty()) return std::unique_ptr<Hold>();
  auto taken = holder_->Take(IdsOf(going));
  if (!taken.ok()) {
    if (taken.error().code == base::ErrorCode::kUnavailable) return taken.error();
    holder_ = nullptr;
    Warn(taken.error().In("images are removed without being held").message);
    return base::Error{base::ErrorCode::kHeld, ""};
  }
  std::erase_if(going, [&](Removal* removal) {
    const auto& held = (*taken)->images();
    if (std::ranges::find(held, IdOf(*removal), &image::Image::id) != held.end()) return false;
    removal->outcome = Outcome::kFailed;
    removal->detail = "it could not be held: the runtime has no record of it";
    return true;
  });
  return taken;
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
    going[i]->no_room = result.no_room;
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
  const std::vector<std::string> doubts = after->protection.doubts;
  last_look_ = std::move(*after);
  if (hold != nullptr) {
    base::Status back = BringBack(going, *last_look_, *hold);
    if (!back.ok()) return back;
    auto released = hold->Release();
    if (!released.ok() && released.error().code != base::ErrorCode::kNotFound) {
      return released.error().In("what was removed is not freed yet");
    }
  }
  if (!doubts.empty()) return base::Error{base::ErrorCode::kConflict, doubts.front()};
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

// Images that came into use get their names back, and so do those whose removal failed half way. A
// look in doubt (somebody may use any of them) brings back them all.
base::Status Batches::BringBack(const Going& going, const Look& look, Hold& hold) {
  const bool doubt = !look.protection.doubts.empty();
  std::vector<image::ImageId> ids;
  Going raced;
  for (Removal* removal : going) {
    const bool back = removal->outcome == Outcome::kRaced || (doubt && IsGone(*removal));
    if (back) raced.push_back(removal);
    if (back || removal->outcome == Outcome::kFailed) ids.push_back(IdOf(*removal));
  }
  if (ids.empty()) return base::Done{};
  const auto restored = hold.Restore(ids);
  if (!restored.ok()) {
    return restored.error().In(
        "an image that came into use could not be brought back; while its lease lasts the next run "
        "tries again");
  }
  if (!ListedAgain(ids)) {
    return base::Error{base::ErrorCode::kInternal,
                       "an image that came into use was brought back, but the runtime does not "
                       "list it yet"};
  }
  for (Removal* removal : raced) {
    removal->outcome = Outcome::kRestored;
    const auto& shield = look.protection.shields[removal->image];
    removal->detail =
        shield ? shield->detail + " came to use it while it was being removed; it was brought back"
               : "brought back: " + look.protection.doubts.front();
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
