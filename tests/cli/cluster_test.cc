// `ebb cluster` over files, as somebody with a dump of a cluster uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/program.h"
#include "testing/temp_dir.h"

namespace ebb::cli {
namespace {

using ::testing::HasSubstr;

class ClusterCli : public ::testing::Test {
 protected:
  ClusterCli() {
    std::ofstream(Dump()) << R"({"apiVersion":"v1","kind":"List","items":[
{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"u1"}},
{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web-1","namespace":"shop","uid":"u2",
 "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"u1",
                     "controller":true,"blockOwnerDeletion":true}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1-a","namespace":"shop","uid":"u3",
 "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"u2",
                     "controller":true,"blockOwnerDeletion":true}]}}]})";
  }
  std::string Dump() const { return directory_ / "cluster.json"; }
  Ran Preview(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"cluster", "preview", "delete", "--from", Dump()};
    words.insert(words.end(), more.begin(), more.end());
    return Ebb(words);
  }

  testing::TempDir directory_;
};

TEST_F(ClusterCli, ThePreviewShowsWhatADeletionTakesAlong) {
  const Ran ran = Preview({"deploy/web"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("   └─ Pod shop/web-1-a    deleted in step 3"));
  EXPECT_THAT(ran.out, HasSubstr("3 objects go"));
}

TEST_F(ClusterCli, TheThreePoliciesDiffer) {
  EXPECT_THAT(Preview({"deploy/web", "--cascade", "foreground"}).out,
              HasSubstr("Pod shop/web-1-a    deleted in step 1, its owner waits for it"));
  EXPECT_THAT(Preview({"deploy/web", "--cascade", "orphan"}).out,
              HasSubstr("1 object goes: 1 Deployment. 2 objects stay."));
  EXPECT_EQ(Preview({"deploy/web", "--cascade", "sideways"}).code, 2);
}

TEST_F(ClusterCli, EveryFormatIsWritten) {
  EXPECT_EQ(Preview({"deploy/web", "-o", "name"}).out,
            "Deployment/web\nReplicaSet/web-1\nPod/web-1-a\n");
  EXPECT_THAT(Preview({"rs/web-1", "-o", "dot"}).out, HasSubstr("digraph"));
  EXPECT_THAT(Preview({"rs/web-1", "-o", "mermaid"}).out, HasSubstr("flowchart"));
  EXPECT_THAT(Preview({"rs/web-1", "-o", "yaml"}).out, HasSubstr("kind: DeletionPreview"));
  EXPECT_THAT(Preview({"rs/web-1", "-o", "table"}).out, HasSubstr("WHAT HAPPENS"));
}

TEST_F(ClusterCli, WhatIsNotThereIsSaidWithItsName) {
  const Ran none = Preview({"deploy/other", "-n", "shop"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.err, "ebb: there is no deploy/other in namespace shop\n");
  EXPECT_EQ(Ebb({"cluster", "lint", "--from", directory_ / "none"}).code, 1);
  const Ran nowhere = Ebb({"cluster", "lint"}, {{"HOME", directory_ / "nobody"}});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("which cluster?"));
  EXPECT_EQ(Preview({"deploy/web", "--context", "c"}).code, 2);
}

TEST_F(ClusterCli, OX13TwoObjectsOfOneUidAreRefusedAndNamed) {
  const std::string twin = directory_ / "twin.json";
  std::ofstream(twin) << R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"twin",
    "namespace":"shop","uid":"u3"}})";
  const Ran ran = Preview({"deploy/web", "--from", twin});
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.err, HasSubstr("Pod shop/twin has the UID of another object"));
}

TEST_F(ClusterCli, LintTellsByItsExitStatusHowBadItIs) {
  const Ran clean = Ebb({"cluster", "lint", "--from", Dump()});
  EXPECT_EQ(clean.code, 0) << clean.out;
  const std::string orphans = directory_ / "orphans.json";
  std::ofstream(orphans) << R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",
    "namespace":"shop","uid":"u7","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",
    "name":"gone","uid":"u8"}]}})";
  const Ran unknown = Ebb({"cluster", "lint", "--from", orphans});
  EXPECT_EQ(unknown.code, 6) << "nothing was read of the owner's kind";
  const Ran dangling = Ebb({"cluster", "lint", "--from", Dump(), "--from", orphans});
  EXPECT_EQ(dangling.code, 7);
  EXPECT_THAT(dangling.out, HasSubstr("Pod shop/a"));
}

}  // namespace
}  // namespace ebb::cli
