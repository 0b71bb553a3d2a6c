#include "kube/object_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/wire.h"

namespace ebb::kube {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A field of bytes, of fewer than 128.
std::string Bytes(unsigned field, const std::string& bytes) {
  return std::string{static_cast<char>(field << 3U | 2U), static_cast<char>(bytes.size())} + bytes;
}
std::string PageOf(const std::string& list, const std::string& kind = "PartialObjectMetadataList") {
  return std::string("k8s\0", 4) + Bytes(1, Bytes(2, kind)) + Bytes(2, list);
}
std::string Metadata(const std::string& fields) {
  return PageOf(Bytes(2, Bytes(1, fields)));
}
std::string ErrorOf(const std::string& body) {
  const auto page = ParseProtobufPage(body);
  return page.ok() ? "taken" : page.error().message;
}

TEST(Wire, ReadsEveryTypeAndStepsOverWhatNobodyAsksFor) {
  const std::string message = Bytes(1, "text") + std::string("\x10\xac\x02", 3) +
                              std::string("\x19\x01\0\0\0\0\0\0\x80", 9) +
                              std::string("\x25\x02\x01\0\0", 5);
  Wire wire(message);
  ASSERT_TRUE(wire.Next());
  EXPECT_EQ(wire.field(), 1U);
  EXPECT_EQ(wire.Text(), "text");
  ASSERT_TRUE(wire.Next());
  EXPECT_EQ(wire.Number(), 300U);
  ASSERT_TRUE(wire.Next());
  EXPECT_EQ(wire.Number(), 0x8000000000000001U);
  ASSERT_TRUE(wire.Next());
  EXPECT_EQ(wire.Number(), 258U);
  EXPECT_FALSE(wire.Next());
  EXPECT_TRUE(wire.ok());
}

TEST(Wire, EndsEarlyWhereAMessageIsNone) {
  for (const std::string& message :
       {std::string("\x0a\x05"
                    "abc"),              // longer than what there is
        std::string("\x08"),             // a number without digits
        std::string(11, '\xff'),         // a number without end
        std::string("\x09\x01", 2),      // half a fixed number
        std::string("\x0b\x08\x01", 3),  // a group
        std::string("\x02\x00", 2),      // field 0
        std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11)}) {
    Wire wire(message);
    while (wire.Next()) continue;
    EXPECT_FALSE(wire.ok()) << ::testing::PrintToString(message);
  }
}

TEST(Wire, AFieldOfTheOtherTypeIsWrong) {
  const std::string message = Bytes(1, "x");
  Wire wire(message);
  ASSERT_TRUE(wire.Next());
  EXPECT_EQ(wire.Number(), 0U);
  EXPECT_FALSE(wire.ok());
  EXPECT_FALSE(wire.Next());
}

TEST(ProtobufPage, OfWrongTypesOrAnotherKindIsRefused) {
  EXPECT_EQ(ErrorOf(Metadata(Bytes(1, "a") + Bytes(5, "u"))), "taken");
  EXPECT_THAT(ErrorOf(Metadata(std::string("\x08\x01", 2))), HasSubstr("wrong types"));
  EXPECT_THAT(ErrorOf(Metadata(Bytes(13, Bytes(1, "Pod")))), HasSubstr("wrong types"));
  EXPECT_THAT(ErrorOf(PageOf("", "PodList")),
              HasSubstr("no PartialObjectMetadataList but 'PodList'"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("no protobuf of Kubernetes"));
}

TEST(ObjectPage, LeavesOutWhatHasNoUid) {
  EXPECT_THAT(ParseProtobufPage(Metadata(Bytes(1, "a")))->objects, IsEmpty());
  EXPECT_THAT(
      ParseObjectPage(R"({"kind":"PodMetricsList","items":[{"metadata":{"name":"a"}}]})")->objects,
      IsEmpty());
}

TEST(ObjectPage, OfWrongTypesIsRefusedWithThePlace) {
  const auto message = [](const char* json) { return ParseObjectPage(json).error().message; };
  EXPECT_THAT(message(R"({"kind":"Pod"})"), HasSubstr("it is no list but 'Pod'"));
  EXPECT_THAT(message(R"({"kind":"PodList","items":[{},{"metadata":{"uid":7}}]})"),
              HasSubstr("items[1].metadata.uid"));
  EXPECT_THAT(message(R"({"kind":"PodList","items":[{"metadata":{"uid":"u",
    "ownerReferences":[{"kind":"x"}]}}]})"),
              HasSubstr("items[0].metadata.ownerReferences[0]"));
  EXPECT_FALSE(ParseObject(R"({"kind":"Status"})").ok());
}

}  // namespace
}  // namespace ebb::kube
