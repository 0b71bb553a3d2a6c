#include "wire/record.h"

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace ebb::wire {

namespace {

struct Known {
  std::string_view method;
  std::array<std::uint32_t, 2> path;  // field numbers from the outside in; 0: no further
  bool removes = false;
};

constexpr auto kKnown = std::to_array<Known>({
    {"/runtime.v1.ImageService/RemoveImage", {1, 1}, true},
    {"/containerd.services.images.v1.Images/Delete", {1, 0}, true},
    {"/containerd.services.content.v1.Content/Delete", {1, 0}, true},
    {"/containerd.services.snapshots.v1.Snapshots/Remove", {2, 0}, true},
    {"/runtime.v1.ImageService/ImageStatus", {1, 1}},
    {"/runtime.v1.ImageService/PullImage", {1, 1}},
    {"/runtime.v1.RuntimeService/ContainerStatus", {1, 0}},
    {"/runtime.v1.RuntimeService/RemoveContainer", {1, 0}},
    {"/runtime.v1.RuntimeService/StopContainer", {1, 0}},
    {"/runtime.v1.RuntimeService/PodSandboxStatus", {1, 0}},
    {"/runtime.v1.RuntimeService/StopPodSandbox", {1, 0}},
    {"/runtime.v1.RuntimeService/RemovePodSandbox", {1, 0}},
    {"/containerd.services.images.v1.Images/Create", {1, 1}},
    {"/containerd.services.images.v1.Images/Update", {1, 1}},
    {"/containerd.services.leases.v1.Leases/Create", {1, 0}},
    {"/containerd.services.leases.v1.Leases/Delete", {1, 0}},
    {"/containerd.services.leases.v1.Leases/AddResource", {2, 1}},
    {"/containerd.services.leases.v1.Leases/DeleteResource", {2, 1}},
});

const Known* Find(std::string_view method) {
  for (const Known& known : kKnown) {
    if (known.method == method) return &known;
  }
  return nullptr;
}

std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> TakeBytes(std::string_view& bytes, std::uint64_t size) {
  if (size > bytes.size()) return std::nullopt;
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

// The contents of a field of the given wire type; numbers come back empty.
std::optional<std::string_view> TakeField(std::string_view& bytes, std::uint64_t type) {
  switch (type) {
    case 0: return TakeVarint(bytes) ? std::optional<std::string_view>("") : std::nullopt;
    case 1: return TakeBytes(bytes, 8);
    case 2: {
      const std::optional<std::uint64_t> size = TakeVarint(bytes);
      return size ? TakeBytes(bytes, *size) : std::nullopt;
    }
    case 5: return TakeBytes(bytes, 4);
    default: return std::nullopt;
  }
}

// The last string or message in field `number`, as proto3 has it; empty if there is none.
std::string_view Field(std::string_view message, std::uint32_t number) {
  std::string_view found;
  while (!message.empty()) {
    const std::optional<std::uint64_t> key = TakeVarint(message);
    if (!key) return found;
    const std::optional<std::string_view> field = TakeField(message, *key & 7U);
    if (!field) return found;
    if ((*key >> 3U) == number && (*key & 7U) == 2) found = *field;
  }
  return found;
}

}  // namespace

std::string ObjectOf(std::string_view method, std::string_view request) {
  const Known* known = Find(method);
  if (known == nullptr) return {};
  for (const std::uint32_t number : known->path) {
    if (number != 0) request = Field(request, number);
  }
  return std::string(request);
}

bool Removes(std::string_view method) {
  const Known* known = Find(method);
  return known != nullptr && known->removes;
}

std::string JsonLine(const Call& call) {
  const auto since = call.time.time_since_epoch();
  boost::json::object line = {
      {"time", base::FormatTime(base::TimePoint(since))},
      {"nanoseconds", std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()},
      {"method", call.method},
      {"object", call.object}};
  if (!call.space.empty()) line["namespace"] = call.space;
  return boost::json::serialize(line);
}

}  // namespace ebb::wire
