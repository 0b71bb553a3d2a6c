// Bars of text: how full a filesystem is, and how large a share is.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/percent.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

// "[████L░H░K░░C░]": 50 cells, filled up to `used`, with the marks as letters: L low, H high,
// K the kubelet's image GC, C critical. A mark whose cell is taken stands in the next free one.
std::string UsageBar(base::Percent used, const image::Marks& marks, const Style& style);

// The same without marks, for a filesystem that they are not about.
std::string UsageBar(base::Percent used, const Style& style);

// "████▌": `part` of `whole` in half cells, at most `cells`; something is never shown as nothing.
std::string ShareBar(base::Bytes part, base::Bytes whole, std::size_t cells);

}  // namespace ebb::report
