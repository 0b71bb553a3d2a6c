// Lists of objects of an API server, page by page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/object.h"
#include "kube/session.h"

namespace ebb::kube {

using TakePage = std::function<void(std::vector<graph::Object>&)>;

// All objects of the list at `path` ("/api/v1/pods"), of each its metadata only where the server
// can do that. When the token of the next page has expired (410), the list is begun anew, so that
// objects may come twice; the third time it goes on with the later state that the server offers.
base::Status ReadPages(Session& session, const std::string& path, const TakePage& take);

// What the server has at `path` ("/api/v1/namespaces/shop/pods/web"). nullopt only if it proves
// that there is none: a Status of reason NotFound that names this object. Any other 404 says that
// nobody serves the path, and is an error like every other answer.
base::Result<std::optional<graph::Object>> ReadOne(Session& session, const std::string& path);

}  // namespace ebb::kube
