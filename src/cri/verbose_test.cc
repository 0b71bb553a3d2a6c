#include "cri/verbose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::cri {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

// As containerd writes it, shortened.
constexpr std::string_view kInfo = R"({
  "chainID": "sha256:c1",
  "imageSpec": {
    "created": "2024-01-01T00:00:00Z", "author": "M\u00fcller \"x\"", "architecture": "amd64",
    "config": {"Env": ["rootfs=diff_ids", "A=1"], "Labels": {"rootfs": "no", "diff_ids": "no"}},
    "rootfs": {"type": "layers", "diff_ids": ["sha256:a", "sha256:b", "sha256:b"]},
    "history": [{"created_by": "x", "empty_layer": true, "rootfs": {"diff_ids": ["no"]}}]
  }
})";

TEST(DiffIds, AreReadInOrderAndAsOftenAsListed) {
  EXPECT_THAT(DiffIdsOf(kInfo), Optional(ElementsAre("sha256:a", "sha256:b", "sha256:b")));
}

TEST(DiffIds, OfAnImageWithoutLayersAreAnEmptyList) {
  EXPECT_THAT(DiffIdsOf(R"({"imageSpec":{"rootfs":{"diff_ids":[]}}})"), Optional(IsEmpty()));
}

TEST(DiffIds, OfJsonCutAnywhereBeforeTheirEndAreNotTold) {
  const std::size_t end = kInfo.find(']', kInfo.find("sha256:b"));
  for (std::size_t size = 0; size <= end; ++size) {
    EXPECT_EQ(DiffIdsOf(kInfo.substr(0, size)), std::nullopt) << "after " << size << " bytes";
  }
  EXPECT_NE(DiffIdsOf(kInfo.substr(0, end + 1)), std::nullopt);
}

TEST(DiffIds, OfAnythingElseAreNotTold) {
  for (const std::string_view json : {
           "",
           " ",
           "null",
           "[]",
           "{}",
           "17",
           "\"diff_ids\"",
           "not json",
           "{\"imageSpec\":",
           R"({"imageSpec":null})",
           R"({"imageSpec":{"rootfs":[]}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":null}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":7}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":{"0":"sha256:a"}}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":["sha256:a",7]}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":["sha256:a",null]}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":["sha256:a",["sha256:b"]]}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":["sha256:a",{"x":"sha256:b"}]}}})",
           R"({"imageSpec":{"diff_ids":["sha256:a"]}})",
           R"({"imageSpec":[{"rootfs":{"diff_ids":["sha256:a"]}}]})",
           R"([{"imageSpec":{"rootfs":{"diff_ids":["sha256:a"]}}}])",
           R"({"other":{"imageSpec":{"rootfs":{"diff_ids":["sha256:a"]}}}})",
           R"({"imageSpec":{},"rootfs":{"diff_ids":["sha256:a"]}})",
           R"({"imageSpec":7,"x":{"rootfs":{"diff_ids":["sha256:a"]}}})",
           R"({"rootfs":{"diff_ids":["sha256:a"]}})",
           R"({"x":{"imageSpec":1,"rootfs":{"diff_ids":["sha256:a"]}}})",
           R"({"imageSpec":{"rootfs":{"diff_ids":["sha256:a",["b"]],"diff_ids":["sha256:c"]}}})",
       }) {
    EXPECT_EQ(DiffIdsOf(json), std::nullopt) << json;
  }
}

TEST(DiffIds, AreFoundBehindKeysThatOnlyLookAlike) {
  EXPECT_THAT(DiffIdsOf(R"({"x":{"imageSpec":1},"imageSpec":{"a":{"rootfs":{}},"b":[[]],"rootfs":
                          {"type":"layers","diff_ids":["sha256:a"]}}})"),
              Optional(ElementsAre("sha256:a")));
}

TEST(DiffIds, OfJsonNestedTooDeepAreNotTold) {
  const std::string deep(100000, '[');
  EXPECT_EQ(DiffIdsOf(R"({"x":)" + deep), std::nullopt);
}

TEST(DiffIds, AreUnescaped) {
  EXPECT_THAT(DiffIdsOf(R"({"imageSp\u0065c":{"rootfs":{"diff_ids":["sha256\u003aa"]}}})"),
              Optional(ElementsAre("sha256:a")));
}

TEST(SandboxImage, IsReadFromTheConfigurationOfContainerd1) {
  EXPECT_EQ(SandboxImageOf(R"({"containerd":{"snapshotter":"overlayfs","sandboxImage":"no"},
                              "sandboxImage":"localhost/pause:1","statsCollectPeriod":10})"),
            "localhost/pause:1");
}

TEST(SandboxImage, IsUnknownWhereTheRuntimeDoesNotTell) {
  for (const std::string_view json :
       {"", "garbage", "{}", R"({"sandboxImage":null})", R"({"sandboxImage":["a","b"]})",
        R"({"sandboxImage":{"a":"b"}})", R"({"containerd":{"sandboxImage":"x"}})",
        R"({"sandboxImage":"cut)"}) {
    EXPECT_EQ(SandboxImageOf(json), "") << json;
  }
}

TEST(ImageOfSandbox, IsTheOneAtTheTop) {
  EXPECT_EQ(ImageOfSandbox(R"({"pid":1,"config":{"image":"no"},"image":"localhost/pause:1"})"),
            "localhost/pause:1");
  EXPECT_EQ(ImageOfSandbox(R"({"pid":1,"image":""})"), "");
  EXPECT_EQ(ImageOfSandbox(""), "");
}

}  // namespace
}  // namespace ebb::cri
