// Just enough UTF-8 to keep foreign bytes out of logs and configuration.
#pragma once

#include <cstddef>
#include <string_view>

namespace ebb::base {

// Length of the well-formed UTF-8 sequence `text` begins with, 0 if it begins with none. Overlong
// forms, surrogates and what is beyond U+10FFFF are not well-formed (RFC 3629).
std::size_t Utf8Length(std::string_view text);

}  // namespace ebb::base
