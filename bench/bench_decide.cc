// How long Decide() takes for nodes of several sizes: processor time, the best of many rounds.
#include <array>
#include <cstdio>
#include <ctime>
#include <random>

#include "image/plan.h"

namespace ebb::image {
namespace {

constexpr int kRounds = 50;

double CpuMilliseconds() {
  timespec now{};
  (void)::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Images in repositories of ten versions on a few shared bases; a container for every fourth.
Observation Node(std::size_t images) {
  std::mt19937 random(1);
  Observation seen;
  seen.taken_at = base::TimePoint(std::chrono::hours(500'000));
  std::vector<LayerChain> chains;
  for (std::size_t i = 0; i < images; ++i) {
    const std::string name = std::to_string(i);
    Image image{.id = {"sha256:" + std::string(64 - name.size(), '0') + name},
                .tags = {"registry.example/team/app-" + std::to_string(i / 10) + ":v" + name},
                .digests = {"registry.example/team/app@sha256:" + std::string(60, 'a') + name},
                .size = {static_cast<std::int64_t>(random() % 500'000'000)}};
    image.usage.first_seen = seen.taken_at - std::chrono::hours(1 + random() % 2000);
    std::vector<std::string> chain = {"base-" + std::to_string(i % 7)};
    for (int layer = 1; layer < 8; ++layer) {
      chain.push_back(layer < 5 ? "app-" + std::to_string(i / 10) + std::to_string(layer)
                                : name + std::to_string(layer));
    }
    seen.images.push_back(std::move(image));
    chains.emplace_back(std::move(chain));
  }
  for (std::size_t c = 0; c < images / 4; ++c) {
    seen.containers.push_back({.id = std::to_string(c), .image_ref = seen.images[c * 4].id.value});
  }
  seen.filesystems = {{.holds_images = true, .capacity = {1LL << 40}, .available = {1LL << 36}}};
  seen.store = MakeLayerGraph(seen.images, chains);
  return seen;
}

void Time(std::size_t images) {
  const Observation seen = Node(images);
  double best = 1e9;
  std::size_t removals = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double start = CpuMilliseconds();
    removals = Decide(seen, {}, {.kind = Target::Kind::kFreeBytes, .bytes = {20LL << 30}}).removals;
    best = std::min(best, CpuMilliseconds() - start);
  }
  std::printf("decide  %6zu images  %5zu containers  %8.3f ms  (%zu removals)\n", images,
              images / 4, best, removals);
}

}  // namespace
}  // namespace ebb::image

int main() {
  for (const std::size_t images : {100U, 1000U, 10000U}) ebb::image::Time(images);
}
