#include "report/past.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace ebb::report {
namespace {

const base::TimePoint kThen = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
const image::PastRemoval kPast{.time = kThen,
                               .id = {"sha256:abc"},
                               .name = "registry.example/a:1",
                               .reason = "over-mark",
                               .outcome = "removed",
                               .predicted = {2048}};

TEST(PastRemoval, SaysWhenAndWhyAnImageWent) {
  const std::string text = RenderPastRemoval(kPast, kThen + std::chrono::hours(3), {});
  for (const char* part : {"registry.example/a:1 is not on this node", "3h ago",
                           "over-mark: unused", "2026-11-30T00:00:00Z", "2.0 KiB"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(PastRemoval, IsADocumentForScripts) {
  const std::string text = RenderPastRemoval(kPast, kThen, {.format = Format::kJson});
  EXPECT_NE(text.find("\"kind\": \"PastRemoval\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"predictedBytes\": 2048"), std::string::npos) << text;
}

}  // namespace
}  // namespace ebb::report
