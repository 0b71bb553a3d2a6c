// Where a server is.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::http {

struct Url {
  bool tls = false;
  std::string host;    // a name or an address, an IPv6 address without its brackets
  std::string port;    // "443" or "80" where the text names none
  std::string prefix;  // "" or "/path" without a slash at the end
};

// "https://host:6443", "http://[::1]:10255/prefix". Anything else, a user, a query and a fragment
// among it, is kUsage with a sentence that names the text.
base::Result<Url> ParseUrl(std::string_view text);

// Whether `host` is an address and no name.
bool IsAddress(const std::string& host);

// Whether `text` leads to this machine and nowhere else: "localhost", 127.0.0.0/8 or ::1. A name
// that only begins so does not.
bool IsLoopback(std::string_view text);

}  // namespace ebb::http
