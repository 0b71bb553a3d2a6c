// Small pieces of text that every report shares.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"
#include "report/style.h"

namespace ebb::report {

enum class Color { kPlain, kBold, kDim, kRed, kYellow, kGreen };

// `text` in ANSI colour if the style has colour, else as it is. Colour never carries meaning alone.
std::string Paint(const Style& style, Color color, std::string_view text);

// Names come from outside: control characters, which could steer a terminal, become '?'.
std::string Clean(std::string_view text);

// Columns that UTF-8 `text` takes; every glyph of ours and of an image name is one column wide.
std::size_t Width(std::string_view text);

// The first `columns` columns of `text`.
std::string_view Head(std::string_view text, std::size_t columns);
// The last `columns` columns of `text`.
std::string_view Tail(std::string_view text, std::size_t columns);

// The first 13 characters of an ID, without "sha256:".
std::string ShortId(std::string_view id, const Style& style);

// A name as tables show it: a digest in it is shortened like an ID, unless no_trunc.
std::string ShortName(const std::string& name, const Style& style);

// "3d4h", "now"; "-" if `then` is not known.
std::string Ago(base::TimePoint then, base::TimePoint now);

// "a, b and 3 more": at most `most` of them.
std::string Listed(const std::vector<std::string>& items, std::size_t most);

// "label:       text\n", the labels of one report in one column. An empty label goes on with the
// line before.
std::string Line(const Style& style, std::string_view label, std::string_view text);

}  // namespace ebb::report
