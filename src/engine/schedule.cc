#include "engine/schedule.h"

#include <algorithm>

namespace ebb::engine {

void Schedule::Changed(base::Duration now) {
  const base::Duration soon = std::max(now + pace_.settle, looked_at_ + pace_.shortest);
  if (failures_ == 0) look_at_ = std::min(look_at_, soon);
  if (retry_ == base::Duration{}) return;
  retry_ = {};
  act_at_ = std::min(act_at_, now + pace_.settle);
}

void Schedule::Press(bool pressing) {
  if (pressing_ && !pressing) {
    retry_ = {};
    act_at_ = {};
  }
  pressing_ = pressing;
}

void Schedule::Looked(base::Duration now, base::Duration took,
                      std::optional<base::Duration> until_mark) {
  constexpr int kLooksUntilMark = 4;
  failures_ = 0;
  asked_ = false;
  looked_at_ = now;
  const base::Duration wanted =
      until_mark ? std::min(*until_mark / kLooksUntilMark, pace_.longest) : pace_.longest;
  look_at_ = now + std::max({wanted, pace_.shortest, took * pace_.share});
}

void Schedule::Failed(base::Duration now) {
  constexpr int kMostDoublings = 10;
  const auto wait = pace_.reconnect * (1 << std::min(failures_, kMostDoublings));
  ++failures_;
  asked_ = false;
  look_at_ = now + std::min(wait, pace_.reconnect_at_most);
  act_at_ = look_at_;
}

void Schedule::Ran(base::Duration now, bool freed) {
  if (freed) {
    retry_ = {};
    act_at_ = now + pace_.go_on;
    return;
  }
  retry_ = retry_ == base::Duration{} ? pace_.retry : std::min(2 * retry_, pace_.longest);
  act_at_ = now + retry_;
}

base::Duration Schedule::NextAt() const {
  if (asked_) return {};
  return pressing_ ? std::min(look_at_, act_at_) : look_at_;
}

}  // namespace ebb::engine
