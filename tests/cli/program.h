// The built program, run as an operator runs it.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace ebb::cli {

struct Ran {
  int code = -1;  // exit status; 128 + N for a death by signal N
  std::string out;
  std::string err;
};

// Environment variables that are set on top of a small, fixed environment.
using Environment = std::map<std::string, std::string>;

// `ebb ARGUMENTS`, stdin empty and no terminal anywhere.
Ran Ebb(const std::vector<std::string>& arguments, const Environment& environment = {});

// The same without the rights of root: as another user and group.
Ran EbbAs(uid_t user, const std::vector<std::string>& arguments);

// `ebb ARGUMENTS`, still running; Wait() reaps it. Killed and reaped if nobody did.
class RunningEbb {
 public:
  explicit RunningEbb(const std::vector<std::string>& arguments,
                      const Environment& environment = {}, uid_t user = 0);
  ~RunningEbb();
  RunningEbb(const RunningEbb&) = delete;
  RunningEbb& operator=(const RunningEbb&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int number) const;
  Ran Wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

}  // namespace ebb::cli
