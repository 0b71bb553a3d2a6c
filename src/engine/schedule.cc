#include "engine/schedule.h"

#include <algorithm>
#include <utility>

namespace ebb::engine {

void Schedule::Changed(base::Duration now, By whom) {
  if (failures_ == 0) look_at_ = std::min(look_at_, std::max(now + pace_.settle, spare_until_));
  if (whom == By::kOurselves || retry_ == base::Duration{}) return;
  retry_ = {};
  act_at_ = std::min(act_at_, std::max(now + pace_.settle, spare_until_));
}

void Schedule::Press(base::Duration now, std::set<std::string> pressing) {
  pressing_ = std::move(pressing);
  // What goes for a moment and comes back, at the edge of a mark, is not new.
  if (pressing_.empty() && now - pressed_at_ >= pace_.shortest) in_vain_.clear();
  if (!pressing_.empty()) pressed_at_ = now;
  if (retry_ == base::Duration{} || std::ranges::includes(in_vain_, pressing_)) return;
  retry_ = {};
  act_at_ = std::min(act_at_, now);
}

void Schedule::Looked(base::Duration now, base::Duration took,
                      std::optional<base::Duration> until_mark) {
  constexpr int kLooksUntilMark = 4;
  failures_ = 0;
  asked_ = false;
  spare_until_ = now + std::max<base::Duration>(pace_.shortest, took * pace_.share);
  const base::Duration wanted =
      until_mark ? std::min(*until_mark / kLooksUntilMark, pace_.longest) : pace_.longest;
  look_at_ = std::max(now + wanted, spare_until_);
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
  in_vain_ = pressing_;
  retry_ = retry_ == base::Duration{} ? pace_.retry : std::min(2 * retry_, pace_.longest);
  act_at_ = now + retry_;
}

base::Duration Schedule::NextAt() const {
  if (asked_) return {};
  return pressing_.empty() ? look_at_ : std::min(look_at_, act_at_);
}

}  // namespace ebb::engine
