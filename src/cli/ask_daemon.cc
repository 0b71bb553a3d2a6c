#include "cli/ask_daemon.h"

#include <chrono>

#include "cli/wire.h"
#include "http/client.h"

namespace ebb::cli {
namespace {

base::Error NoDaemon(const std::string& why) {
  return {base::ErrorCode::kUnavailable, "nor does the daemon tell: " + why};
}

// ":9469" listens everywhere, and so on the loopback too.
std::string UrlOf(const std::string& listen) {
  return "http://" + (listen.starts_with(':') ? "127.0.0.1" + listen : listen);
}

}  // namespace

base::Result<std::string> AskDaemon(const Options& options) {
  const auto config = ReadConfig(options.node);
  if (!config.ok()) return NoDaemon(config.error().message);
  if (config->listen.empty() || config->listen.starts_with("unix:")) {
    return NoDaemon("it listens on no port");
  }
  auto client =
      http::Client::Make({.url = UrlOf(config->listen), .timeout = std::chrono::seconds(5)});
  if (!client.ok()) return NoDaemon(client.error().message);
  const auto answer = (*client)->Get("/status?output=" + options.output.format +
                                     (options.node.pressure ? "&pressure=1" : ""));
  if (!answer.ok()) return NoDaemon(answer.error().message);
  if (answer->status != 200) return NoDaemon(answer->body.substr(0, answer->body.find('\n')));
  return answer->body;
}

}  // namespace ebb::cli
