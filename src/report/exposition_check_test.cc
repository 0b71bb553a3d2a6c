#include "report/exposition_check_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace ebb::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Checker {
 public:
  std::vector<std::string> Check(const std::string& page) {
    if (!page.ends_with('\n')) Say("no line end at the end");
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      line_ = line;
      if (line.starts_with("# HELP ")) {
        Help(line.substr(7));
      } else if (line.starts_with("# TYPE ")) {
        Type(line.substr(7));
      } else {
        Sample(line);
      }
    }
    EndOfFamily();
    return problems_;
  }

 private:
  struct Bucket {
    double last = -1;
    bool whole = false;
    double count = -1;
    bool sum = false;
  };

  void Say(const std::string& problem) { problems_.push_back(problem + ": " + line_); }

  void Help(const std::string& rest) {
    EndOfFamily();
    name_ = rest.substr(0, rest.find(' '));
    type_.clear();
    if (!std::regex_match(name_, std::regex("ebb_[a-z][a-z_]*[a-z]"))) Say("no name of ours");
    if (!families_.insert(name_).second) Say("a family twice");
    if (rest.size() <= name_.size() + 1) Say("no help");
  }

  void Type(const std::string& rest) {
    if (rest.substr(0, rest.find(' ')) != name_ || !type_.empty()) Say("TYPE not after its HELP");
    type_ = rest.substr(rest.find(' ') + 1);
    if (type_ != "counter" && type_ != "gauge" && type_ != "histogram") Say("no such type");
    if ((type_ == "counter") != name_.ends_with("_total")) Say("_total is for counters");
    if (type_ == "histogram" && !name_.ends_with("_seconds")) Say("a histogram without its unit");
    const std::regex other(
        "_(milliseconds|ms|minutes|hours|kilobytes|mb|mib|gib|percent|pct)(_|$)");
    if (std::regex_search(name_, other)) Say("not a base unit");
    if (std::regex_search(name_, std::regex("_(bucket|count|sum)$"))) Say("a suffix of histograms");
  }

  void Sample(const std::string& line) {
    static const std::regex form(
        R"re(([a-z_]+)(\{([a-z_]+="([^"\\\n]|\\[\\"n])*"(,[a-z_]+="([^"\\\n]|\\[\\"n])*")*)\})? (-?[0-9]+(\.[0-9]+)?))re");
    std::smatch parts;
    if (!std::regex_match(line, parts, form)) return Say("no sample");
    if (type_.empty()) return Say("a sample before its TYPE");
    const std::string name = parts[1];
    const std::string labels = parts[3];
    const double value = std::stod(parts[7]);
    if (!samples_.insert(name + "{" + labels + "}").second) Say("a sample twice");
    if (type_ != "gauge" && value < 0) Say("less than nothing was counted");
    if (type_ == "histogram") return Histogram(name, labels, value);
    if (name != name_) Say("a sample of another family");
  }

  void Histogram(const std::string& name, const std::string& labels, double value) {
    static const std::regex bound("(.*),le=\"([^\"]*)\"");
    std::smatch parts;
    if (name == name_ + "_bucket") {
      if (!std::regex_match(labels, parts, bound)) return Say("a bucket without a bound");
      Bucket& bucket = buckets_[parts[1]];
      if (value < bucket.last) Say("buckets must add up");
      bucket.last = value;
      bucket.whole = parts[2] == "+Inf";
    } else if (name == name_ + "_sum") {
      buckets_[labels].sum = true;
    } else if (name == name_ + "_count") {
      buckets_[labels].count = value;
    } else {
      Say("a sample of another family");
    }
  }

  void EndOfFamily() {
    for (const auto& [labels, bucket] : buckets_) {
      if (!bucket.whole) Say("the last bucket is not +Inf");
      if (!bucket.sum) Say("no _sum");
      if (bucket.count != bucket.last) Say("_count is not what +Inf holds");
    }
    buckets_.clear();
  }

  std::string line_;
  std::string name_;
  std::string type_;
  std::set<std::string> families_;
  std::set<std::string> samples_;
  std::map<std::string, Bucket> buckets_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> ProblemsOf(const std::string& page) {
  return Checker().Check(page);
}

namespace {

constexpr const char* kHead = "# HELP ebb_x_total what\n# TYPE ebb_x_total counter\n";

TEST(ExpositionCheck, FindsEachKindOfFault) {
  EXPECT_THAT(ProblemsOf(std::string(kHead) + "ebb_x_total{a=\"b\\\"\\\\\\n\"} 1\n"), IsEmpty());
  for (const std::string fault :
       {"ebb_x_total 1", "ebb_x_total 1\nebb_x_total 2\n", "ebb_x_total -1\n", "ebb_y_total 1\n",
        "ebb_x_total{a=\"b} 1\n", "ebb_x_total{a=\"\\q\"} 1\n", "ebb_x_total\n", "\n",
        "# HELP ebb_x_total again\n", "# HELP ebb_y_total \n", "# HELP ebb_y what\nebb_y 1\n",
        "# HELP ebb_y what\n# TYPE ebb_y counter\n", "# HELP ebb_y what\n# TYPE ebb_y thing\n",
        "# HELP ebb_y_ms what\n# TYPE ebb_y_ms gauge\n", "# HELP y what\n",
        "# HELP ebb_y_total what\n# TYPE ebb_y_total gauge\n"}) {
    EXPECT_FALSE(ProblemsOf(kHead + fault).empty()) << fault;
  }
}

TEST(ExpositionCheck, FindsHistogramsThatDoNotAddUp) {
  const std::string head = "# HELP ebb_s_seconds what\n# TYPE ebb_s_seconds histogram\n";
  const std::string one = "ebb_s_seconds_bucket{p=\"a\",le=\"1\"} 2\n";
  const std::string all = "ebb_s_seconds_bucket{p=\"a\",le=\"+Inf\"} 3\n";
  const std::string sum = "ebb_s_seconds_sum{p=\"a\"} 1.5\n";
  const std::string count = "ebb_s_seconds_count{p=\"a\"} 3\n";
  EXPECT_THAT(ProblemsOf(head + one + all + sum + count), IsEmpty());
  EXPECT_FALSE(ProblemsOf(head + one + sum + count).empty());
  EXPECT_FALSE(ProblemsOf(head + all + one + sum + count).empty());
  EXPECT_THAT(ProblemsOf(head + one + all + count), ElementsAre(HasSubstr("no _sum")));
  EXPECT_FALSE(ProblemsOf(head + one + all + sum).empty());
}

}  // namespace
}  // namespace ebb::report
