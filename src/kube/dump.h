// A cluster from files: what `kubectl get -o json` or `-o yaml` wrote.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/world.h"

namespace ebb::kube {

// Each path is a file, a directory (its *.json, *.yaml and *.yml, also with .gz, beneath it) or
// "-" for standard input. Files hold objects or lists of them: JSON of any size, one document
// behind the other, or YAML of at most 64 MiB; either may be gzip. Only kinds of which an object
// was read count as known: of others a dump says nothing. The errors name the file and the place:
// kNotFound if there is no such file, kInternal if it cannot be read, has objects without a UID, or
// nothing.
base::Result<graph::World> ReadDump(const std::vector<std::string>& paths);

}  // namespace ebb::kube
