// Finds the object that somebody names.
#pragma once

#include <string_view>

#include "base/result.h"
#include "graph/world.h"

namespace ebb::graph {

// `text` is KIND/NAME, the kind as kubectl takes it: "deployment", "deploy", "Deployments",
// "deployments.apps". An empty namespace means any, as long as that leaves one object. kUsage, with
// the candidates, if it is no such text or several; kNotFound if there is none.
base::Result<Graph::Id> FindObject(const World& world, std::string_view text, std::string_view ns);

}  // namespace ebb::graph
