#include "cli/commands.h"

namespace ebb::cli {

ExitCode Version(const Context&) {
  Print("ebb " EBB_VERSION "\n");
  return ExitCode::kDone;
}

}  // namespace ebb::cli
