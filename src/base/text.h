// Foreign words inside the sentences that people read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ebb::base {

// The same text with every control character as a space: a line end in a message would look like a
// second message.
std::string OneLine(std::string_view text);

// "1 image", "5 images".
std::string Count(std::size_t number, std::string_view noun);

}  // namespace ebb::base
