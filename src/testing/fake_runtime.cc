#include "testing/fake_runtime.h"

#include <utility>

namespace ebb::testing {

namespace {

image::Outcome OutcomeOf(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kNotFound: return image::Outcome::kGone;
    case base::ErrorCode::kHeld: return image::Outcome::kHeld;
    default: return image::Outcome::kFailed;
  }
}

}  // namespace

void FakeRuntime::Fail(Method method, base::Error error, int times) {
  faults_.insert_or_assign(method, Fault{std::move(error), times});
}

int FakeRuntime::calls(Method method) const {
  const auto found = calls_.find(method);
  return found == calls_.end() ? 0 : found->second;
}

base::Status FakeRuntime::Enter(Method method) {
  ++calls_[method];
  const auto fault = faults_.find(method);
  if (fault != faults_.end() && fault->second.times-- > 0) return fault->second.error;
  if (node_.dead()) return base::Error{base::ErrorCode::kUnavailable, "the runtime is gone"};
  return base::Done{};
}

base::Result<engine::RuntimeFacts> FakeRuntime::Identify() {
  if (const base::Status entered = Enter(Method::kIdentify); !entered.ok()) return entered.error();
  const Profile& profile = node_.profile();
  engine::RuntimeFacts facts;
  facts.runtime.name = profile.runtime_name;
  facts.runtime.version = profile.runtime_version;
  facts.runtime.endpoint = "unix:///run/fake.sock";
  facts.runtime.traits = image::TraitsOf(profile.runtime_name, profile.runtime_version);
  facts.sandbox_image = node_.sandbox_image();
  return facts;
}

base::Result<engine::Inventory> FakeRuntime::List() {
  if (const base::Status entered = Enter(Method::kList); !entered.ok()) return entered.error();
  engine::Inventory listed;
  listed.images = node_.ListImages();
  listed.sandboxes = node_.ListSandboxes();
  listed.containers = node_.ListContainers();
  return listed;
}

base::Result<std::vector<engine::StoragePath>> FakeRuntime::Storage() {
  if (const base::Status entered = Enter(Method::kStorage); !entered.ok()) return entered.error();
  return node_.Storage();
}

base::Result<image::ImageId> FakeRuntime::Resolve(std::string_view name) {
  if (const base::Status entered = Enter(Method::kResolve); !entered.ok()) return entered.error();
  const std::optional<image::Image> found = node_.FindImage(name);
  return found ? found->id : image::ImageId{};
}

base::Result<std::vector<image::LayerChain>> FakeRuntime::LayersOf(
    std::span<const image::ImageId> ids) {
  if (const base::Status entered = Enter(Method::kLayersOf); !entered.ok()) return entered.error();
  std::vector<image::LayerChain> chains;
  for (const image::ImageId& id : ids) chains.push_back(node_.DiffIds(id.value));
  return chains;
}

base::Result<std::vector<std::string>> FakeRuntime::ImagesOfSandboxes(
    std::span<const std::string> sandbox_ids) {
  const base::Status entered = Enter(Method::kImagesOfSandboxes);
  if (!entered.ok()) return entered.error();
  std::vector<std::string> names;
  for (const std::string& id : sandbox_ids) names.push_back(node_.ImageOfSandbox(id).value_or(""));
  return names;
}

base::Result<std::vector<std::vector<std::string>>> FakeRuntime::VolumesOf(
    std::span<const std::string> container_ids) {
  if (const base::Status entered = Enter(Method::kVolumesOf); !entered.ok()) return entered.error();
  std::vector<std::vector<std::string>> volumes;
  for (const std::string& id : container_ids) {
    volumes.push_back(node_.VolumesOf(id).value_or(std::vector<std::string>{}));
  }
  return volumes;
}

engine::RemovalResult FakeRuntime::RemoveOne(const engine::Victim& victim) {
  base::Status done = Enter(Method::kRemove);
  if (finds_no_room && finds_no_room()) {
    return {image::Outcome::kFailed, "no space left on device", true};
  }
  if (done.ok()) done = node_.RemoveImage(victim.id.value, victim.handler);
  if (done.ok()) return {.outcome = image::Outcome::kRemoved};
  return {.outcome = OutcomeOf(done.error().code), .detail = done.error().message};
}

std::vector<engine::RemovalResult> FakeRuntime::Remove(std::span<const engine::Victim> victims) {
  std::vector<engine::RemovalResult> results;
  results.reserve(victims.size());
  for (const engine::Victim& victim : victims) results.push_back(RemoveOne(victim));
  return results;
}

image::Filesystem FakeDisk::Measure(const std::string& path) {
  const Profile& profile = node_.profile();
  image::Filesystem fs;
  fs.mountpoint = path;
  fs.path = path;
  if (!path.starts_with(profile.images_path) && !path.starts_with(profile.containers_path)) {
    fs.problem = path + ": no such file or directory";
  } else {
    fs.device = "254:0";
    fs.capacity = node_.capacity();
    fs.available = node_.Available();
    fs.inodes = 1'000'000;
    fs.inodes_free = 900'000;
  }
  if (after_measure) after_measure(fs);
  return fs;
}

}  // namespace ebb::testing
