// Who is about to use images: asks pod sources and whoever knows of pulls, and remembers (P1, P2).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/observe.h"
#include "engine/pods.h"
#include "engine/ports.h"

namespace ebb::engine {

// Knows which images are being pulled right now.
class PullSource {
 public:
  virtual ~PullSource() = default;
  // kNotFound where it does not tell.
  virtual base::Result<std::vector<image::Claim>> Read() = 0;
};

// What pod sources said, by their names, and when. Their last answer counts for ten minutes.
class PodBook {
 public:
  // Asks every source, whatever is known. Times are monotonic.
  void Ask(std::span<PodSource* const> sources, base::Duration now);
  // Whether they have all answered within the last ten minutes and since Expire().
  bool Recent(base::Duration now) const;
  // What is known stays known; it has only to be asked for again before it is acted on.
  void Expire() { asked_at_.reset(); }
  image::KnownPods Known(base::Duration now) const;

 private:
  struct Source {
    std::string name;
    std::vector<image::Pod> pods;               // its last answer
    std::optional<base::Duration> answered_at;  // nullopt: never
    std::string failure;                        // of the last question; empty: it answered
  };
  std::vector<Source> sources_;
  std::optional<base::Duration> asked_at_;
};

// Fills seen.pods, seen.pulls and seen.not_checked. Sources are asked unless `book` is recent. Call
// it after the runtime was asked, see image::KnownPods.
void ReadClaims(const Ports& ports, PodBook& book, image::Observation& seen);

}  // namespace ebb::engine
