// Names to addresses, without the resolver of the C library: it is not there in a static program.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace ebb::http {

struct Lookup {
  std::chrono::steady_clock::time_point deadline;
  std::string servers = {};  // "127.0.0.1:53,..."; empty: those of /etc/resolv.conf
};

// The addresses of a host, IPv4 and IPv6, in the order to try them; an address is its own. Looks
// into /etc/hosts first. kUnavailable if there is no such name or nobody tells in time.
base::Result<std::vector<std::string>> AddressesOf(const std::string& host, const Lookup& lookup);

}  // namespace ebb::http
