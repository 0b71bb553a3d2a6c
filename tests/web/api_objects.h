// Objects as an API server writes them.
#pragma once

#include <span>
#include <string>

#include "graph/object.h"

namespace ebb::web {

// A PartialObjectMetadataList; `next` is the token of the next page.
std::string ListAsJson(std::span<const graph::Object> objects, const std::string& next);
// The same in protobuf, by protoc's own code, with its envelope.
std::string ListAsProtobuf(std::span<const graph::Object> objects, const std::string& next);
std::string ObjectAsJson(const graph::Object& object);

}  // namespace ebb::web
