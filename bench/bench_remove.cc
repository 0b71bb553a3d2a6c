// Removing N small images from real containerd, on which KEPT others stay: ebb, which holds them
// until its second look, beside a bare client with the same number of calls in flight, and beside
// one call at a time. Side by side in one run, for machines are noisy.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/program.h"
#include "cri/connect.h"
#include "cri/remover.h"
#include "node/image_sets.h"
#include "node/isolation.h"
#include "node/node.h"

namespace ebb {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<image::ImageId> Load(node::Node& node, int images, const std::string& set) {
  std::vector<node::ImageSpec> specs;
  for (int i = 0; i < images; ++i) {
    specs.push_back({.tags = {"localhost/" + set + "-" + std::to_string(i) + ":1"},
                     .layers = {{"base", {1000}}, {set + std::to_string(i), {1000}}}});
  }
  const auto made = node.Load(specs);
  std::vector<image::ImageId> ids;
  if (!made.ok()) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return ids;
  }
  for (const node::MadeImage& image : *made) ids.push_back({image.id});
  return ids;
}

double Bare(node::Node& node, const std::vector<image::ImageId>& ids, int in_flight) {
  auto connection =
      cri::Connect({.runtime = node.endpoint(), .image = {}}, {.removals_in_flight = in_flight});
  if (!connection.ok()) return 0;
  const auto start = Clock::now();
  const std::vector<engine::Victim> victims(ids.begin(), ids.end());
  (void)cri::MakeRemover(*connection)->Remove(victims);
  return Seconds(start);
}

double Ebb(node::Node& node, int images) {
  const auto start = Clock::now();
  const cli::Ran ran =
      cli::Ebb({"collect", "--yes", "--all-unused", "--min-age", "0s", "--max-percent", "100",
                "--max-images", std::to_string(images), "--protect", "localhost/keep-*",
                "--runtime-endpoint", node.endpoint(), "--state-dir", node.directory() + "/ebb"});
  const double seconds = Seconds(start);
  if (ran.code != 0) std::fprintf(stderr, "%s%s", ran.out.c_str(), ran.err.c_str());
  return seconds;
}

int Measure(int images, int kept) {
  auto made = node::Node::Make({.volume = {.size = {std::int64_t{2} << 30}}});
  if (!made.ok()) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return EXIT_FAILURE;
  }
  node::Node& node = **made;
  if (kept > 0) (void)Load(node, kept, "keep");
  for (int round = 0; round < 2; ++round) {
    const std::string mark = std::to_string(round);
    const double one = Bare(node, Load(node, images, "one" + mark), 1);
    const double bare = Bare(node, Load(node, images, "bare" + mark), 16);
    (void)Load(node, images, "ebb" + mark);
    const double ebb = Ebb(node, images);
    std::printf(
        "remove %d of %d images: one at a time %.2f s, bare 16 in flight %.2f s, ebb %.2f s; "
        "ebb/bare %.2f, one/ebb %.1f\n",
        images, images + kept, one, bare, ebb, ebb / bare, one / ebb);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace ebb

int main(int argc, char** argv) {
  const int images = argc > 1 ? std::atoi(argv[1]) : 300;
  const int kept = argc > 2 ? std::atoi(argv[2]) : 0;
  const auto code = ebb::node::RunIsolated([&] { return ebb::Measure(images, kept); });
  if (code.ok()) return *code;
  std::fprintf(stderr, "%s\n", code.error().message.c_str());
  return EXIT_FAILURE;
}
