// The operators' page has every reason code, and no code that does not exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "image/reason.h"

namespace ebb::image {
namespace {

std::set<std::string> DocumentedCodes() {
  const auto page = std::filesystem::path(EBB_DOCS) / "image-gc.md";
  std::stringstream text;
  text << std::ifstream(page).rdbuf();
  const std::string all = text.str();
  const auto from = all.find("## Why an image stays or goes");
  const std::string section = all.substr(from, all.find("\n## ", from + 1) - from);
  std::set<std::string> codes;
  const std::regex row("\n[|] `([a-z-]+)` [|]");
  for (std::sregex_iterator at(section.begin(), section.end(), row), end; at != end; ++at) {
    codes.insert((*at)[1]);
  }
  return codes;
}

TEST(ImageGcPage, HasEveryReasonCodeAndNoOther) {
  std::set<std::string> codes;
  for (const Reason reason : AllReasons()) codes.emplace(Code(reason));
  EXPECT_EQ(DocumentedCodes(), codes);
}

}  // namespace
}  // namespace ebb::image
