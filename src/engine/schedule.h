// When the daemon looks at the node, and when it may act: a value, told what happened and asked
// what is due. The loop around it only waits.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/time.h"

namespace ebb::engine {

// All by monotonic time, from one arbitrary start.
struct Pace {
  base::Duration shortest = std::chrono::seconds(10);  // between two looks while nothing presses
  base::Duration longest = std::chrono::minutes(5);
  base::Duration settle = std::chrono::seconds(2);     // after an event, for more to come
  base::Duration go_on = std::chrono::seconds(1);      // after a run that freed something
  base::Duration retry = std::chrono::seconds(10);     // after one that freed nothing; doubles
  base::Duration reconnect = std::chrono::seconds(1);  // after a runtime that failed; doubles
  base::Duration reconnect_at_most = std::chrono::minutes(1);
  int share = 20;  // of the time at most one in so many is spent looking: a slow runtime is spared
};

class Schedule {
 public:
  explicit Schedule(base::Duration now, Pace pace = {})
      : pace_(pace), look_at_(now), act_at_(now) {}

  enum class By { kOthers, kOurselves };
  // Something about images or containers changed: what was in vain may not be any more, unless it
  // was our own doing.
  void Changed(base::Duration now, By whom = By::kOthers);
  // Somebody wants a pass now.
  void Ask() { asked_ = true; }
  // What presses from now on, each under a name of its own: one that is new is relieved at once,
  // whatever was tried in vain for the others.
  void Press(base::Duration now, std::set<std::string> pressing);

  // A look that took `took` and found that the mark is `until_mark` away; nullopt: no time known.
  void Looked(base::Duration now, base::Duration took, std::optional<base::Duration> until_mark);
  // A look at the node failed.
  void Failed(base::Duration now);
  // A run ended; `freed` says whether anything came free.
  void Ran(base::Duration now, bool freed);

  // Whether a pass is due, at which the node is looked at and, if something presses, relieved.
  bool Due(base::Duration now) const { return now >= NextAt(); }
  // When the next one is, unless something happens before.
  base::Duration NextAt() const;
  bool asked() const { return asked_; }

 private:
  Pace pace_;
  base::Duration look_at_;
  base::Duration act_at_;  // not before, while something presses
  base::Duration spare_until_{};
  base::Duration retry_{};  // how long the last wait after a run in vain was
  base::Duration pressed_at_{};
  int failures_ = 0;
  std::set<std::string> pressing_;
  std::set<std::string> in_vain_;  // what pressed when the last run in vain was made
  bool asked_ = false;
};

}  // namespace ebb::engine
