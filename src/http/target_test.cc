#include "http/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::http {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(HttpTarget, IsTakenApartAndDecoded) {
  const auto target = ParseTarget("/a%20b?x=1%262&empty=&flag&&x=other");
  ASSERT_TRUE(target.ok()) << target.error().message;
  EXPECT_EQ(target->path, "/a b");
  EXPECT_THAT(target->query,
              UnorderedElementsAre(Pair("x", "1&2"), Pair("empty", ""), Pair("flag", "")));
}

TEST(HttpTarget, WithoutASlashOrWithABrokenEscapeIsRefused) {
  for (const char* text :
       {"", "*", "http://host/", "a/b", "/%", "/%4", "/%zz", "/%+1", "/?a=%4", "/?%=1"}) {
    EXPECT_FALSE(ParseTarget(text).ok()) << text;
  }
}

TEST(HttpTarget, EscapesWhatItCanDecodeAgain) {
  EXPECT_EQ(Escaped("spec.nodeName=a-b_c~1/ü"), "spec.nodeName%3Da-b_c~1%2F%C3%BC");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  const auto target = ParseTarget("/?v=" + Escaped(all));
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->query.at("v"), all);
}

}  // namespace
}  // namespace ebb::http
