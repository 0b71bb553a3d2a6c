// Programs run by the bench: to their end, or as a child that never outlives it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace ebb::node {

using Words = std::vector<std::string>;

// Runs a program, found in PATH, to its end and returns what it printed (both streams). A failed
// start or an exit code other than 0 is kInternal with the last lines of the output. stdin is
// `input`, or empty when that is negative.
base::Result<std::string> Run(const Words& command, int input = -1);

// Runs a program to its end with this process's own input and output, and returns its exit code
// as a shell would; 127 when it cannot be started.
int RunAttached(const Words& command);

// Starts a program whose output is appended to the file `log`. It is killed when the calling
// thread ends, however it ends.
base::Result<pid_t> Spawn(const Words& command, const std::string& log);

// Sends `signal` to a child of this process and waits for its end. The child may be dead already.
void EndChild(pid_t child, int signal);

// 0..255 as shells say it: 128 + N for a death by signal N. `status` is waitpid's.
int ExitCode(int status);

// True when a program of this name can be started through PATH.
bool Installed(const std::string& program);

// The whole of a small file; empty when it cannot be read.
std::string ReadAll(const std::string& path);

}  // namespace ebb::node
