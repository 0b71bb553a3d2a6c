// What operators and scripts see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <map>
#include <regex>

#include "cli/rig.h"

namespace ebb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(Cli, StatusSaysWhereTheDiskGoesAndRemovesNothing) {
  const Ran ran = Run({"status"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("containerd v1.7.24"));
  EXPECT_THAT(ran.out, HasSubstr("not checked: pods, pulls"));
  EXPECT_THAT(node_.asked(), IsEmpty());
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b"))) << "no colour without a terminal";
}

TEST_F(Cli, CollectRemovesWhatIsUnusedAndNothingElse) {
  const Ran ran = CollectAll();
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(node_.Has(ids_.at(static_cast<std::size_t>(i))));
  EXPECT_TRUE(node_.Has(ids_.at(3)));
  EXPECT_TRUE(node_.Has(pause_));
  EXPECT_THAT(node_.asked(), SizeIs(3));
  EXPECT_EQ(CollectAll().code, 0) << "a second run has nothing to do";
}

TEST_F(Cli, CollectDoesExactlyWhatPlanSays) {
  const Words age = {"--all-unused", "--min-age", "0s", "-o", "name"};
  const Ran plan = Run({"plan"}, age);
  const Ran collect = CollectAll({"-o", "name"});
  EXPECT_THAT(Lines(plan.out), SizeIs(3));
  EXPECT_EQ(plan.out, collect.out);
}

TEST_F(Cli, WithoutYesAndWithoutATerminalItShowsThePlanAndRefuses) {
  const Ran ran = Run({"collect"}, {"--all-unused", "--min-age", "0s", "--max-percent", "100"});
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.out, HasSubstr("registry.example/idle-a:1"));
  EXPECT_THAT(ran.err, HasSubstr("--yes"));
  EXPECT_THAT(node_.asked(), IsEmpty());
}

TEST_F(Cli, TheBlastRadiusRefusesAndNamesTheFlag) {
  const Ran ran = Run({"collect"}, {"--all-unused", "--yes", "--min-age", "0s"});
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.err, HasSubstr("--max-percent"));
  EXPECT_THAT(node_.asked(), IsEmpty());
}

TEST_F(Cli, FreshImagesAreTooYoungAndThePlanNamesTheFlag) {
  const Ran ran = Run({"plan"}, {"--all-unused"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("--min-age 0s"));
}

TEST_F(Cli, AnUnreachableTargetExitsWithThree) {
  const Ran ran = Run({"collect"}, {"--free", "4Pi", "--yes", "--min-age", "0s"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("something else fills the disk"));
  EXPECT_THAT(node_.asked(), IsEmpty()) << "nothing is long idle, so nothing goes";
}

TEST_F(Cli, PlanExitCodeTellsWhetherSomethingWouldGo) {
  EXPECT_EQ(Run({"plan"}, {"--exit-code", "--all-unused", "--min-age", "0s"}).code, 10);
  EXPECT_EQ(Run({"plan"}, {"--exit-code", "--all-unused"}).code, 0);
}

TEST_F(Cli, WrongUseExitsWithTwoInOneSentence) {
  for (const Words& words : {Words{"collekt"},
                             {"plan", "--to", "170%"},
                             {"plan", "--to", "70%", "--all-unused"},
                             {"plan", "--unused-for", ""},
                             {"status", "--high", "0"},
                             {"status", "--low", "90"},
                             {"status", "-o", "xml"},
                             {"plan", "--free", "much"},
                             {"explain"},
                             {"status", "--protect", "a*b"}}) {
    const Ran ran = Ebb(words);
    EXPECT_EQ(ran.code, 2) << words.back();
    EXPECT_THAT(Lines(ran.err), SizeIs(1)) << ran.err;
  }
}

TEST_F(Cli, AWrongConfigurationIsNamedByFileLineAndKey) {
  std::ofstream(dir_ / "ebb.yaml")
      << "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\nimageGCHighTresholdPercent: 80\n";
  const Ran ran = Run({"status"}, {"--config", dir_ / "ebb.yaml"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("ebb.yaml:3"));
  EXPECT_THAT(ran.err, HasSubstr("imageGCHighThresholdPercent")) << "it suggests the nearest key";
}

TEST_F(Cli, FlagsBeatTheFile) {
  std::ofstream(dir_ / "ebb.yaml")
      << "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\nmaxImagesPerRun: 7\n";
  EXPECT_THAT(Ebb({"config", "view", "--config", dir_ / "ebb.yaml"}).out,
              HasSubstr("maxImagesPerRun: 7"));
  EXPECT_THAT(Ebb({"config", "view", "--config", dir_ / "ebb.yaml", "--max-images", "9"}).out,
              HasSubstr("maxImagesPerRun: 9"));
}

TEST_F(Cli, ConfigViewIsAValidConfiguration) {
  std::ofstream(dir_ / "view.yaml") << Ebb({"config", "view"}).out;
  const Ran ran = Ebb({"config", "validate", dir_ / "view.yaml"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(Cli, ProtectKeepsWhatItNames) {
  (void)CollectAll({"--protect", "registry.example/idle-b"});
  EXPECT_FALSE(node_.Has(ids_.at(0)));
  EXPECT_TRUE(node_.Has(ids_.at(1)));
}

TEST_F(Cli, APatternThatMatchesNothingIsReported) {
  EXPECT_THAT(Run({"plan"}, {"--protect", "registry.exmaple/*"}).err,
              HasSubstr("'registry.exmaple/*' matches no image"));
}

TEST_F(Cli, JsonIsVersionedAndHasIntegerBytes) {
  for (const auto& [command, kind] : std::map<std::string, std::string>{
           {"status", "Status"}, {"images", "ImageList"}, {"plan", "Plan"}, {"df", "DiskUsage"}}) {
    const Ran ran = Run({command}, {"-o", "json"});
    boost::system::error_code bad;
    const auto document = boost::json::parse(ran.out, bad);
    ASSERT_FALSE(bad) << ran.out;
    EXPECT_EQ(document.at("apiVersion").as_string(), "ebb/v1alpha1");
    EXPECT_EQ(document.at("kind").as_string(), kind);
  }
}

TEST_F(Cli, WhereTheStoreCannotBeReadThatIsSaidInOneSentence) {
  for (const std::string command : {"layers", "leases"}) {
    const Ran ran = Run({command});
    EXPECT_EQ(ran.code, 1) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("the store of this runtime could not be read"));
  }
  EXPECT_EQ(Run({"explain", "layer", "0123456"}).code, 1);
  EXPECT_EQ(Run({"explain", "one", "two"}).code, 2);
}

TEST_F(Cli, ThePolicyIsNamedInThePlan) {
  EXPECT_THAT(Run({"plan", "--free", "100", "--min-age", "0s"}, {"--policy", "lru"}).out,
              HasSubstr("policy:      lru"));
  EXPECT_EQ(Run({"plan"}, {"--policy", "random"}).code, 2);
}

TEST_F(Cli, ExplainSaysWhyAnImageStaysAndWhyAnotherWent) {
  EXPECT_THAT(Run({"explain", "registry.example/used:1"}).out, HasSubstr("in-use"));
  EXPECT_THAT(Run({"explain", "pause:3.9"}).err, HasSubstr("pause:3.9"));
  (void)CollectAll();
  const Ran gone = Run({"explain", "registry.example/idle-a:1"});
  EXPECT_EQ(gone.code, 0) << gone.err;
  EXPECT_THAT(gone.out, HasSubstr("all-unused"));
  EXPECT_EQ(Run({"explain", "registry.example/never:1"}).code, 2);
}

TEST_F(Cli, CompletionKnowsEverySubcommandAndIsValidShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Ran ran = Ebb({"completion", shell});
    EXPECT_EQ(ran.code, 0);
    for (const char* word : {"status", "images", "plan", "collect", "explain", "--all-unused"}) {
      EXPECT_THAT(ran.out, HasSubstr(std::string(word).substr(word[0] == '-' ? 2 : 0))) << shell;
    }
  }
  std::ofstream(dir_ / "ebb.bash") << Ebb({"completion", "bash"}).out;
  EXPECT_EQ(std::system(("bash -n " + (dir_ / "ebb.bash").string()).c_str()), 0);
}

// What --help says of each: the long flags.
Words FlagsIn(const std::string& text) {
  static const std::regex kFlag("--[a-z][a-z-]+");
  Words flags;
  for (std::sregex_iterator at(text.begin(), text.end(), kFlag), end; at != end; ++at) {
    flags.push_back(at->str());
  }
  return flags;
}

TEST_F(Cli, EverySubcommandHasAManualPageWithAllItsFlags) {
  for (const Words& command : {Words{},
                               {"status"},
                               {"images"},
                               {"plan"},
                               {"collect"},
                               {"explain"},
                               {"history"},
                               {"history", "show"},
                               {"history", "export"},
                               {"config"},
                               {"config", "view"},
                               {"config", "validate"},
                               {"completion"},
                               {"version"}}) {
    Words ask = {"man"};
    ask.insert(ask.end(), command.begin(), command.end());
    const Ran man = Ebb(ask);
    EXPECT_EQ(man.code, 0) << man.err;
    std::ofstream(dir_ / "ebb.8") << man.out;
    const std::string file = dir_ / "page.txt";
    const std::string render = "LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings=w -l " +
                               (dir_ / "ebb.8").string() + " >" + file + " 2>&1";
    ASSERT_EQ(std::system(("{ " + render + "; } && ! grep -q warning: " + file).c_str()), 0);
    std::stringstream page;
    page << std::ifstream(file).rdbuf();
    EXPECT_THAT(page.str(), HasSubstr("EXIT STATUS"));
    Words help = command;
    help.emplace_back("--help");
    for (const std::string& flag : FlagsIn(Ebb(help).out)) {
      EXPECT_THAT(page.str(), HasSubstr(flag)) << ::testing::PrintToString(command);
    }
  }
  EXPECT_EQ(Ebb({"man", "nothing"}).code, 2);
}

TEST_F(Cli, DeadSaysWhatWasLeftBehindAndThatNobodyKnowsWhetherItIsWanted) {
  const Ran ran = Run({"dead"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("container"));
  EXPECT_THAT(ran.out, HasSubstr("pods-not-asked"));
  const auto json = boost::json::parse(Run({"dead"}, {"-o", "json"}).out).as_object();
  EXPECT_EQ(json.at("things").as_array().at(0).at("verdict").as_string(), "stays");
  EXPECT_FALSE(json.at("podSourcesAsked").as_bool());
}

TEST_F(Cli, HelpNamesEverySubcommand) {
  const Ran ran = Ebb({"--help"});
  EXPECT_EQ(ran.code, 0);
  for (const char* word : {"status", "images", "plan", "collect", "explain", "df", "layers",
                           "leases", "dead", "history", "version", "config", "completion"}) {
    EXPECT_THAT(ran.out, HasSubstr(word));
  }
}

class CliOnCriO : public Cli {
 protected:
  CliOnCriO() : Cli(testing::CriO136()) {}
};

TEST_F(CliOnCriO, ARefusalIsHeldAndNotAnError) {
  node_.Refuse(ids_.at(0), {base::ErrorCode::kHeld, "image is in use by a container"});
  const Ran ran = CollectAll();
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("held"));
}

}  // namespace
}  // namespace ebb::cli
