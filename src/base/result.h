// The one error convention of the code base.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::base {

// A code exists only because some caller branches on it: it says what to do next.
enum class ErrorCode {
  kNotFound,     // already gone: for a removal that is success
  kHeld,         // the runtime refuses: somebody uses the thing
  kConflict,     // the world changed under us: observe again
  kUnavailable,  // nobody answers: back off, exit 4
  kRefused,      // one of our own safety rules says no: exit 5
  kUsage,        // the caller asked for something impossible: exit 2
  kUnsupported,  // the peer does not know the call: take the other way
  kInternal,     // anything else: give up and say so
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;

  // The same error with one more hop of context in front ("list images: connection refused").
  Error In(std::string_view context) const {
    return {code, std::string(context).append(": ").append(message)};
  }
};

// A value or an Error. A dropped Result warns: the class itself is [[nodiscard]], which a bare
// alias of std::expected is not.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
  // NOLINTNEXTLINE(google-explicit-constructor): an error returned is an error meant.
  Result(Error error) : std::expected<T, Error>(std::unexpected(std::move(error))) {}
  bool ok() const { return this->has_value(); }
};

struct Done {};
using Status = Result<Done>;

}  // namespace ebb::base
