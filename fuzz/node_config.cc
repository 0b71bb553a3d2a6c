// Our own configuration file: what is accepted can be written and read again.
#include "config/node_config.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ebb::fuzz::Require;
  const auto config = ebb::config::ParseNodeConfig(ebb::fuzz::Text(data, size), "f");
  if (!config.ok()) {
    const std::string& message = config.error().message;
    Require(message.starts_with("f:"), "an error names file and line", message);
    Require(message.find('\n') == std::string::npos, "an error is one line", message);
    return 0;
  }
  const std::string text = ebb::config::RenderNodeConfig(*config);
  const auto again = ebb::config::ParseNodeConfig(text, "f");
  Require(again.ok(), "what is written can be read", text);
  Require(ebb::config::RenderNodeConfig(*again) == text, "writing keeps every value", text);
  return 0;
}
