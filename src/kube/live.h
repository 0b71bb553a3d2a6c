// A cluster, as its API server tells it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/world.h"
#include "kube/session.h"

namespace ebb::kube {

struct LiveCluster {
  graph::World world;
  // What could not be read, each with the reason: "secrets: we may not read this (403)". The
  // world's kinds know it too: nobody is taken for absent who may only not have been read.
  std::vector<std::string> unread;
};

// Every object of every kind that can be listed, but for events; only metadata where the server can
// do that. What may not be listed in the whole cluster is listed in the namespace `ns`, if that is
// not empty. Lists are of different moments, so an owner that none of them has is asked for by
// name: absent is whoever the server says is. An error if nothing at all could be read, or the
// server stopped answering.
base::Result<LiveCluster> ReadCluster(Session& session, const std::string& ns = {});

}  // namespace ebb::kube
