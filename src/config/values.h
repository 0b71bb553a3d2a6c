// How single values are written in files: one struct per type, each reading what it writes. Read
// gives nullopt for what is not allowed; kAllowed says what is, for the message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/percent.h"
#include "base/time.h"
#include "config/yaml.h"

namespace ebb::config {

// Decimal digits and nothing else: no sign, no leading zero ("012" is 10 to some and 12 to
// others), no quotes. From `low` to `high`, both included.
std::optional<int> ReadInt(const YamlNode& node, int low, int high);

// The text in double quotes, so that any YAML or JSON reader gives it back unchanged.
std::string Quote(std::string_view text);

// The value as an error message repeats it: 'text', '"text"', "a map" or "a list"; long values
// are cut.
std::string Shown(const YamlNode& node);
// The same for a name or text from elsewhere: one line of at most 60 bytes, never half a
// character.
std::string Shortened(std::string_view text);

// "2m", "24h", "1h30m": Go's form without the units that are zero.
std::string ShortDuration(base::Duration duration);

// A duration of at most ten years, so that no sum with a time of day overflows.
std::optional<base::Duration> ReadDuration(const YamlNode& node);

// A scalar of at least one character, none of them a blank or a control character.
std::optional<std::string> ReadWord(const YamlNode& node);

}  // namespace ebb::config
