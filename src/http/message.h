// What is asked and answered over HTTP, by our server and by our client.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"

namespace ebb::http {

struct Request {
  std::string method;                        // "GET" or "HEAD"
  std::string path;                          // decoded, without the query: "/metrics"
  std::map<std::string, std::string> query;  // decoded; of a key given twice the first counts
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::optional<base::Duration> retry_after = {};  // how long to wait before asking again
};

}  // namespace ebb::http
