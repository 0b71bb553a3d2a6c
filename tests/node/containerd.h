// A real containerd of the test's own.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "node/containerd_config.h"
#include "node/process.h"

namespace ebb::node {

// Lives below one folder, is a direct child of the calling thread and ends with it. Its pods live
// on, as on any node; RunIsolated ends those.
class Containerd {
 public:
  // Writes the configuration and starts it.
  static base::Result<std::unique_ptr<Containerd>> Make(const std::string& directory,
                                                        const ContainerdOptions& options);
  ~Containerd();
  Containerd(const Containerd&) = delete;
  Containerd& operator=(const Containerd&) = delete;

  // Returns when the socket is served; kInternal with the end of the log when that never happens.
  base::Status Start();
  // Ends it by SIGTERM, and returns when it has ended. Nothing when it is not running.
  void Stop();
  // Ends it by SIGKILL, as a crash would.
  void Kill();
  // Stop, then Start.
  base::Status Restart();

  // Runs ctr in the namespace that CRI uses.
  base::Result<std::string> Ctr(const Words& words, int input = -1) const;
  // `ctr images import` of the open file `archive`, from its beginning. CRI learns of the images
  // a moment later: Pods::WaitForImage.
  base::Status Import(int archive, const Words& flags = {}) const;

  const std::string& socket() const { return socket_; }
  std::string endpoint() const { return "unix://" + socket_; }
  std::string log() const { return directory_ + "/containerd.log"; }
  // 0 when it is not running.
  pid_t pid() const { return pid_; }

 private:
  explicit Containerd(const std::string& directory)
      : directory_(directory), socket_(directory + "/containerd.sock") {}
  void End(int signal);
  bool Serves() const;
  bool Died();

  std::string directory_;
  std::string socket_;
  pid_t pid_ = 0;
};

}  // namespace ebb::node
