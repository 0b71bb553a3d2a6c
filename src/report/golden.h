// Whole outputs, compared with files in testdata/.
#pragma once

#include <string>

namespace ebb::report {

// Fails unless testdata/`name` is exactly `text`; a file that is missing fails. With
// EBB_UPDATE_GOLDEN=1 in the environment the file is written instead: look at the difference.
void ExpectGolden(const std::string& name, const std::string& text);

}  // namespace ebb::report
