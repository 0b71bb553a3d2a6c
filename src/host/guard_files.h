// What the guard remembers, in files of the state directory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/ports.h"
#include "engine/records.h"

namespace ebb::host {

// Pure. A text that Render() did not write is an error that says so.
std::string RenderGuardSet(const image::GuardSet& set);
base::Result<image::GuardSet> ParseGuardSet(std::string_view text);

// DIRECTORY/guard/images.json, and beside it two locks that the kernel gives back however their
// holder ends. Made when something is to be remembered; to read makes nothing.
class GuardFiles : public engine::GuardMemory {
 public:
  GuardFiles(const std::string& state_directory, engine::Clock& clock)
      : directory_(state_directory + "/guard"), clock_(clock) {}

  base::Result<image::GuardSet> Load() override;
  base::Status Save(const image::GuardSet& set) override;
  base::Result<std::unique_ptr<Lock>> Change() override;
  base::Result<std::unique_ptr<Lock>> StandBy() override;
  bool SomebodyStandsBy() override;

 private:
  base::Result<std::unique_ptr<Lock>> Take(const std::string& name, base::Duration patience);

  std::string directory_;
  engine::Clock& clock_;
};

}  // namespace ebb::host
