// What is asked and answered over HTTP, by our server and by our client.
#pragma once

#include <map>
#include <string>

namespace ebb::http {

struct Request {
  std::string method;                        // "GET" or "HEAD"
  std::string path;                          // decoded, without the query: "/metrics"
  std::map<std::string, std::string> query;  // decoded; of a key given twice the first counts
};

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

}  // namespace ebb::http
