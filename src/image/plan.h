// A plan: every observed image with its verdict; removals first, in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "image/observation.h"
#include "image/policy.h"
#include "image/protection.h"
#include "image/reason.h"

namespace ebb::image {

struct Verdict {
  std::size_t image = 0;  // index into Observation::images
  bool remove = false;
  Reason reason = Reason::kNotNeeded;
  std::string detail;
  base::Bytes
      frees;  // removals: marginal, in this order; others: what removing it alone would free
  base::Bytes total;                         // removals: running sum
  std::optional<std::size_t> family;         // removals for bytes: index into Plan::families
  std::optional<std::size_t> superseded_by;  // the newer image of its repository
};

enum class Conclusion {
  kNothingToDo,  // the target is met already, or nothing is unused
  kReached,      // the removals predict that the target is met
  kNotReached,   // they do not: P12 holds and only what is long idle and replaceable goes
  kInDoubt,      // the observation cannot be trusted, nothing is removed
};

// Removals that stand on the same layers.
struct PlanFamily {
  std::string label;  // what they stand on: an image, a repository; "alone"
  std::size_t images = 0;
  base::Bytes frees;  // what goes if only these go
  double cost = 0;    // expected seconds per hour of pulling again (bytes with kBytes)
};

struct Plan {
  Target target;
  RemovalPolicy policy = RemovalPolicy::kReuse;
  Marks marks;
  int filesystem = -1;  // index of the one that sets the need; -1: none measured
  base::Bytes need;     // bytes to free; 0 for targets that are not about bytes
  std::vector<Verdict> verdicts;
  std::size_t removals = 0;  // verdicts[0, removals) are the removals
  // The disk may measure short, for bytes that are not exact or for an image that came into use:
  // then the next `reserve` verdicts go too, in order, until the measured target is reached. 0
  // where the target is not about bytes.
  std::size_t reserve = 0;
  base::Bytes predicted;  // sum of marginal bytes
  base::Bytes overshoot;  // of these, what the need did not ask for; 0 if it is not met
  // Proved: what goes for the need costs at most (1 + *proved_within) times as much as any other
  // unused images would that meet it beside those that age removes. nullopt: nothing is proved.
  std::optional<double> proved_within;
  std::vector<PlanFamily> families;
  Conclusion conclusion = Conclusion::kNothingToDo;
  std::vector<std::string> notes;  // what an operator should know about this plan
};

// Pure and total: the same arguments give the same plan, in whatever order images are listed.
// There is no dry run: this is all `plan` prints and all `collect` does.
Plan Decide(const Observation& seen, const Policy& policy, const Target& target);

// How many verdicts from the front one run may remove: the removals, and as much of the reserve as
// the radius allows. Requires BeyondRadius() to be empty.
std::size_t RemovalLimit(const Plan& plan, const Observation& seen, const BlastRadius& radius);

// Empty if the plan stays within the radius, else one sentence that names the flag to raise.
std::string BeyondRadius(const Plan& plan, const Observation& seen, const BlastRadius& radius);

// What a run that goes on later does now: removals beyond the radius stay, as kBeyondLimit, and
// with them the whole reserve.
Plan CutToRadius(Plan plan, const Observation& seen, const BlastRadius& radius);

}  // namespace ebb::image
