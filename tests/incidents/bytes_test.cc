// True bytes, as an operator sees them on a real node.
#include <boost/json.hpp>

#include "incidents/rig.h"

namespace ebb::node {
namespace {

using ::testing::HasSubstr;

class Bytes : public Incident {
 protected:
  boost::json::object Document(Arguments arguments) {
    arguments.insert(arguments.end(), {"-o", "json"});
    const cli::Ran ran = Ebb(std::move(arguments));
    boost::system::error_code bad;
    const auto document = boost::json::parse(ran.out, bad);
    EXPECT_FALSE(bad) << ran.out << ran.err;
    return bad ? boost::json::object{} : document.as_object();
  }
};

TEST_F(Bytes, WhatIsPredictedIsWhatTheDiskMeasuresWithin64KiB) {
  constexpr std::int64_t kTolerance = 64 << 10;
  ASSERT_TRUE(node_->FillTo({70}).ok());
  const auto report = Document({"collect", "--yes", "--free", "40Mi"});
  EXPECT_EQ(report.at("accounting").as_string(), "exact");
  const std::int64_t predicted = report.at("predictedBytes").as_int64();
  EXPECT_GE(predicted, 40 << 20);
  EXPECT_NEAR(static_cast<double>(report.at("measuredBytes").as_int64()),
              static_cast<double>(predicted), kTolerance);
}

TEST_F(Bytes, LayersLeasesAndWhoKeepsThemAreShown) {
  const std::string target = [&] {
    const auto list = node_->containerd().Ctr({"images", "ls", "name==" + Idle(0)});
    const std::string text = list.ok() ? *list : "";
    const auto at = text.find("sha256:");
    return at == std::string::npos ? "" : text.substr(at, 71);
  }();
  ASSERT_NE(target, "");
  ASSERT_TRUE(node_->containerd().Ctr({"leases", "create", "--id", "keeper"}).ok());
  EXPECT_THAT(Ebb({"leases"}).out, HasSubstr("keeper"));
  EXPECT_THAT(Ebb({"layers"}).out, HasSubstr(Idle(0)));
  EXPECT_THAT(Ebb({"df", "-o", "wide"}).out, HasSubstr(Idle(0)));
  EXPECT_THAT(Ebb({"explain", "layer", target}).out, HasSubstr("with its image"));
}

TEST_F(Bytes, TheKubeletsPlanForTheSameTargetStandsBesideOurs) {
  ASSERT_TRUE(node_->FillTo({90}).ok());
  const auto plan = Document({"plan"});
  ASSERT_TRUE(plan.at("kubelet").is_object()) << boost::json::serialize(plan);
  const auto& kubelet = plan.at("kubelet").as_object();
  EXPECT_GE(kubelet.at("reallyFreesBytes").as_int64(), kubelet.at("believedBytes").as_int64())
      << "it counts compressed bytes, and frees blobs and snapshots";
  EXPECT_LE(plan.at("removals").as_array().size(), kubelet.at("images").as_array().size());
}

}  // namespace
}  // namespace ebb::node
