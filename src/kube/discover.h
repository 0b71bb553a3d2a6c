// Asks an API server what it serves.
#pragma once

#include "base/result.h"
#include "kube/discovery.h"
#include "kube/session.h"

namespace ebb::kube {

// In two requests where the server can (1.26 and later), else in one for every apiVersion; one of
// those that fails is among the failed, and the rest goes on. The errors of Session otherwise.
base::Result<Discovery> Discover(Session& session);

}  // namespace ebb::kube
