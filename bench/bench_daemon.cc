// What `ebb run` costs on a quiet node: a real containerd with 1,000 images and 100 containers, no
// events, nothing to remove. BENCH_SECONDS is how long it is watched.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "daemon/rig.h"
#include "node/image_sets.h"
#include "node/isolation.h"
#include "node/node.h"

namespace ebb {
namespace {

constexpr int kImages = 1000;
constexpr int kContainers = 100;

std::string NameOf(int image) {
  return "localhost/app-" + std::to_string(image) + ":1";
}

bool Fill(node::Node& node) {
  std::vector<node::ImageSpec> specs;
  specs.push_back(node::AppImage(NameOf(0), {1000}));
  for (int i = 1; i < kImages; ++i) {
    const std::string number = std::to_string(i);
    specs.push_back({.tags = {NameOf(i)},
                     .layers = {{"base-" + std::to_string(i % 7), {1000}},
                                {number + "-a", {1000}},
                                {number + "-b", {1000}}}});
  }
  if (const auto made = node.Load(specs); !made.ok()) {
    return std::fprintf(stderr, "%s\n", made.error().message.c_str()) < 0;
  }
  const auto pod = node.pods().RunPod("quiet");
  if (!pod.ok()) return std::fprintf(stderr, "%s\n", pod.error().message.c_str()) < 0;
  for (int i = 0; i < kContainers; ++i) {
    const auto created = node.pods().CreateContainer(
        *pod, {.name = "c" + std::to_string(i), .image = NameOf(0), .command = {"/bin/true"}});
    if (!created.ok()) return std::fprintf(stderr, "%s\n", created.error().message.c_str()) < 0;
  }
  return true;
}

struct Use {
  double seconds = 0;  // of a core, user and system
  long kilobytes = 0;  // resident now
};

Use UseOf(pid_t pid) {
  const std::string of = "/proc/" + std::to_string(pid);
  Use use;
  std::ifstream stat(of + "/stat");
  std::string word;
  for (int field = 1; field <= 15 && stat >> word; ++field) {
    if (field >= 14) use.seconds += std::stod(word) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  std::ifstream status(of + "/status");
  while (status >> word) {
    if (word == "VmRSS:") status >> use.kilobytes;
  }
  return use;
}

std::string MetricOf(const std::string& socket, const char* suffix) {
  return daemon::Metric(
      socket, std::string("ebb_phase_duration_seconds_") + suffix + "{phase=\"observe\"}");
}

void Watch(const std::string& http, const cli::RunningEbb& ebb) {
  const char* const asked = std::getenv("BENCH_SECONDS");
  const int seconds = asked == nullptr ? 330 : std::atoi(asked);
  const Use before = UseOf(ebb.pid());
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  const Use after = UseOf(ebb.pid());
  std::printf(
      "daemon, %d images, %d containers, quiet for %d s: own CPU %.4f %% of a core, RSS %.1f MiB, "
      "looks %s\n",
      kImages, kContainers, seconds, 100 * (after.seconds - before.seconds) / seconds,
      static_cast<double>(after.kilobytes) / 1024, MetricOf(http, "count").c_str());
}

// Full passes, asked for by a signal; nobody reads the metrics meanwhile.
void Looks(const std::string& http, const cli::RunningEbb& ebb) {
  constexpr int kAsked = 20;
  const int first = std::stoi(MetricOf(http, "count"));
  const Use before = UseOf(ebb.pid());
  for (int i = 0; i < kAsked; ++i) {
    ebb.Signal(SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  }
  const Use after = UseOf(ebb.pid());
  const int looks = std::stoi(MetricOf(http, "count")) - first;
  std::printf("daemon, one full pass of %d: own CPU %.1f ms, RSS after them %.1f MiB\n", looks,
              1e3 * (after.seconds - before.seconds) / looks,
              static_cast<double>(after.kilobytes) / 1024);
}

int Measure() {
  auto made = node::Node::Make({.volume = {.size = {std::int64_t{2} << 30}}});
  if (!made.ok() || !Fill(**made)) return EXIT_FAILURE;
  const std::string directory = (*made)->directory();
  const std::string http = directory + "/http.sock";
  daemon::Write(directory + "/config.yaml",
                daemon::kConfigHead + ("listen: unix://" + http + "\n"));
  cli::RunningEbb ebb({"run", "--config", directory + "/config.yaml", "--runtime-endpoint",
                       (*made)->endpoint(), "--state-dir", directory + "/ebb"});
  if (!daemon::Within([&] { return daemon::Get(http, "/readyz").starts_with("HTTP/1.1 200"); })) {
    return EXIT_FAILURE;
  }
  std::this_thread::sleep_for(std::chrono::seconds(15));  // the events of making all this
  Looks(http, ebb);
  Watch(http, ebb);
  ebb.Signal(SIGTERM);
  return ebb.Wait().code;
}

}  // namespace
}  // namespace ebb

int main() {
  const auto code = ebb::node::RunIsolated([] { return ebb::Measure(); });
  if (code.ok()) return *code;
  std::fprintf(stderr, "%s\n", code.error().message.c_str());
  return EXIT_FAILURE;
}
