#include "report/world.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>

namespace ebb::report {
namespace {

using image::Container;
using image::ContainerState;
using image::Image;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::int64_t kMiB = 1LL << 20;
constexpr std::int64_t kGiB = 1024 * kMiB;
const base::TimePoint kNow =
    std::chrono::sys_days(std::chrono::year(2026) / 11 / 30) + hours(3) + minutes(4) + seconds(5);

struct Spec {
  std::string tag;         // empty: dangling
  std::string repository;  // empty: no digest, it cannot be had again
  std::int64_t mebibytes;
  base::Duration idle;  // negative: never used
  base::Duration age;
  std::vector<std::string> layers;
};

const std::array kSpecs = {
    Spec{"registry.k8s.io/pause:3.9", "registry.k8s.io/pause", 1, -days(1), days(90), {"pause"}},
    Spec{"docker.io/library/nginx:1.25",
         "docker.io/library/nginx",
         70,
         hours(0),
         days(30),
         {"debian", "nginx25"}},
    Spec{"docker.io/library/nginx:1.24",
         "docker.io/library/nginx",
         68,
         days(12),
         days(60),
         {"debian", "nginx24"}},
    Spec{"ghcr.io/acme/train:v42",
         "ghcr.io/acme/train",
         4600,
         hours(0),
         days(9),
         {"cuda", "torch", "v42"}},
    Spec{"ghcr.io/acme/train:v41",
         "ghcr.io/acme/train",
         4500,
         days(41),
         days(50),
         {"cuda", "torch", "v41"}},
    Spec{"ghcr.io/acme/train:v40",
         "ghcr.io/acme/train",
         4200,
         days(63),
         days(80),
         {"cuda", "old-torch", "v40"}},
    Spec{"", "ghcr.io/acme/api", 210, days(20), days(40), {"debian", "jre", "api1"}},
    Spec{"ghcr.io/acme/api:2.0",
         "ghcr.io/acme/api",
         220,
         hours(0),
         days(20),
         {"debian", "jre", "api2"}},
    Spec{"localhost:5000/tool:dev", "", 90, days(33), days(70), {"debian", "tool"}},
    Spec{"quay.io/vendor/agent:1", "quay.io/vendor/agent", 120, -days(1), days(90), {"agent"}},
    Spec{"docker.io/library/redis:7",
         "docker.io/library/redis",
         45,
         -days(1),
         minutes(1),
         {"debian", "redis"}},
    Spec{"docker.io/library/busybox:latest", "", 4, -days(1), hours(5), {"busybox"}},
    Spec{"ghcr.io/acme/ebb:0.1", "ghcr.io/acme/ebb", 6, hours(0), days(3), {"ebb"}},
};

Image MakeImage(unsigned number, const Spec& spec) {
  Image image{.id = {TestId(number)}, .size = {spec.mebibytes * kMiB}};
  if (!spec.tag.empty()) image.tags = {spec.tag};
  if (!spec.repository.empty()) image.digests = {spec.repository + "@" + TestId(number + 100)};
  const bool used = spec.idle >= base::Duration{};
  image.usage = {.first_seen = kNow - spec.age,
                 .last_used = used ? kNow - spec.idle : base::kNever,
                 .starts = used ? 3 : 0,
                 .pulls = 1};
  return image;
}

Container MakeContainer(unsigned number, std::string pod, ContainerState state, std::string image) {
  return {.id = TestId(number + 500).substr(7),
          .name = "main",
          .pod_namespace = "shop",
          .pod_name = std::move(pod),
          .state = state,
          .created_at = kNow - days(1),
          .image_ref = std::move(image)};
}

void AddWorkloads(image::Observation& seen) {
  seen.containers = {MakeContainer(0, "web-1", ContainerState::kRunning, TestId(1)),
                     MakeContainer(1, "web-2", ContainerState::kExited, TestId(1)),
                     MakeContainer(2, "api-1", ContainerState::kRunning, TestId(7))};
  seen.containers[2].volume_images = {"ghcr.io/acme/train:v42"};
  seen.sandboxes = {{.id = "5b0", .pod_namespace = "shop", .pod_name = "web-1", .ready = true}};
  seen.sandbox_images = {
      {"registry.k8s.io/pause:3.9", "runtime configuration", {TestId(0)}},
      {"registry.k8s.io/pause:3.9", "sandbox 5b0", {TestId(0)}},
  };
}

}  // namespace

std::string TestId(unsigned number) {
  std::string id = "sha256:";
  unsigned state = number * 2654435761U + 12345U;
  for (int word = 0; word < 8; ++word) {
    state = state * 1664525U + 1013904223U;
    std::array<char, 9> digits{};
    (void)std::snprintf(digits.data(), digits.size(), "%08x", state);
    id += digits.data();
  }
  return id;
}

World MakeWorld() {
  World world;
  image::Observation& seen = world.seen;
  seen.taken_at = kNow;
  seen.runtime = {.name = "containerd",
                  .version = "1.7.24",
                  .endpoint = "unix:///run/containerd/containerd.sock"};
  std::vector<image::LayerChain> chains;
  for (unsigned i = 0; i < kSpecs.size(); ++i) {
    seen.images.push_back(MakeImage(i, kSpecs.at(i)));
    chains.emplace_back(kSpecs.at(i).layers);
  }
  seen.images[9].pinned = true;
  seen.own_image = {TestId(12)};
  AddWorkloads(seen);
  seen.filesystems = {{.holds_images = true,
                       .holds_containers = true,
                       .mountpoint = "/var/lib/containerd",
                       .path = "/var/lib/containerd",
                       .device = "8:1",
                       .capacity = {20 * kGiB},
                       .available = {20 * kGiB * 16 / 100},
                       .inodes = 1310720,
                       .inodes_free = 1100000}};
  seen.store = image::MakeLayerGraph(seen.images, chains);
  seen.not_checked = {"pods", "pulls"};
  world.policy.protect = {*image::Pattern::Parse("localhost:5000/tool")};
  world.policy.marks.kubelet = {.image_gc_high = base::Percent{85},
                                .image_gc_low = base::Percent{80},
                                .hard_imagefs = image::Quantity(base::Percent{10}),
                                .source = "/var/lib/kubelet/config.yaml"};
  return world;
}

image::Report MakeReport(const World& world, const image::Plan& plan) {
  image::Report report{.started = kNow, .finished = kNow + seconds(3), .plan = plan, .batches = 1};
  report.before = world.seen.filesystems.front();
  report.after = report.before;
  report.ending = image::Ending::kInterrupted;
  for (std::size_t i = 0; i < plan.removals; ++i) {
    const image::Verdict& verdict = plan.verdicts[i];
    image::Removal removal{.image = verdict.image, .predicted = verdict.frees};
    removal.outcome = image::Outcome::kRemoved;
    if (i == 1) removal.outcome = image::Outcome::kHeld;
    if (i == 2) removal.outcome = image::Outcome::kFailed;
    if (i > 2) removal.outcome = image::Outcome::kNotTried;
    if (i == 1) removal.detail = "the runtime says it is in use by a container";
    if (i == 2) removal.detail = "deadline exceeded after 5m0s";
    if (i == 0) report.predicted += verdict.frees;
    report.removals.push_back(removal);
  }
  report.measured = {report.predicted.count - 7 * kMiB};
  report.after.available += report.measured;
  return report;
}

TEST(World, HasAVerdictForEveryImage) {
  const World world = MakeWorld();
  EXPECT_EQ(world.Plan().verdicts.size(), world.seen.images.size());
}

}  // namespace ebb::report
