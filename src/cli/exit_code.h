// What the program's exit status means; scripts depend on it.
#pragma once

#include "base/result.h"
#include "image/plan.h"
#include "image/report.h"

namespace ebb::cli {

enum class ExitCode {
  kDone = 0,         // done, or nothing to do
  kError = 1,        // anything without a number of its own
  kUsage = 2,        // the command line or the configuration is wrong
  kNotReached = 3,   // the target was not reached
  kUnavailable = 4,  // the container runtime does not answer
  kRefused = 5,      // one of our safety rules says no
  kWarnings = 6,     // cluster lint: warnings were found, but no error
  kFaults = 7,       // cluster lint: errors were found
  kWouldRemove = 10  // plan --exit-code: something would be removed
};

ExitCode ExitFor(const base::Error& error);
ExitCode ExitFor(const image::Plan& plan);
ExitCode ExitFor(const image::Report& report);

}  // namespace ebb::cli
