// The filter before any plan: who must not be touched, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "image/observation.h"
#include "image/policy.h"
#include "image/reason.h"

namespace ebb::image {

struct Shield {
  Reason reason = Reason::kInUse;
  std::string detail;  // who holds it, which rule, until when
};

struct Protection {
  // Per image: the first protection that holds, strongest first; nullopt where none does.
  std::vector<std::optional<Shield>> shields;
  // Why nothing may go at all (P2): the observation's own doubts, and containers that say nothing
  // about their image, for then any image may be theirs.
  std::vector<std::string> doubts;
};

Protection Protect(const Observation& seen, const Policy& policy);

// Patterns of the policy that match no image: worth a warning, they may be misspelt.
std::vector<std::string> IdlePatterns(const Observation& seen, const Policy& policy);

}  // namespace ebb::image
