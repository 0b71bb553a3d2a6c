#include "history/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace ebb::history {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

const std::string kHash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

TEST(Codec, StoresDigestsAndHexIdsIn33Bytes) {
  EXPECT_EQ(Pack("sha256:" + kHash).size(), 33U);
  EXPECT_EQ(Pack(kHash).size(), 33U);
  EXPECT_THAT(Unpack(Pack("sha256:" + kHash)), Optional("sha256:" + kHash));
  EXPECT_THAT(Unpack(Pack(kHash)), Optional(kHash));
}

TEST(Codec, KeepsWhatOnlyLooksLikeADigest) {
  std::string upper = kHash;
  upper[10] = 'A';
  for (const std::string& text :
       {std::string(), std::string("sha256:"), "sha256:" + upper, upper,
        std::string("sha256:").append(kHash).append("0"),
        std::string("sha512:").append(kHash).append(kHash), std::string("a\0b", 3),
        std::string(300, 'x'), std::string("docker.io/library/busybox:latest")}) {
    EXPECT_THAT(Unpack(Pack(text)), Optional(text));
  }
}

TEST(Codec, DifferentTextsHaveDifferentKeys) {
  EXPECT_NE(Pack(kHash), Pack("sha256:" + kHash));
  EXPECT_NE(Pack(std::string(1, '\1') + kHash.substr(0, 32)), Pack("sha256:" + kHash));
}

TEST(Codec, KeepsListsInOrder) {
  const std::vector<std::string> list = {"sha256:" + kHash, "", kHash, "plain"};
  const auto unpacked = UnpackList(PackList(list));
  EXPECT_THAT(unpacked, Optional(list));
  EXPECT_THAT(UnpackList(""), Optional(ElementsAre()));
}

TEST(Codec, RefusesCutAndForeignBytes) {
  const std::string packed = PackList(std::vector<std::string>{"sha256:" + kHash});
  for (std::size_t size = 1; size < packed.size(); ++size) {
    EXPECT_EQ(UnpackList(packed.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(UnpackList("\x07"), std::nullopt);
  EXPECT_EQ(UnpackList(std::string("\0\xff\xff\xff\xff\xff\xff", 7)), std::nullopt);
  EXPECT_EQ(Unpack(""), std::nullopt);
  EXPECT_EQ(Unpack(Pack("a") + Pack("b")), std::nullopt);
}

TEST(Codec, NeverReadsBeyondRandomBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 80, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? random() : random() % 3);
    if (const auto list = UnpackList(bytes)) {
      EXPECT_EQ(UnpackList(PackList(*list)), list);
    }
  }
}

}  // namespace
}  // namespace ebb::history
