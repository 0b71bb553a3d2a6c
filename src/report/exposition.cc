#include "report/exposition.h"

#include <charconv>

#include "base/utf8.h"

namespace ebb::report {
namespace {

// Plain digits, as few as tell the value apart from every other.
std::string Digits(double value) {
  std::array<char, 400> digits{};  // the longest double has 309 before the point
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  return error == std::errc{} ? std::string(digits.data(), end) : "NaN";
}

void AppendByte(char c, std::string& text) {
  switch (c) {
    case '\\': text += "\\\\"; return;
    case '"': text += "\\\""; return;
    case '\n': text += "\\n"; return;
    default: text.push_back(c);
  }
}

void AppendLabel(std::string_view value, std::string& text) {
  while (!value.empty()) {
    const std::size_t length = base::Utf8Length(value);
    if (length <= 1) {
      AppendByte(length == 0 ? '?' : value.front(), text);
    } else {
      text.append(value.substr(0, length));
    }
    value.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

}  // namespace

void Exposition::Begin(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  text_.append(name).append(" ").append(type).append("\n");
}

void Exposition::Sample(std::string_view suffix, Labels labels, std::string_view value) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const auto& [label, content] : labels) {
    text_.push_back(before);
    text_.append(label).append("=\"");
    AppendLabel(content, text_);
    text_.push_back('"');
    before = ',';
  }
  if (before == ',') text_.push_back('}');
  text_.append(" ").append(value).append("\n");
}

void Exposition::Count(Labels labels, std::uint64_t value) {
  Sample("", labels, std::to_string(value));
}

void Exposition::Number(Labels labels, double value) {
  Sample("", labels, Digits(value));
}

void Exposition::Size(Labels labels, base::Bytes value) {
  Sample("", labels, std::to_string(value.count));
}

void Exposition::Seconds(Labels labels, base::Duration value) {
  Sample("", labels, Digits(std::chrono::duration<double>(value).count()));
}

void Exposition::Time(base::TimePoint value) {
  if (value == base::kNever) return;
  const auto whole = std::chrono::floor<std::chrono::milliseconds>(value.time_since_epoch());
  Sample("", {}, Digits(static_cast<double>(whole.count()) / 1000));
}

void Exposition::Buckets(std::string_view label, std::string_view value,
                         const DurationHistogram& histogram) {
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < DurationHistogram::kBounds.size(); ++i) {
    so_far += histogram.in_bucket(i);
    Sample("_bucket", {{label, value}, {"le", Digits(DurationHistogram::kBounds.at(i))}},
           std::to_string(so_far));
  }
  Sample("_bucket", {{label, value}, {"le", "+Inf"}}, std::to_string(histogram.count()));
  Sample("_sum", {{label, value}}, Digits(std::chrono::duration<double>(histogram.sum()).count()));
  Sample("_count", {{label, value}}, std::to_string(histogram.count()));
}

}  // namespace ebb::report
