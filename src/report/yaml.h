// YAML from a JSON value: block style, one walk, nothing that a YAML 1.1 or 1.2 reader could
// take for another type than the JSON has.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace ebb::report {

std::string WriteYaml(const boost::json::value& document);

}  // namespace ebb::report
