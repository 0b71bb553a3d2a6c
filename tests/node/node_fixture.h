// The base of every test on a node.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "node/isolation.h"
#include "node/node.h"

namespace ebb::node {

// Skips the test where no node can be made, and says why; where CI=true that is a failure, for
// there a test that does not run proves nothing.
class NodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto reason = WhyNoNode();
    if (!reason) return;
    const char* ci = std::getenv("CI");
    if (ci != nullptr && std::string(ci) == "true") FAIL() << *reason;
    GTEST_SKIP() << *reason;
  }

  // A new node; null, and the test has failed, when it cannot be made.
  static std::unique_ptr<Node> MakeNode(const NodeOptions& options = {}) {
    auto node = Node::Make(options);
    if (node.ok()) return std::move(*node);
    ADD_FAILURE() << node.error().message;
    return nullptr;
  }
};

}  // namespace ebb::node
