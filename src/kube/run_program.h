// Runs a program of somebody else to its end.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ebb::kube {

struct Program {
  std::vector<std::string> command;  // found in PATH, with its arguments
  std::vector<std::pair<std::string, std::string>> environment;  // beside our own, or instead
  base::Duration timeout = std::chrono::seconds(30);
  std::size_t max_output = std::size_t{1} << 20U;
};

// What it wrote to its standard output. It gets no input, and nothing of ours but the environment.
// A failed start, another exit code than 0, too much output and too long a run are kInternal, with
// the first line of its error output. It and its children are gone on return.
base::Result<std::string> RunProgram(const Program& program);

}  // namespace ebb::kube
