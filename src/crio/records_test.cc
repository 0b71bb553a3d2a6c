#include "crio/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::crio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Records, SayWhatALayerIsBuiltOnAndWhatItTakesToPullIt) {
  const auto layers = ParseLayers(R"([
    {"id": "aa", "created": "then", "compressed-size": 70, "diff-size": 200},
    {"id": "bb", "parent": "aa", "compressed-size": -1, "diff-size": 300, "names": null},
    {"id": "cc", "parent": "", "flags": {"incomplete": true}},
    {"id": "dd", "flags": {"incomplete": false, "shiny": 1}}])");
  ASSERT_TRUE(layers.ok()) << layers.error().message;
  ASSERT_EQ(layers->size(), 4U);
  EXPECT_EQ((*layers)[0].created, "then");
  EXPECT_EQ((*layers)[0].download.count, 70);
  EXPECT_EQ((*layers)[1].parent, "aa");
  EXPECT_EQ((*layers)[1].download.count, 300) << "a layer that was never packed";
  EXPECT_TRUE((*layers)[2].incomplete);
  EXPECT_EQ((*layers)[2].parent, "");
  EXPECT_FALSE((*layers)[3].incomplete);
  EXPECT_EQ((*layers)[3].unknown_flag, "shiny");
}

TEST(Records, SayWhichLayersAnImageHas) {
  const auto images = ParseImages(
      R"([{"id": "11", "names": ["x.example/a:1"], "layer": "aa", "mapped-layers": ["ab", "ac"]},
          {"id": "22"}])");
  ASSERT_TRUE(images.ok()) << images.error().message;
  EXPECT_EQ((*images)[0].top, "aa");
  EXPECT_THAT((*images)[0].mapped, ElementsAre("ab", "ac"));
  EXPECT_EQ((*images)[1].top, "");
}

TEST(Records, AreAnotherVersionOfAnImageWhenItsDataGrew) {
  const auto version = [](const char* sizes) {
    const auto images = ParseImages(
        std::string(R"([{"id": "1", "created": "c", "big-data-sizes": )") + sizes + "}]");
    return images.ok() ? images->front().version : images.error().message;
  };
  EXPECT_EQ(version(R"({"a": 1})"), version(R"({"a": 1})"));
  EXPECT_NE(version(R"({"a": 1})"), version(R"({"a": 2})"));
  EXPECT_NE(version(R"({"a": 1})"), version(R"({"a": 1, "b": 0})"));
}

TEST(Records, SayWhatAContainerUses) {
  const auto containers = ParseContainers(R"([{"id": "c1", "image": "11", "layer": "aa"}])");
  ASSERT_TRUE(containers.ok()) << containers.error().message;
  EXPECT_EQ(containers->front().image, "11");
  EXPECT_EQ(containers->front().layer, "aa");
}

TEST(Records, OfAnEmptyFileAreNone) {
  for (const char* text : {"", "null", "[]"}) {
    const auto layers = ParseLayers(text);
    ASSERT_TRUE(layers.ok()) << text;
    EXPECT_THAT(*layers, IsEmpty());
  }
}

TEST(Records, OfAnotherShapeAreAnErrorThatSaysWhere) {
  const auto error = [](const char* text) {
    const auto images = ParseImages(text);
    return images.ok() ? "none" : images.error().message;
  };
  EXPECT_THAT(error("[{"), HasSubstr("it is no JSON"));
  EXPECT_THAT(error("{}"), HasSubstr("it is no list"));
  EXPECT_THAT(error(R"([{"id": "1"}, 7])"), HasSubstr("entry 2: it is no object"));
  EXPECT_THAT(error(R"([{"id": 5}])"), HasSubstr("entry 1: its id is of another type"));
  EXPECT_THAT(error(R"([{"id": "1", "layer": []}])"), HasSubstr("its layer is of another type"));
  EXPECT_THAT(error(R"([{"id": "1", "mapped-layers": "a"}])"), HasSubstr("its mapped-layers"));
  EXPECT_THAT(error(R"([{"id": "1", "mapped-layers": [1]}])"), HasSubstr("its mapped-layers"));
  EXPECT_THAT(error(R"([{"id": "1", "big-data-sizes": 1}])"), HasSubstr("its big-data-sizes"));
  EXPECT_THAT(error(std::string(100, '[').c_str()), HasSubstr("it is no JSON")) << "too deep";
}

TEST(Records, WithAnIdThatLeadsElsewhereAreAnError) {
  for (const char* id : {"", ".", "..", "../x", "a/b", "/etc", "a b", ".hidden", "a\\u0000b"}) {
    const std::string entry = std::string(R"([{"id": ")") + id + "\"}]";
    EXPECT_FALSE(ParseLayers(entry).ok()) << id;
    EXPECT_FALSE(ParseContainers(entry).ok()) << id;
  }
  EXPECT_FALSE(ParseLayers("[{\"id\": \"" + std::string(201, 'a') + "\"}]").ok());
  EXPECT_FALSE(ParseLayers(R"([{"id": "a", "parent": "../b"}])").ok());
  EXPECT_FALSE(ParseImages(R"([{"id": "a", "layer": "../b"}])").ok());
  EXPECT_FALSE(ParseImages(R"([{"id": "a", "mapped-layers": ["b", "../b"]}])").ok());
}

}  // namespace
}  // namespace ebb::crio
