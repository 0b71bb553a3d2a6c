// `ebb history`: what was removed and why, long after it happened and without a runtime.
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "cli/rig.h"

namespace ebb::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class HistoryOf : public Cli {
 protected:
  // `ebb history MORE --state-dir …`, which knows no endpoint.
  Ran History(const Words& more = {}) const {
    Words line = {"history"};
    line.insert(line.end(), more.begin(), more.end());
    line.insert(line.end(), {"--state-dir", (dir_ / "state").string()});
    return Ebb(line);
  }
};

TEST_F(HistoryOf, ARunIsListedAndShownWithItsRemovalsWhenTheRuntimeIsGone) {
  ASSERT_EQ(CollectAll().code, 0);
  server_.reset();
  const Ran runs = History();
  EXPECT_EQ(runs.code, 0) << runs.err;
  ASSERT_THAT(Lines(runs.out), SizeIs(2)) << runs.out;
  EXPECT_THAT(Lines(runs.out)[1],
              AllOf(HasSubstr("collect"), HasSubstr("  3  "), HasSubstr("reached")));
  const Ran run = History({"show", "1"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("registry.example/idle-a:1"), HasSubstr("all-unused"),
                             HasSubstr("removed")));
}

TEST_F(HistoryOf, ItIsADocumentForScripts) {
  ASSERT_EQ(CollectAll().code, 0);
  const auto runs = boost::json::parse(History({"-o", "json"}).out);
  EXPECT_EQ(runs.at("kind").as_string(), "RunList");
  EXPECT_EQ(runs.at("items").at(0).at("removed").as_int64(), 3);
  const auto run = boost::json::parse(History({"show", "1", "-o", "json"}).out);
  EXPECT_EQ(run.at("removals").as_array().size(), 3U);
  EXPECT_THAT(History({"-o", "yaml"}).out, HasSubstr("kind: RunList"));
}

TEST_F(HistoryOf, AnImageThatIsPulledAgainIsARegret) {
  ASSERT_EQ(CollectAll().code, 0);
  const Ran before = History({"--regrets"});
  EXPECT_EQ(before.code, 0);
  EXPECT_EQ(before.out, "");
  EXPECT_THAT(Lines(before.err), SizeIs(1));
  node_.AddImage("registry.example/idle-b:1", {100});
  ASSERT_EQ(Run({"status"}).code, 0) << "somebody has to look";
  const Ran after = History({"--regrets"});
  EXPECT_THAT(after.out, AllOf(HasSubstr("registry.example/idle-b:1"), HasSubstr("itself"),
                               HasSubstr("1 removal undone")));
  EXPECT_THAT(after.out, Not(HasSubstr("idle-a")));
  ASSERT_EQ(CollectAll().code, 0);
  EXPECT_EQ(History({"--regrets", "--limit", "1"}).out, "") << "the latest run undid nothing yet";
  EXPECT_EQ(Lines(History({"--regrets", "-o", "name"}).out).size(), 1U);
}

TEST_F(HistoryOf, TheNewestRunsAreShownAndOlderOnesSaid) {
  for (int run = 0; run < 3; ++run) {
    node_.AddImage("registry.example/idle-a:1", {100});
    ASSERT_EQ(CollectAll().code, 0);
  }
  const Ran cut = History({"--limit", "2", "-o", "name"});
  EXPECT_EQ(cut.out, "3\n2\n");
  EXPECT_THAT(cut.err, HasSubstr("--limit 0"));
  EXPECT_EQ(History({"--limit", "0", "-o", "name"}).out, "3\n2\n1\n");
  EXPECT_EQ(History({"--since", "1h", "-o", "name"}).out, "3\n2\n1\n");
  const Ran none = History({"--since", "0s", "-o", "name"});
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(none.err, HasSubstr("no run is as young as that"));
}

TEST_F(HistoryOf, ExportIsOneVersionedDocumentALine) {
  ASSERT_EQ(CollectAll().code, 0);
  const Ran ran = History({"export"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Words lines = Lines(ran.out);
  ASSERT_THAT(lines, SizeIs(4)) << ran.out;
  Words kinds;
  for (const std::string& line : lines) {
    const auto document = boost::json::parse(line);
    EXPECT_EQ(document.at("apiVersion").as_string(), "ebb/v1alpha1");
    kinds.emplace_back(document.at("kind").as_string());
  }
  EXPECT_THAT(kinds, ::testing::ElementsAre("Run", "Removal", "Removal", "Removal"));
}

TEST_F(HistoryOf, NothingYetIsOneSentenceAndNoError) {
  for (const Words& more : {Words{}, {"--regrets"}, {"export"}}) {
    const Ran ran = History(more);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, "");
    ASSERT_THAT(Lines(ran.err), SizeIs(1));
    EXPECT_THAT(ran.err, HasSubstr("nothing has been recorded yet"));
  }
  EXPECT_THAT(History({"-o", "json"}).out, HasSubstr("\"items\": []"));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "state")) << "reading creates nothing";
  ASSERT_EQ(Run({"status"}).code, 0);
  const Ran empty = History();
  EXPECT_EQ(empty.code, 0);
  EXPECT_THAT(empty.err, HasSubstr("no run has been recorded yet"));
}

TEST_F(HistoryOf, AFileThatCannotBeReadIsAnErrorInOneSentence) {
  std::filesystem::create_directory(dir_ / "state");
  std::ofstream(dir_ / "state/history.db") << std::string(8192, 'x');
  for (const Words& more : {Words{}, {"--regrets"}, {"show", "1"}, {"export"}}) {
    const Ran ran = History(more);
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(Lines(ran.err), SizeIs(1));
    EXPECT_THAT(ran.err, HasSubstr("history.db"));
  }
}

TEST_F(HistoryOf, WrongUseExitsWithTwo) {
  ASSERT_EQ(Run({"status"}).code, 0);
  for (const Words& more : {Words{"show"},
                            {"show", "7"},
                            {"show", "0"},
                            {"show", "first"},
                            {"--since", "yesterday"},
                            {"--limit", "few"},
                            {"export", "--since", "-1h"}}) {
    const Ran ran = History(more);
    EXPECT_EQ(ran.code, 2) << more.back();
    EXPECT_THAT(Lines(ran.err), SizeIs(1)) << ran.err;
    EXPECT_THAT(ran.err, StartsWith("ebb: "));
  }
  EXPECT_THAT(History({"show", "7"}).out, IsEmpty());
}

}  // namespace
}  // namespace ebb::cli
