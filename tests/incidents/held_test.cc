// Held removal on a real node: the race is won every time, and death at any moment loses nothing.
#include <atomic>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>

#include "incidents/rig.h"

namespace ebb::node {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool IsRemoval(const wire::Call& call) {
  return wire::Removes(call.method);
}

class Held : public Incident {
 protected:
  // Unused images alone; every other image of the rig is protected by a rule.
  Arguments Collect() const {
    return {"collect",   "--yes",  "--all-unused", "--protect", kRunning,
            "--protect", kCreated, "--protect",    kExited};
  }

  Arguments Lines(const Words& words) const {
    const auto text = node_->containerd().Ctr(words);
    EXPECT_TRUE(text.ok()) << text.error().message;
    Arguments lines;
    std::istringstream stream(text.ok() ? *text : "");
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  // What CRI lists and what containerd's records say are the same images, and nothing is held.
  void ExpectWhole() const {
    std::set<std::string> listed;
    const auto images = node_->pods().Images();
    ASSERT_TRUE(images.ok()) << images.error().message;
    for (const ImageInfo& image : *images) {
      EXPECT_FALSE(image.tags.empty()) << image.id << " lost its names";
      listed.insert(image.id);
      listed.insert(image.tags.begin(), image.tags.end());
    }
    for (const std::string& record : Lines({"images", "ls", "-q"})) {
      EXPECT_TRUE(listed.contains(record)) << record << " is a record that CRI does not list";
      listed.erase(record);
    }
    EXPECT_THAT(listed, IsEmpty()) << "CRI lists what has no record";
    EXPECT_THAT(Lines({"leases", "ls", "-q"}), IsEmpty());
  }
};

TEST_F(Held, AContainerCreatedBetweenCheckAndRemovalAlwaysStartsWithoutAPull) {
  constexpr int kRounds = 100;
  const auto pod = node_->pods().RunPod("racer");
  ASSERT_TRUE(pod.ok()) << pod.error().message;
  ASSERT_EQ(Ebb(Collect()).code, 0);
  const std::string name = "localhost/raced:1";
  const std::vector<ImageSpec> specs = {AppImage(name)};
  ASSERT_TRUE(node_->Load(specs).ok());
  for (int round = 0; round < kRounds; ++round) {
    std::string container;
    std::atomic<bool> done = false;
    StartProxy([&](const wire::Call& call) {
      if (!IsRemoval(call) || done.exchange(true)) return;
      const auto made = node_->pods().CreateContainer(*pod, {.name = "racer", .image = name});
      if (made.ok()) container = *made;
    });
    const cli::Ran ran = Ebb(Collect());
    ASSERT_NE(container, "") << "round " << round << ": nobody raced\n" << ran.out << ran.err;
    ASSERT_THAT(ran.out, HasSubstr("restored")) << ran.err;
    ASSERT_TRUE(node_->pods().StartContainer(container).ok()) << "round " << round;
    const auto again = node_->pods().CreateContainer(*pod, {.name = "again", .image = name});
    ASSERT_TRUE(again.ok()) << "round " << round << ": " << again.error().message;
    for (const std::string& id : {container, *again}) {
      (void)node_->pods().StopContainer(id);
      ASSERT_TRUE(node_->pods().RemoveContainer(id).ok());
    }
  }
  ExpectWhole();
}

enum class Who { kEbb, kContainerd };

class Death : public Held, public ::testing::WithParamInterface<Who> {
 protected:
  Arguments Through(Arguments arguments) const {
    for (const std::string& word :
         {std::string("--runtime-endpoint"), "unix://" + (dir_ / "proxy.sock").string(),
          std::string("--state-dir"), (dir_ / "state").string(), std::string("--min-age"),
          std::string("0s"), std::string("--max-percent"), std::string("100")}) {
      arguments.push_back(word);
    }
    return arguments;
  }

  // One removal in which somebody dies at call number `at`, counted from the hold. Returns whether
  // there was such a call.
  bool DieAt(int at) {
    std::atomic<int> calls = -1;
    std::atomic<bool> died = false;
    std::atomic<cli::RunningEbb*> running = nullptr;
    StartProxy([&](const wire::Call& call) {
      if (calls < 0 && !call.method.ends_with("Leases/Create")) return;
      if (++calls != at || died.exchange(true)) return;
      while (running == nullptr) std::this_thread::yield();
      if (GetParam() == Who::kEbb) running.load()->Signal(SIGKILL);
      if (GetParam() == Who::kContainerd) node_->containerd().Kill();
    });
    cli::RunningEbb ebb(Through(Collect()));
    running = &ebb;
    (void)ebb.Wait();
    if (GetParam() == Who::kContainerd && died) {
      EXPECT_TRUE(node_->containerd().Start().ok());
      EXPECT_TRUE(node_->pods().WaitReady().ok());
    }
    return died;
  }
};

TEST_P(Death, AtEveryCallOfARemovalLosesNothingAndTheNextRunCompletesIt) {
  for (int at = 0;; ++at) {
    const std::vector<ImageSpec> specs = {AppImage(Idle(0)), AppImage(Idle(1))};
    ASSERT_TRUE(node_->Load(specs).ok());
    const bool died = DieAt(at);
    StartProxy({});
    const cli::Ran next = Ebb(Collect());
    ASSERT_EQ(next.code, 0) << "after call " << at << "\n" << next.out << next.err;
    ASSERT_EQ(IdleLeft(), 0) << "after call " << at << "\n" << next.out << next.err;
    ExpectWhole();
    ASSERT_FALSE(HasFailure()) << "after call " << at << "\n" << next.out << next.err;
    if (!died) {
      EXPECT_GT(at, 5) << "a removal takes more calls than that";
      break;
    }
  }
  EXPECT_TRUE(Has(kPause));
  EXPECT_TRUE(Has(kRunning));
}

INSTANTIATE_TEST_SUITE_P(Of, Death, ::testing::Values(Who::kEbb, Who::kContainerd),
                         [](const auto& who) {
                           return who.param == Who::kEbb ? "Ebb" : "Containerd";
                         });

}  // namespace
}  // namespace ebb::node
