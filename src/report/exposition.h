// The text format in which Prometheus reads metrics (version 0.0.4).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/time.h"
#include "report/duration_histogram.h"

namespace ebb::report {

// Writes the samples of one family after the other. Label values may be any bytes: what is no UTF-8
// becomes a question mark, for one such byte would cost the whole page.
class Exposition {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Requires a name not used before; help is one line.
  void Begin(std::string_view name, std::string_view type, std::string_view help);

  // Samples of the family begun last; each set of labels once.
  void Count(Labels labels, std::uint64_t value);
  void Number(Labels labels, double value);
  void Flag(Labels labels, bool value) { Count(labels, value ? 1 : 0); }
  void Size(Labels labels, base::Bytes value);
  void Seconds(Labels labels, base::Duration value);
  // Seconds since the epoch; nothing for kNever.
  void Time(base::TimePoint value);
  void Buckets(std::string_view label, std::string_view value, const DurationHistogram& histogram);

  std::string Take() { return std::move(text_); }

 private:
  void Sample(std::string_view suffix, Labels labels, std::string_view value);

  std::string name_;
  std::string text_;
};

}  // namespace ebb::report
