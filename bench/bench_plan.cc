// Own CPU and peak memory of one `ebb plan`: 1,000 images and 250 containers behind a CRI server.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "testing/fake_node.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"
#include "wire/cri_server.h"

namespace ebb {
namespace {

double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

void Fill(testing::FakeNode& node) {
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    testing::ImageSpec spec{
        .name = "registry.example/team/app-" + std::to_string(i / 10) + ":v" + number,
        .layers = {{"base-" + std::to_string(i % 7), {50'000'000}}}};
    for (int layer = 1; layer < 8; ++layer) {
      spec.layers.push_back({number + "-" + std::to_string(layer), {1'000'000}});
    }
    node.AddImage(spec);
    if (i % 4 == 0) node.AddContainer(spec.name, image::ContainerState::kExited);
  }
}

void Plan(const char* label, const std::string& endpoint, const std::string& state) {
  const pid_t child = ::fork();
  if (child == 0) {
    (void)::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::execl(EBB_PROGRAM, "ebb", "plan", "--runtime-endpoint", endpoint.c_str(), "--state-dir",
            state.c_str(), "--all-unused", "--min-age", "0s", nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  (void)::wait4(child, &status, 0, &used);
  std::printf("plan %s  own CPU %6.1f ms  peak RSS %5.1f MiB  exit %d\n", label,
              Milliseconds(used.ru_utime) + Milliseconds(used.ru_stime),
              static_cast<double>(used.ru_maxrss) / 1024, WEXITSTATUS(status));
}

int Main() {
  testing::ManualClock clock;
  testing::TempDir dir;
  testing::Profile profile = testing::Containerd17();
  profile.images_path = dir.path();
  testing::FakeNode node(profile, clock);
  Fill(node);
  auto server = wire::CriServer::Start(node, {.path = dir / "cri.sock"});
  if (!server.ok()) return EXIT_FAILURE;
  Plan("cold (no history)", (*server)->endpoint(), dir / "state");
  for (int round = 0; round < 5; ++round) {
    Plan("warm             ", (*server)->endpoint(), dir / "state");
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace ebb

int main() {
  return ebb::Main();
}
