// `ebb history`: what was removed, why, what came of it, and what was wanted again.
#pragma once

#include <string>
#include <vector>

#include "image/past.h"
#include "report/style.h"

namespace ebb::report {

// One line per run, in the order given. Name gives the numbers of the runs.
std::string RenderRuns(const std::vector<image::PastRun>& runs, const Style& style);

// One run with all its removals. Name gives the IDs of the images that went.
std::string RenderRun(const image::PastRun& run, const std::vector<image::PastRemoval>& removals,
                      const Style& style);

// One line per removal that was undone. Name gives the IDs of the images that came back.
std::string RenderRegrets(const std::vector<image::Regret>& regrets, const Style& style);

}  // namespace ebb::report
