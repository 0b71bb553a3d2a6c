#include "cli/exit_code.h"

namespace ebb::cli {

ExitCode ExitFor(const base::Error& error) {
  switch (error.code) {
    case base::ErrorCode::kUsage: return ExitCode::kUsage;
    case base::ErrorCode::kUnavailable: return ExitCode::kUnavailable;
    case base::ErrorCode::kConflict:  // in doubt, so nothing more was removed
    case base::ErrorCode::kRefused: return ExitCode::kRefused;
    case base::ErrorCode::kNotFound:
    case base::ErrorCode::kHeld:
    case base::ErrorCode::kUnsupported:
    case base::ErrorCode::kInternal: return ExitCode::kError;
  }
  return ExitCode::kError;
}

ExitCode ExitFor(const image::Plan& plan) {
  switch (plan.conclusion) {
    case image::Conclusion::kNothingToDo:
    case image::Conclusion::kReached: return ExitCode::kDone;
    case image::Conclusion::kNotReached: return ExitCode::kNotReached;
    case image::Conclusion::kInDoubt: return ExitCode::kRefused;
  }
  return ExitCode::kError;
}

ExitCode ExitFor(const image::Report& report) {
  switch (report.ending) {
    case image::Ending::kNothingToDo: return ExitFor(report.plan);
    case image::Ending::kReached: return ExitCode::kDone;
    case image::Ending::kNotReached:
    case image::Ending::kInterrupted: return ExitCode::kNotReached;
    case image::Ending::kStopped: return ExitFor(base::Error{report.problem_code, {}});
  }
  return ExitCode::kError;
}

}  // namespace ebb::cli
