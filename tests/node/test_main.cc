// Runs a test program in a process tree of its own. Listing the tests needs nothing.
#include <gtest/gtest.h>

#include <iostream>

#include "node/isolation.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  const auto code = ebb::node::RunIsolated([] { return RUN_ALL_TESTS(); });
  if (code.ok()) return *code;
  std::cerr << code.error().message << "\n";
  return RUN_ALL_TESTS();
}
