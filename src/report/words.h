// Stable codes and sentences for values that have none in image/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/classes.h"
#include "image/observation.h"
#include "image/plan.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::report {

std::string_view Code(image::Accounting accounting);  // "exact", "layers", "reported"
std::string_view Code(image::Conclusion conclusion);  // "nothing-to-do", "reached", ...
std::string_view Code(image::Target::Kind kind);      // "marks", "used-percent", ...
std::string_view Code(image::ContainerState state);   // "created", "running", ...

// "layers: estimated from reported sizes".
std::string_view Sentence(image::Accounting accounting);

// "3 containers", "1 lease", "2 records of moby".
std::string HolderWords(const image::HeldElsewhere& held);

// "1.2 GiB", or "about 1.2 GiB" where the accounting is an estimate.
std::string Approximately(base::Bytes bytes, image::Accounting accounting);

// Used per cent once `freed` more bytes are available. Requires filesystem.measured().
base::Percent UsedAfter(const image::Filesystem& filesystem, base::Bytes freed);

std::string Text(base::Percent percent);  // "84%"

// "low 80%, high 82%, kubelet 85%, critical 89% (auto, from ...)".
std::string MarksSentence(const image::Marks& marks);

// What the plan is for: "down to the low mark 80%, for 84% used is not below the high mark 82%".
std::string TargetSentence(const image::Observation& seen, const image::Plan& plan);

// What the plan comes to: "would remove 5 images and free about 1.2 GiB (84% -> 80% used)".
std::string ConclusionSentence(const image::Observation& seen, const image::Plan& plan);

// Doubts, notes and warnings as labelled lines, the gravest first and each once; beyond `most`
// one line counts the others. 0: all of them.
std::vector<std::string> MessageLines(const image::Observation& seen,
                                      const std::vector<std::string>& notes, const Style& style,
                                      std::size_t most = 0);

// "accounting ..." and, where there is one, "not checked ...".
std::string TrustLines(const image::Observation& seen, const Style& style);

}  // namespace ebb::report
