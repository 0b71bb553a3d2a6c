// A socket that listens, from the address an operator wrote.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace ebb::http {

struct Listening {
  base::UniqueFd fd;
  int family = 0;    // AF_INET, AF_INET6 or AF_UNIX
  int port = 0;      // the one that was bound, also if 0 was asked for; 0 for a unix socket
  std::string path;  // of a unix socket: whoever stops listening removes it
};

// "127.0.0.1:9469", "[::1]:9469", "localhost:0", ":9469" (every IPv4 address) or "unix:///path". A
// socket file that nobody listens on any more is replaced; the new one may be used by everybody, as
// a port of the loopback may. A malformed address is kUsage; one that is taken or cannot be bound
// is kInternal. The message is one sentence that names the address.
base::Result<Listening> Listen(std::string_view address);

}  // namespace ebb::http
