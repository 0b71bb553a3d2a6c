// What a runtime tells by itself, between two looks.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace ebb::engine {

struct RuntimeEvent {
  enum class Kind { kImage, kContainer, kOther };
  Kind kind = Kind::kOther;
  std::string container;  // kContainer: the ID of one that was created; else empty
  std::string image;      // kContainer: what it was made from, as the client named it
  std::string gone;       // kImage: the name of a record that was deleted; else empty
  base::TimePoint time = base::kNever;
};

// A stream of events. What happened while it was broken is never told again.
class EventSource {
 public:
  // Ends the stream; neither function is called any more when it returns.
  virtual ~EventSource() = default;
};

struct EventHandlers {
  std::function<void(const RuntimeEvent&)> on_event;
  // After each connection that was made: anything may have happened before it.
  std::function<void()> on_connected;
  // The stream broke; it will be opened again.
  std::function<void(const base::Error&)> on_broken;
};

}  // namespace ebb::engine
