// One object of Kubernetes as JSON. Only sources of this folder include it.
#pragma once

#include "graph/object.h"
#include "kube/json.h"

namespace ebb::kube {

// Who it is, its owners and what keeps it: apiVersion, kind and metadata. An owner without a UID is
// a problem of `fields`; whatever the object itself lacks is left empty.
graph::Object ReadObject(Fields& fields);

}  // namespace ebb::kube
