// The values of the program as JSON: the one form that both -o json and -o yaml are written from.
// Keys are camelCase in a fixed order, bytes are integers, times are RFC 3339 or null where they
// are not known, reasons and outcomes are their codes.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "image/observation.h"
#include "image/plan.h"
#include "report/style.h"

namespace ebb::report {

using Json = boost::json::value;
using JsonArray = boost::json::array;
using JsonObject = boost::json::object;

// A document begins with its version and kind; both are promises to scripts.
JsonObject Document(std::string_view kind);

// Null for an empty text.
Json OrNull(std::string_view text);

Json ToJson(base::TimePoint time);
JsonArray ToJson(const std::vector<std::string>& texts);
JsonObject ToJson(const image::Runtime& runtime);
JsonObject ToJson(const image::Filesystem& filesystem);
JsonObject ToJson(const image::Marks& marks);
JsonObject ToJson(const image::Target& target);
JsonObject ToJson(const image::Image& image);

// An image with its verdict. `freesBytes` is marginal for removals; `freesAloneBytes` is what
// removing nothing but this image would free.
JsonObject ToJson(const image::Observation& seen, const image::Verdict& verdict);

// What a reader must know before believing the rest: accounting, notChecked, doubts, warnings.
void AddTrust(JsonObject& document, const image::Observation& seen);

// JSON with two spaces of indentation, or YAML, with a newline at the end.
std::string Write(const Json& document, Format format);

}  // namespace ebb::report
