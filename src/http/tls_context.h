// The TLS side of the client; only its sources include this.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <string>

#include "base/result.h"
#include "http/client.h"

namespace ebb::http {

// Loads what `tls` names into a fresh context. kUsage says which part cannot be used.
base::Status Prepare(boost::asio::ssl::context& context, const Tls& tls);

// Tells one connection whom it must meet. Requires Prepare() of its context.
void Expect(SSL* connection, std::string name, bool verify);

// Why the handshake failed, if the server's certificate was the reason; else empty.
std::string Distrust(SSL* connection);

}  // namespace ebb::http
