#include "host/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include <array>
#include <boost/json/parse.hpp>
#include <cstdlib>
#include <random>

#include "base/unique_fd.h"
#include "base/utf8.h"
#include "testing/ci.h"
#include "testing/manual_clock.h"

namespace ebb::host {
namespace {

using Level = engine::Log::Level;

class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_NONBLOCK), 0);
    read_ = base::UniqueFd(ends[0]);
    write_ = base::UniqueFd(ends[1]);
  }
  int end() const { return write_.get(); }
  std::string Read() const {
    std::array<char, 4096> text{};
    const auto size = ::read(read_.get(), text.data(), text.size());
    return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }

 private:
  base::UniqueFd read_;
  base::UniqueFd write_;
};

std::string Json(std::string_view message) {
  return FormatLogLine(LogFormat::kJson, Level::kInfo, base::kNever, message);
}

TEST(Log, WritesEachFormat) {
  const base::TimePoint time = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
  EXPECT_EQ(FormatLogLine(LogFormat::kTerminal, Level::kWarning, time, "m"), "warning: m\n");
  EXPECT_EQ(FormatLogLine(LogFormat::kText, Level::kInfo, time, "m"),
            "2026-11-30T00:00:00Z info: m\n");
  EXPECT_EQ(FormatLogLine(LogFormat::kJournal, Level::kInfo, time, "m"), "<6>m\n");
  EXPECT_EQ(FormatLogLine(LogFormat::kJournal, Level::kError, time, "m"), "<3>m\n");
  EXPECT_EQ(FormatLogLine(LogFormat::kJson, Level::kDebug, time, "m"),
            "{\"time\":\"2026-11-30T00:00:00Z\",\"level\":\"debug\",\"message\":\"m\"}\n");
}

TEST(Log, AMessageCannotForgeALineOrSteerATerminal) {
  EXPECT_EQ(FormatLogLine(LogFormat::kJournal, Level::kInfo, base::kNever,
                          "a\n<0>forged\x1b[2J\xc2\x9b \xff \xe2\x82\xac"),
            "<6>a\\x0a<0>forged\\x1b[2J\\xc2\\x9b \\xff \xe2\x82\xac\n");
}

TEST(Log, JsonEscapesWhatItMust) {
  EXPECT_THAT(Json("\"\\\n\x01\x7f\xff\xe2\x82\xac"),
              ::testing::HasSubstr(R"("message":"\"\\\u000a\u0001\u007f\ufffd)"
                                   "\xe2\x82\xac\"}"));
}

TEST(Log, JsonIsOneValidLineWhateverTheBytes) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    std::string message(random() % 40, '\0');
    for (char& c : message) c = static_cast<char>(random());
    const std::string line = Json(message);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    boost::system::error_code failure;
    const auto value = boost::json::parse(line, failure);
    ASSERT_FALSE(failure) << line;
    EXPECT_TRUE(value.at("message").is_string());
    for (std::string_view rest = line; !rest.empty();) {
      const auto length = base::Utf8Length(rest);
      ASSERT_GT(length, 0U) << line;
      rest.remove_prefix(length);
    }
  }
}

TEST(Log, DropsWhatIsBelowItsLevel) {
  const Pipe pipe;
  testing::ManualClock clock;
  StreamLog log(pipe.end(), LogFormat::kJournal, Level::kWarning, clock);
  log.Write(Level::kInfo, "quiet");
  log.Write(Level::kWarning, "loud");
  EXPECT_EQ(pipe.Read(), "<4>loud\n");
}

TEST(Log, SurvivesAStreamThatCannotBeWritten) {
  testing::ManualClock clock;
  StreamLog log(-1, LogFormat::kText, Level::kDebug, clock);
  log.Write(Level::kError, "nobody reads this");
}

TEST(Log, WritesPrioritiesOnlyForTheJournalItself) {
  const Pipe pipe;
  struct stat status{};
  ASSERT_EQ(::fstat(pipe.end(), &status), 0);
  const std::string inode = std::to_string(status.st_ino);
  const std::string device = std::to_string(status.st_dev);
  ASSERT_EQ(::unsetenv("JOURNAL_STREAM"), 0);
  EXPECT_EQ(SuitableFormat(pipe.end()), LogFormat::kText);
  ASSERT_EQ(::setenv("JOURNAL_STREAM", (device + ":" + inode).c_str(), 1), 0);
  EXPECT_EQ(SuitableFormat(pipe.end()), LogFormat::kJournal);
  ASSERT_EQ(::setenv("JOURNAL_STREAM", (device + ":1").c_str(), 1), 0);
  EXPECT_EQ(SuitableFormat(pipe.end()), LogFormat::kText);
  ASSERT_EQ(::unsetenv("JOURNAL_STREAM"), 0);
}

TEST(Log, KnowsATerminal) {
  const base::UniqueFd terminal(::posix_openpt(O_RDWR | O_NOCTTY));
  if (!terminal.valid()) {
    const std::string problem =
        "no pseudo-terminal can be opened here: " + std::generic_category().message(errno);
    ASSERT_FALSE(testing::InCi()) << problem;
    GTEST_SKIP() << problem;
  }
  EXPECT_EQ(SuitableFormat(terminal.get()), LogFormat::kTerminal);
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
  EXPECT_EQ(base::Utf8Length("a"), 1U);
  EXPECT_EQ(base::Utf8Length("\xc3\xa9"), 2U);
  EXPECT_EQ(base::Utf8Length("\xf0\x9f\x98\x80x"), 4U);
  for (const std::string_view bad :
       {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80", "\xe2\x82", "\xe2\x82x", ""}) {
    EXPECT_EQ(base::Utf8Length(bad), 0U) << bad;
  }
}

}  // namespace
}  // namespace ebb::host
