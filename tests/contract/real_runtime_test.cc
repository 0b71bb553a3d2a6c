// The same promises kept by a real runtime: the one at EBB_TEST_RUNTIME_ENDPOINT. Nothing is
// changed there, except that the image named by EBB_TEST_IMAGE is removed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "contract/promises.h"
#include "cri/connect.h"
#include "cri/remover.h"
#include "cri/runtime.h"

namespace ebb::contract {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class RealRuntime : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string endpoint = Environment("EBB_TEST_RUNTIME_ENDPOINT");
    if (endpoint.empty()) {
      GTEST_SKIP() << "EBB_TEST_RUNTIME_ENDPOINT names no runtime, so none was asked";
    }
    auto connection = cri::Connect({.runtime = endpoint});
    ASSERT_TRUE(connection.ok()) << connection.error().message;
    runtime = cri::MakeRuntime(*connection);
    remover = cri::MakeRemover(*connection);
  }

  std::unique_ptr<engine::Runtime> runtime;
  std::unique_ptr<engine::Remover> remover;
};

TEST_F(RealRuntime, SaysWhoItIs) {
  ExpectIdentity(*runtime);
}
TEST_F(RealRuntime, ListsASoundInventory) {
  ExpectSoundInventory(*runtime);
}
TEST_F(RealRuntime, NamesItsStorage) {
  ExpectStoragePaths(*runtime);
}
TEST_F(RealRuntime, ResolvesEveryNameItLists) {
  ExpectNamesResolve(*runtime);
}
TEST_F(RealRuntime, AnswersEveryQuestionOnce) {
  ExpectOneAnswerPerQuestion(*runtime);
}

TEST_F(RealRuntime, AnAbsentImageIsAsGoodAsRemoved) {
  const engine::Victim absent{{"sha256:" + std::string(64, '0')}};
  const auto results = remover->Remove(std::span(&absent, 1));
  ASSERT_EQ(results.size(), 1);
  EXPECT_TRUE(results.front().outcome == image::Outcome::kRemoved ||
              results.front().outcome == image::Outcome::kGone)
      << results.front().detail;
}

TEST_F(RealRuntime, RemovesTheDisposableImageWithAllItsNames) {
  const std::string name = Environment("EBB_TEST_IMAGE");
  if (name.empty()) GTEST_SKIP() << "EBB_TEST_IMAGE names no disposable image: none was removed";
  const auto id = runtime->Resolve(name);
  ASSERT_TRUE(id.ok()) << id.error().message;
  ASSERT_NE(id->value, "") << name << " is not on this node";
  const engine::Victim victim{*id};
  const auto results = remover->Remove(std::span(&victim, 1));
  EXPECT_EQ(results.front().outcome, image::Outcome::kRemoved) << results.front().detail;
  const auto listed = runtime->List();
  ASSERT_TRUE(listed.ok()) << listed.error().message;
  EXPECT_EQ(std::ranges::find(listed->images, *id, &image::Image::id), listed->images.end());
  EXPECT_EQ(runtime->Resolve(name)->value, "");
}

}  // namespace
}  // namespace ebb::contract
