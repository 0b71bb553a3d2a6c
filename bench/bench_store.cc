// Own CPU of one `ebb plan` that reads the whole store of a real containerd: about 400 records,
// 1,400 blobs and 1,000 snapshots. Cold: no history, every snapshot is measured; warm: sizes are
// known.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "node/image_sets.h"
#include "node/isolation.h"
#include "node/node.h"

namespace ebb {
namespace {

double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

bool Load(node::Node& node) {
  constexpr int kImages = 200;
  constexpr int kOwnLayers = 5;
  std::vector<node::ImageSpec> specs;
  for (int i = 0; i < kImages; ++i) {
    const std::string number = std::to_string(i);
    node::ImageSpec spec{.tags = {"localhost/app-" + number + ":1"},
                         .layers = {{"base-" + std::to_string(i % 7), {1000}}}};
    for (int layer = 0; layer < kOwnLayers; ++layer) {
      spec.layers.push_back({number + "-" + std::to_string(layer), {1000}});
    }
    specs.push_back(std::move(spec));
  }
  const auto made = node.Load(specs);
  if (!made.ok()) std::fprintf(stderr, "%s\n", made.error().message.c_str());
  return made.ok();
}

void Plan(const char* label, const node::Node& node) {
  const std::string endpoint = node.endpoint();
  const std::string state = node.directory() + "/ebb";
  const pid_t child = ::fork();
  if (child == 0) {
    (void)::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::execl(EBB_PROGRAM, "ebb", "plan", "--runtime-endpoint", endpoint.c_str(), "--state-dir",
            state.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  (void)::wait4(child, &status, 0, &used);
  std::printf("plan with exact bytes, %s  own CPU %6.1f ms  peak RSS %5.1f MiB  exit %d\n", label,
              Milliseconds(used.ru_utime) + Milliseconds(used.ru_stime),
              static_cast<double>(used.ru_maxrss) / 1024, WEXITSTATUS(status));
}

int Measure() {
  auto made = node::Node::Make({.volume = {.size = {std::int64_t{1} << 30}}});
  if (!made.ok() || !Load(**made)) return EXIT_FAILURE;
  Plan("cold", **made);
  for (int round = 0; round < 5; ++round) Plan("warm", **made);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace ebb

int main() {
  const auto code = ebb::node::RunIsolated([] { return ebb::Measure(); });
  if (code.ok()) return *code;
  std::fprintf(stderr, "%s\n", code.error().message.c_str());
  return EXIT_FAILURE;
}
