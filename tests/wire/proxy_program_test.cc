// ebb-wire-proxy as a program: what tests of a real node start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "wire/wire_rig.h"

namespace ebb::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Runs the program until it is told to stop; returns its exit status then.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), EBB_WIRE_PROXY);
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    started_ = ::posix_spawn(&pid_, EBB_WIRE_PROXY, nullptr, nullptr, words.data(), environ) == 0;
  }
  ~Program() { (void)Stop(); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int Stop() {
    if (!started_) return -1;
    (void)::kill(pid_, SIGTERM);
    return Wait();
  }
  int Wait() {
    int status = -1;
    if (std::exchange(started_, false)) (void)::waitpid(pid_, &status, 0);
    return status;
  }

 private:
  pid_t pid_ = -1;
  bool started_ = false;
};

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(ProxyProgram, WritesOneLineForEachCall) {
  WireRig rig(testing::Containerd17());
  const std::string front = rig.dir / "front.sock";
  const std::string log = rig.dir / "calls.jsonl";
  Program program({"--listen", front, "--upstream", rig.socket, "--log", log});
  const Client client(front);
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  EXPECT_TRUE(client.Remove("sha256:a", context).ok());
  v1::ListImagesResponse listed;
  EXPECT_TRUE(client.List(listed).ok());
  EXPECT_THAT(Lines(log), ElementsAre(HasSubstr(R"("object":"sha256:a")"),
                                      HasSubstr("/runtime.v1.ImageService/ListImages")));
  EXPECT_EQ(program.Stop(), 0);
  EXPECT_FALSE(std::filesystem::exists(front));
}

TEST(ProxyProgram, CommitsTheFaultsItIsTold) {
  WireRig rig(testing::Containerd17());
  const std::string front = rig.dir / "front.sock";
  Program program({"--listen", front, "--upstream", rig.socket, "--log", rig.dir / "log", "--fail",
                   "RemoveImage=13"});
  const Client client(front);
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  EXPECT_EQ(client.Remove("sha256:a", context).error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_TRUE(rig.node.asked().empty());
}

TEST(ProxyProgram, RefusesWhatItDoesNotUnderstand) {
  Program program({"--listen", "/tmp/x", "--explode", "now"});
  EXPECT_EQ(WEXITSTATUS(program.Wait()), 2);
}

}  // namespace
}  // namespace ebb::wire
