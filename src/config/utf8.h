// Whether bytes are text we are willing to read.
#pragma once

#include <optional>
#include <string_view>

namespace ebb::config {

// The offset of the first byte that is no part of valid UTF-8 or is a control character other
// than tab and line ends; nullopt if there is none.
std::optional<std::size_t> FirstNonText(std::string_view bytes);

}  // namespace ebb::config
