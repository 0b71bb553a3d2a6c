#include "config/node_values.h"

#include "config/endpoints.h"
#include "config/values.h"

namespace ebb::config {
namespace {

bool IsScalar(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kScalar;
}

}  // namespace

std::optional<std::optional<base::Percent>> Mark::Read(const YamlNode& node) {
  if (IsScalar(node) && node.text == "auto") return std::optional<base::Percent>();
  const auto value = ReadInt(node, 0, 100);
  if (!value) return std::nullopt;
  return std::optional(base::Percent{*value});
}

std::string Mark::Write(const std::optional<base::Percent>& mark) {
  return mark ? std::to_string(mark->value) : "auto";
}

std::optional<base::Duration> Age::Read(const YamlNode& node) {
  return ReadDuration(node);
}

std::string Age::Write(base::Duration age) {
  return ShortDuration(age);
}

std::optional<base::Duration> Timeout::Read(const YamlNode& node) {
  const auto timeout = ReadDuration(node);
  const bool fits =
      timeout && *timeout >= std::chrono::minutes(5) && *timeout <= std::chrono::hours(24);
  return fits ? timeout : std::nullopt;
}

std::string Timeout::Write(base::Duration timeout) {
  return ShortDuration(timeout);
}

std::optional<std::size_t> Count::Read(const YamlNode& node) {
  const auto value = ReadInt(node, 1, 1'000'000);
  return value ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt;
}

std::string Count::Write(std::size_t count) {
  return std::to_string(count);
}

std::optional<int> InFlight::Read(const YamlNode& node) {
  return ReadInt(node, 1, 64);
}

std::string InFlight::Write(int count) {
  return std::to_string(count);
}

std::optional<base::Percent> Share::Read(const YamlNode& node) {
  const auto value = ReadInt(node, 1, 100);
  return value ? std::optional(base::Percent{*value}) : std::nullopt;
}

std::string Share::Write(base::Percent share) {
  return std::to_string(share.value);
}

std::optional<std::optional<base::Bytes>> Size::Read(const YamlNode& node) {
  if (!IsScalar(node)) return std::nullopt;
  if (node.text == "none") return std::optional<base::Bytes>();
  const auto size = base::ParseBytes(node.text);
  if (!size.ok() || size->count <= 0) return std::nullopt;
  return std::optional(*size);
}

std::string Size::Write(const std::optional<base::Bytes>& size) {
  return size ? std::to_string(size->count) : "none";
}

std::optional<std::string> Endpoint::Read(const YamlNode& node) {
  // Nothing after the colon may be a slip of the pen; "" is meant.
  if (!IsScalar(node) || node.IsNull()) return std::nullopt;
  if (node.text.empty()) return std::string();
  const auto endpoint = ParseEndpoint(node.text);
  return endpoint.ok() ? std::optional<std::string>(*endpoint) : std::nullopt;
}

std::string Endpoint::Write(const std::string& endpoint) {
  return Quote(endpoint);
}

std::optional<std::string> Directory::Read(const YamlNode& node) {
  const bool absolute = IsScalar(node) && node.text.starts_with('/') &&
                        node.text.find_first_of("\t\r\n") == std::string::npos;
  return absolute ? std::optional(node.text) : std::nullopt;
}

std::string Directory::Write(const std::string& path) {
  return Quote(path);
}

std::optional<std::size_t> Number::Read(const YamlNode& node) {
  if (IsScalar(node) && node.text == "0") return 0;
  return Count::Read(node);
}

std::string Number::Write(std::size_t number) {
  return std::to_string(number);
}

std::optional<image::RemovalPolicy> PolicyWord::Read(const YamlNode& node) {
  if (!IsScalar(node)) return std::nullopt;
  return image::ParseRemovalPolicy(node.text);
}

std::string PolicyWord::Write(image::RemovalPolicy policy) {
  return std::string(image::Code(policy));
}

std::optional<Mode> ModeWord::Read(const YamlNode& node) {
  if (!IsScalar(node)) return std::nullopt;
  if (node.text == "observe") return Mode::kObserve;
  if (node.text == "enforce") return Mode::kEnforce;
  return std::nullopt;
}

std::string ModeWord::Write(Mode mode) {
  return mode == Mode::kEnforce ? "enforce" : "observe";
}

std::optional<GuardMode> GuardWord::Read(const YamlNode& node) {
  if (!IsScalar(node)) return std::nullopt;
  if (node.text == "auto") return GuardMode::kAuto;
  if (node.text == "on") return GuardMode::kOn;
  if (node.text == "off") return GuardMode::kOff;
  return std::nullopt;
}

std::string GuardWord::Write(GuardMode mode) {
  if (mode == GuardMode::kAuto) return "auto";
  return mode == GuardMode::kOn ? "on" : "off";
}

std::optional<bool> DeadWord::Read(const YamlNode& node) {
  if (!IsScalar(node)) return std::nullopt;
  if (node.text == "report") return false;
  if (node.text == "remove") return true;
  return std::nullopt;
}

std::string DeadWord::Write(bool remove) {
  return remove ? "remove" : "report";
}

std::optional<std::optional<std::size_t>> Limit::Read(const YamlNode& node) {
  if (IsScalar(node) && node.text == "-1") return std::optional<std::size_t>();
  const auto number = Number::Read(node);
  if (!number) return std::nullopt;
  return std::make_optional<std::optional<std::size_t>>(number);
}

std::string Limit::Write(const std::optional<std::size_t>& most) {
  return most ? std::to_string(*most) : "-1";
}

}  // namespace ebb::config
