#include "report/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>

namespace ebb::report {
namespace {

using graph::Fault;
using graph::Finding;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::vector<Finding> Findings() {
  Finding dangling{.fault = Fault::kDangling, .object = {"v1", "Pod", "shop", "a", "uid-a"}};
  dangling.reference = {"apps/v1", "ReplicaSet", "web", "uid-web"};
  dangling.deleted = true;
  Finding held{.fault = Fault::kHeld, .object = {"v1", "Pod", "shop", "b", "uid-b"}};
  held.detail = "x/y";
  held.remedy = "see to it";
  return {dangling, held};
}

TEST(LintReport, ATableOfFindingsAndTheirNumber) {
  const std::string text = RenderLint(Findings(), {});
  EXPECT_THAT(text, ContainsRegex("Pod shop/a +dangling +ReplicaSet/web"));
  EXPECT_THAT(text, ContainsRegex("Pod shop/b +held +- +x/y"));
  EXPECT_THAT(text, ContainsRegex("[0-9] errors?, [0-9] warnings?\\."));
}

TEST(LintReport, WideTellsWhatFollowsAndWhatToDo) {
  const std::string text = RenderLint(Findings(), {.format = Format::kWide});
  EXPECT_THAT(text, HasSubstr(std::string(graph::Consequence(Fault::kDangling))));
  EXPECT_THAT(text, HasSubstr("Pod shop/b: held (x/y)"));
  EXPECT_THAT(text, HasSubstr("remedy: see to it"));
}

TEST(LintReport, TheDocumentHasCodes) {
  const auto json = boost::json::parse(RenderLint(Findings(), {.format = Format::kJson}));
  const auto& findings = json.at("findings").as_array();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].at("fault"), "dangling");
  EXPECT_EQ(findings[0].at("owner").at("name"), "web");
  EXPECT_EQ(findings[0].at("isDeleted"), true);
  EXPECT_EQ(findings[1].at("owner"), nullptr);
  EXPECT_EQ(findings[1].at("detail"), "x/y");
}

TEST(LintReport, NothingWrongIsSaid) {
  EXPECT_EQ(RenderLint({}, {}), "Nothing is wrong with owner references and finalizers.\n");
}

TEST(LintReport, TheBookNamesEveryFault) {
  std::ifstream file(EBB_DOCS "/object-gc.md");
  const std::string book{std::istreambuf_iterator<char>(file), {}};
  for (const Fault fault : graph::kFaults) {
    EXPECT_THAT(book, HasSubstr("| `" + std::string(graph::Code(fault)) + "`"));
  }
}

}  // namespace
}  // namespace ebb::report
