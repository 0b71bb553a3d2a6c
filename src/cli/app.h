// The command line: every subcommand and flag is defined here once; help, completion and parsing
// come from it.
#pragma once

#include <memory>

#include "cli/options.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace ebb::cli {

// `options` is filled by App::parse and must outlive it.
std::shared_ptr<CLI::App> MakeApp(Options& options);

}  // namespace ebb::cli
