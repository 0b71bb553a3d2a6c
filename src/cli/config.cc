#include "cli/commands.h"
#include "cli/wire.h"
#include "host/small_file.h"

namespace ebb::cli {

ExitCode ConfigView(const Context& context) {
  const auto config = ReadConfig(context.options.node);
  if (!config.ok()) return Fail(config.error());
  Print(config::RenderNodeConfig(*config));
  return ExitCode::kDone;
}

ExitCode ConfigValidate(const Context& context) {
  const std::string& file =
      context.options.file.empty() ? context.options.node.config : context.options.file;
  const auto text = host::ReadSmallFile(file);
  if (!text.ok()) return Fail({base::ErrorCode::kUsage, text.error().message});
  const auto config = config::ParseNodeConfig(*text, file);
  if (!config.ok()) return Fail(config.error());
  Print(file + " is valid\n");
  return ExitCode::kDone;
}

}  // namespace ebb::cli
