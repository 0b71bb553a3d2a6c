// When names that somebody removed are made again: a value, told what happened and asked what is
// due. By monotonic time, from an arbitrary start.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "image/guard.h"

namespace ebb::image {

class GuardWatch {
 public:
  // What is guarded from now on. What has to wait goes on waiting.
  void Guard(const GuardSet& set);

  // The record of that name was deleted. A removal through CRI deletes an image's names first and
  // its ID last: to make a name again before it has come to the end would be in vain. So an image
  // is due at once when its ID went, else once nothing of it has gone for 100 ms.
  void Gone(std::string_view record, base::Duration now);
  // Something of this image may be gone, or all of them: due now.
  void Doubt(const ImageId& id, base::Duration now);
  void DoubtAll(base::Duration now);

  // Images that are to be looked at and made whole now, and not before they are due again.
  std::vector<ImageId> Due(base::Duration now);
  // When the next one will be; nullopt: nothing is wanted.
  std::optional<base::Duration> NextAt() const;

  enum class Found {
    kWhole,     // nothing was missing
    kRestored,  // it is back; whether it stays is looked at 5 s later
    kFailed,    // it could not be made whole
  };
  // Sandbox images are restored every time, at most once a second; others ever more seldom, up to
  // every 5 minutes, until they have stayed for 10. What fails waits likewise, a sandbox image at
  // most for half a minute.
  void Looked(const ImageId& id, Found found, base::Duration now);

 private:
  struct State {
    std::set<std::string, std::less<>> records;
    bool sandbox = false;
    std::optional<base::Duration> look_at;
    base::Duration not_before{};
    base::Duration wait{};  // how long the last one was
    base::Duration restored_at{};
  };
  static base::Duration At(const State& state);

  std::map<ImageId, State> states_;
};

}  // namespace ebb::image
