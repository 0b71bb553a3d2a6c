#include <cstdio>

#include "base/text.h"
#include "cli/commands.h"

namespace ebb::cli {

void Print(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
}

void PrintError(const std::string& text) {
  (void)std::fflush(stdout);
  (void)std::fprintf(stderr, "ebb: %s\n", text.c_str());
}

ExitCode Fail(const base::Error& error) {
  PrintError(base::OneLine(error.message));
  return ExitFor(error);
}

}  // namespace ebb::cli
