// Compact, self-delimiting form of IDs and digests: 33 bytes where the text has 64 or 71.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::history {

// Different texts have different packed forms, so a packed text can be a key.
std::string Pack(std::string_view text);
// nullopt: these bytes are not the packed form of anything.
std::optional<std::string> Unpack(std::string_view packed);

// Packed texts one after the other; an empty list packs to nothing.
std::string PackList(std::span<const std::string> texts);
std::optional<std::vector<std::string>> UnpackList(std::string_view packed);

}  // namespace ebb::history
