// One small node, always the same, for the tests of this folder.
#pragma once

#include <string>

#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "image/report.h"

namespace ebb::report {

struct World {
  image::Observation seen;
  image::Policy policy;

  image::Plan Plan(const image::Target& target = {}) const {
    return image::Decide(seen, policy, target);
  }
};

// "sha256:" and 64 digits, different for every `number`.
std::string TestId(unsigned number);

// 13 images that share layers on a disk of 20 GiB, 84% used, at 03:04:05 in the night: at least
// one in use, exited, mounted, sandbox, pinned, named by a rule, our own, too young, dangling.
World MakeWorld();

// What became of `plan`: the second removal was held, the third failed, the last was not tried.
image::Report MakeReport(const World& world, const image::Plan& plan);

}  // namespace ebb::report
