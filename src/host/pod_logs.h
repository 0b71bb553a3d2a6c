// The logs of pods, in the two directories where the kubelet keeps them.
#pragma once

#include <string>

#include "engine/dead.h"
#include "host/beneath.h"

namespace ebb::host {

// Each may itself be a link: an operator puts the logs where there is room. Nothing below is
// followed.
struct PodLogsOptions {
  std::string pods = "/var/log/pods";
  std::string containers = "/var/log/containers";
  Step step = Step::kKernel;
};

class PodLogs : public engine::LogDirectories {
 public:
  explicit PodLogs(PodLogsOptions options = {})
      : options_(std::move(options)), beneath_(options_.step) {}

  std::string Path() const override { return options_.pods; }
  base::Result<std::vector<image::LogEntry>> List() override;
  base::Status Remove(const image::LogEntry& entry) override;
  base::Status RemoveFiles(const std::string& log_path) override;

 private:
  bool IsDangling(int links, const std::string& name, int pods) const;
  bool IsMissing(int pods, std::string_view path) const;
  base::Status RemoveDirectory(const image::LogEntry& entry) const;
  base::Status RemoveLink(const image::LogEntry& entry) const;

  PodLogsOptions options_;
  Beneath beneath_;
};

}  // namespace ebb::host
