// One page of a list of objects, as an API server answers it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/object.h"

namespace ebb::kube {

struct ObjectPage {
  std::vector<graph::Object> objects;  // without apiVersion and kind: the list's own resource tells
  std::string next;                    // the token of the next page; empty: this is the last
};

// A PartialObjectMetadataList, or a list of whole objects of a server that has no such thing.
// Objects without a UID, as PodMetrics are, are none that own or are owned, and are left out. Wrong
// types, or no list at all: kInternal.
base::Result<ObjectPage> ParseObjectPage(std::string_view json);

// The same out of application/vnd.kubernetes.protobuf.
base::Result<ObjectPage> ParseProtobufPage(std::string_view body);

// A single object, of the answer to a GET: a PartialObjectMetadata or a whole one, as JSON.
base::Result<graph::Object> ParseObject(std::string_view json);

}  // namespace ebb::kube
