// The words of HTTP that we take apart ourselves: targets of requests, and URLs.
#include "http/target.h"
#include "http/url.h"
#include "input.h"

using ebb::fuzz::Require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ebb::fuzz::Text(data, size);
  if (const auto url = ebb::http::ParseUrl(text); url.ok()) {
    for (const std::string& part : {url->host, url->port, url->prefix}) {
      Require(part.find_first_of("\r\n @?#") == std::string::npos, "nothing slips into a request",
              part);
    }
    Require(!url->host.empty() && !url->port.empty(), "a server has host and port", text);
  }
  if (const auto target = ebb::http::ParseTarget(text); target.ok()) {
    std::string again = "/" + ebb::http::Escaped(target->path.substr(1)) + "?";
    for (const auto& [key, value] : target->query) {
      again += ebb::http::Escaped(key) + "=" + ebb::http::Escaped(value) + "&";
    }
    const auto second = ebb::http::ParseTarget(again);
    Require(second.ok() && second->path == target->path && second->query == target->query,
            "what was read is written and read again", text);
  }
  return 0;
}
