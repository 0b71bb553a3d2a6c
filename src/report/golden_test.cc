#include "report/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace ebb::report {

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(EBB_TESTDATA) + "/" + name;
  const char* const update = std::getenv("EBB_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  const std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file.is_open()) << "no golden file " << name << "; EBB_UPDATE_GOLDEN=1 writes it";
  std::ostringstream wanted;
  wanted << file.rdbuf();
  EXPECT_EQ(wanted.str(), text) << "testdata/" << name;
}

}  // namespace ebb::report
