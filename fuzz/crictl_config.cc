// crictl's file, and what it and others call an endpoint.
#include "config/crictl_config.h"

#include "config/endpoints.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ebb::fuzz::Require;
  const std::string_view text = ebb::fuzz::Text(data, size);
  const auto config = ebb::config::ParseCrictlConfig(text, "f");
  const auto endpoint =
      ebb::config::ParseEndpoint(config.ok() ? std::string_view(config->runtime_endpoint) : text);
  if (!endpoint.ok()) return 0;
  Require(ebb::config::SocketPath(*endpoint).starts_with('/'), "a socket's path is absolute");
  const auto again = ebb::config::ParseEndpoint(*endpoint);
  Require(again.ok() && *again == *endpoint, "an endpoint's own form is kept", *endpoint);
  return 0;
}
