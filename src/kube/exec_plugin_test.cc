#include "kube/exec_plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/run_program.h"

namespace ebb::kube {
namespace {

using ::testing::HasSubstr;

base::Result<std::string> Shell(const std::string& script) {
  return RunProgram(
      {.command = {"sh", "-c", script}, .environment = {{"HOME", "/there"}, {"X", "1"}}});
}

TEST(RunProgram, GivesWhatItPrints) {
  const auto out =
      Shell("printf '%s %s ' \"$HOME\" \"$X\"; cat; echo noise >&2; ls /proc/self/fd | wc -l");
  ASSERT_TRUE(out.ok()) << out.error().message;
  EXPECT_EQ(*out, "/there 1 4\n");  // of `ls`: 0, 1, 2 and the directory
}

TEST(RunProgram, SaysWhyItFailed) {
  EXPECT_EQ(Shell("echo lost >&2; echo again >&2; exit 3").error().message,
            "the program sh failed: lost");
  EXPECT_EQ(Shell("kill -9 $$").error().message, "the program sh failed");
  EXPECT_THAT(RunProgram({.command = {"no-such-program-here"}}).error().message,
              HasSubstr("cannot be started: No such file"));
}

TEST(RunProgram, EndsWhatTakesTooLongOrPrintsTooMuch) {
  const auto timeout = std::chrono::milliseconds(100);
  for (const char* script :
       {"sleep 1000", "exec >&- 2>&-; sleep 1000", "sleep 1000 & sleep 1000"}) {
    const auto slow = RunProgram({.command = {"sh", "-c", script}, .timeout = timeout});
    EXPECT_EQ(slow.error().message, "the program sh did not end in time") << script;
  }
  const auto flood = RunProgram({.command = {"yes"}, .max_output = 100000});
  EXPECT_EQ(flood.error().message, "the program yes printed too much");
}

TEST(RunProgram, LeavesNoChildBehind) {
  const auto out = Shell("sleep 1000 >&- 2>&- & echo $!");
  ASSERT_TRUE(out.ok()) << out.error().message;
  const std::string stat =
      "grep -q '^State:.[^ZX]' /proc/" + out->substr(0, out->size() - 1) + "/status 2>/dev/null";
  for (int i = 0; i < 1000 && std::system(stat.c_str()) == 0; ++i) {
  }
  EXPECT_NE(std::system(stat.c_str()), 0);
}

std::string Parse(const std::string& status) {
  const auto got = ParseExecCredential(
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":)" +
      status + "}");
  if (!got.ok()) return got.error().message;
  return got->token + "|" + got->certificate + "|" + got->key + "|" +
         (got->expires ? base::FormatTime(*got->expires) : "never");
}

TEST(ExecCredential, IsATokenOrACertificate) {
  EXPECT_EQ(Parse(R"({"token":"t"})"), "t|||never");
  EXPECT_EQ(Parse(R"({"token":"t","expirationTimestamp":"2026-11-30T12:00:00Z"})"),
            "t|||2026-11-30T12:00:00Z");
  EXPECT_EQ(Parse(R"({"clientCertificateData":"c","clientKeyData":"k"})"), "|c|k|never");
}

TEST(ExecCredential, OfAnotherFormIsRefused) {
  EXPECT_THAT(Parse("{}"), HasSubstr("it holds no credentials"));
  EXPECT_THAT(Parse(R"({"clientCertificateData":"c"})"), HasSubstr("a certificate needs its key"));
  EXPECT_THAT(Parse(R"({"token":7})"), HasSubstr("status.token is no text"));
  EXPECT_THAT(Parse(R"({"token":"t","expirationTimestamp":"soon"})"), HasSubstr("is no time"));
  EXPECT_FALSE(ParseExecCredential("").ok());
  EXPECT_FALSE(ParseExecCredential(
                   R"({"apiVersion":"client.authentication.k8s.io/v1beta1",
                       "kind":"ExecCredential","status":{"token":"t"}})")
                   .ok());
}

}  // namespace
}  // namespace ebb::kube
