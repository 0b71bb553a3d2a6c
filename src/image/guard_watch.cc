#include "image/guard_watch.h"

#include <algorithm>

namespace ebb::image {
namespace {

constexpr base::Duration kSilence = std::chrono::milliseconds(100);
constexpr base::Duration kAgain = std::chrono::seconds(5);
constexpr base::Duration kFirstWait = std::chrono::seconds(1);
constexpr base::Duration kLongestWait = std::chrono::minutes(5);
constexpr base::Duration kLongestSandboxWait = std::chrono::seconds(30);
constexpr base::Duration kCalm = std::chrono::minutes(10);

}  // namespace

void GuardWatch::Guard(const GuardSet& set) {
  std::map<ImageId, State> states;
  for (const GuardedImage& guarded : set.images) {
    State& state = states[guarded.id];
    const auto before = states_.find(guarded.id);
    if (before != states_.end()) state = before->second;
    state.sandbox = guarded.reason == GuardReason::kSandbox;
    state.records.clear();
    for (const Record& record : guarded.records) state.records.insert(record.name);
  }
  states_ = std::move(states);
}

void GuardWatch::Gone(std::string_view record, base::Duration now) {
  for (auto& [id, state] : states_) {
    if (!state.records.contains(record)) continue;
    // The ID's record went before: nothing more is to be waited for.
    if (state.look_at && *state.look_at <= now) continue;
    state.look_at = SameId(record, id.value) ? now : now + kSilence;
  }
}

void GuardWatch::Doubt(const ImageId& id, base::Duration now) {
  const auto at = states_.find(id);
  if (at != states_.end()) at->second.look_at = now;
}

void GuardWatch::DoubtAll(base::Duration now) {
  for (auto& [id, state] : states_) state.look_at = now;
}

base::Duration GuardWatch::At(const State& state) {
  return std::max(*state.look_at, state.not_before);
}

std::vector<ImageId> GuardWatch::Due(base::Duration now) {
  std::vector<ImageId> due;
  for (auto& [id, state] : states_) {
    if (!state.look_at || At(state) > now) continue;
    state.look_at.reset();
    due.push_back(id);
  }
  return due;
}

std::optional<base::Duration> GuardWatch::NextAt() const {
  std::optional<base::Duration> next;
  for (const auto& [id, state] : states_) {
    if (!state.look_at) continue;
    next = std::min(next.value_or(At(state)), At(state));
  }
  return next;
}

void GuardWatch::Looked(const ImageId& id, Found found, base::Duration now) {
  const auto at = states_.find(id);
  if (at == states_.end() || found == Found::kWhole) return;
  State& state = at->second;
  if (now - state.restored_at >= kCalm) state.wait = {};
  const base::Duration most = state.sandbox ? kLongestSandboxWait : kLongestWait;
  state.wait = std::clamp<base::Duration>(2 * state.wait, kFirstWait, most);
  if (found == Found::kRestored && state.sandbox) state.wait = kFirstWait;
  state.restored_at = now;
  state.not_before = now + state.wait;
  const base::Duration again = found == Found::kRestored ? now + kAgain : now;
  state.look_at = std::min(state.look_at.value_or(again), again);
}

}  // namespace ebb::image
