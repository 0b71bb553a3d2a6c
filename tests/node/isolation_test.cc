// Whatever happens to a test, the machine is afterwards as it was before.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "node/cgroup.h"
#include "node/image_sets.h"
#include "node/node_fixture.h"

namespace ebb::node {
namespace {

namespace fs = std::filesystem;

// All that a node could leave behind on the machine that these tests see.
struct Machine {
  std::set<std::string> processes;
  std::string mounts;
  std::set<std::string> loops;
  std::set<std::string> run;
  std::set<std::string> files;

  bool operator==(const Machine&) const = default;
};

std::set<std::string> Names(const std::string& folder, const std::string& prefix) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) names.insert(name);
  }
  return names;
}

// Loop devices whose file is in `folder`: those of other programs come and go as they like.
std::set<std::string> Loops(const std::string& folder) {
  std::set<std::string> loops;
  for (const std::string& name : Names("/sys/block", "loop")) {
    std::string file = ReadAll("/sys/block/" + name + "/loop/backing_file");
    if (file.starts_with(folder)) loops.insert(file.append(name));
  }
  return loops;
}

// A node with all that could outlive it: ext4 on a loop device, running pods.
void UseANode() {
  NodeOptions options;
  options.volume.kind = Filesystem::kExt4;
  const auto node = Node::Make(options);
  if (!node.ok()) std::_Exit(10);
  if (!(*node)->Load(std::array{AppImage("localhost/app:1")}).ok()) std::_Exit(11);
  if (!(*node)->pods().RunApp("app", "localhost/app:1").ok()) std::_Exit(12);
  if (!CgroupExists(CgroupParent())) std::_Exit(13);
}

// Runs `program` in a child of this process, as ctest runs a test program.
class Child {
 public:
  explicit Child(const std::function<int()>& program) : pid_(::fork()) {
    if (pid_ == 0) std::_Exit(program());
  }
  std::string Cgroup() const {
    return OwnCgroup().substr(0, OwnCgroup().rfind('-') + 1) + std::to_string(pid_);
  }
  void Send(int signal) const { ::kill(pid_, signal); }
  int Wait() const {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return ExitCode(status);
  }

 private:
  pid_t pid_;
};

int Isolate(const std::function<int()>& body) {
  const auto code = RunIsolated(body);
  return code.ok() ? *code : 99;
}

class Isolation : public NodeTest {
 protected:
  // Nodes put their disks' files into this folder, which tells their loop devices from others'.
  void SetUp() override {
    NodeTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    folder_ = "/tmp/ebb-isolation-XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("TMPDIR");
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  Machine Look() const {
    Machine seen;
    for (const std::string& name : Names("/proc", "")) {
      if (name.find_first_not_of("0123456789") == std::string::npos) seen.processes.insert(name);
    }
    seen.mounts = ReadAll("/proc/self/mounts");
    seen.loops = Loops(folder_);
    seen.run = Names("/run", "");
    seen.files = Names(folder_, "");
    return seen;
  }

 private:
  std::string folder_;
};

TEST_F(Isolation, ReturnsTheExitCodeOfItsBody) {
  EXPECT_EQ(Child([] { return Isolate([] { return 42; }); }).Wait(), 42);
}

TEST_F(Isolation, NothingIsLeftOfANodeWithRunningPods) {
  const Machine before = Look();
  const Child child([] {
    return Isolate([] {
      UseANode();
      return 7;
    });
  });
  EXPECT_EQ(child.Wait(), 7);
  EXPECT_EQ(Look(), before);
  EXPECT_FALSE(CgroupExists(child.Cgroup()));
}

TEST_F(Isolation, NothingIsLeftWhenTheTestCrashes) {
  constexpr int kAborted = 128 + SIGABRT;
  const Machine before = Look();
  const Child child([] {
    return Isolate([] {
      UseANode();
      std::abort();
      return 0;
    });
  });
  EXPECT_EQ(child.Wait(), kAborted);
  EXPECT_EQ(Look(), before);
  EXPECT_FALSE(CgroupExists(child.Cgroup()));
}

// Runs the body until it has its node, then hands the child to `end` while the node stands.
template <class End>
Child StartAndThen(const End& end) {
  std::array<int, 2> ready{};
  EXPECT_EQ(::pipe(ready.data()), 0);
  const Child child([ready] {
    return Isolate([ready] {
      UseANode();
      const ssize_t told = ::write(ready[1], "!", 1);
      ::pause();
      return static_cast<int>(told);
    });
  });
  ::close(ready[1]);
  char told = 0;
  EXPECT_EQ(::read(ready[0], &told, 1), 1);
  ::close(ready[0]);
  end(child);
  return child;
}

TEST_F(Isolation, NothingIsLeftWhenItIsInterrupted) {
  const Machine before = Look();
  const Child child = StartAndThen([](const Child& started) {
    started.Send(SIGINT);
    EXPECT_EQ(started.Wait(), 128 + SIGINT);
  });
  EXPECT_EQ(Look(), before);
  EXPECT_FALSE(CgroupExists(child.Cgroup()));
}

TEST_F(Isolation, AfterSigkillOnlyEmptyCgroupsWaitForTheNextRun) {
  const Machine before = Look();
  const Child child = StartAndThen([](const Child& started) {
    started.Send(SIGKILL);
    started.Wait();
  });
  // Its processes die with it, but the kernel reports them gone one after the other.
  for (int i = 0; i < 1000 && Look() != before; ++i) ::usleep(10'000);
  EXPECT_EQ(Look(), before);
  EXPECT_TRUE(CgroupExists(child.Cgroup()));
  SweepCgroups();
  EXPECT_FALSE(CgroupExists(child.Cgroup()));
}

}  // namespace
}  // namespace ebb::node
