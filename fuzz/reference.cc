// Image names and the patterns about them: a pattern on the first line, a name on each other one.
#include "image/reference.h"

#include "input.h"

namespace ebb::fuzz {
namespace {

// "registry:5000/repository:tag@digest": one tag and one digest at most.
bool IsReference(std::string_view name) {
  const auto repository = name.substr(0, name.find('@'));
  const auto last = repository.substr(repository.rfind('/') + 1);
  return name.find_first_of("* \t") == name.npos && !last.empty() && last.front() != ':' &&
         last.find(':') == last.rfind(':') && !repository.starts_with('/');
}

void CheckName(const image::Image& image, const std::string& name) {
  Require(image::Names(name, image), "a name names its image", name);
  const std::string full = image::Normalize(name);
  (void)image::IsLocalRegistry(image::RegistryOf(full));
  if (!IsReference(name)) return;
  Require(image::Normalize(full) == full, "a full name is kept", full);
  const auto pattern = image::Pattern::Parse(full);
  if (pattern.ok()) {
    Require(pattern->Matches(image), "a name as a pattern matches its image", full);
  }
}

}  // namespace
}  // namespace ebb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = ebb::fuzz::Text(data, size);
  const auto pattern = ebb::image::Pattern::Parse(ebb::fuzz::TakeUntil('\n', rest));
  while (!rest.empty()) {
    const std::string name(ebb::fuzz::TakeUntil('\n', rest));
    if (name.empty()) continue;
    const ebb::image::Image image{.id = {"sha256:00"}, .tags = {name}, .digests = {}};
    ebb::fuzz::CheckName(image, name);
    if (pattern.ok()) (void)pattern->Matches(image);
  }
  return 0;
}
