// What an API server answers: the first byte says which question it was.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kube/discovery.h"
#include "kube/object_page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view answer(reinterpret_cast<const char*>(data) + 1, size - 1);
  ebb::kube::Discovery found;
  switch (data[0]) {
    case 'g':
      if (ebb::kube::ReadGroups(answer, found).ok()) (void)ebb::kube::ToRead(found);
      break;
    case 'v': (void)ebb::kube::ReadVersions(answer); break;
    case 'r': (void)ebb::kube::ReadResources(answer, "v1"); break;
    case 'j': (void)ebb::kube::ParseObjectPage(answer); break;
    case 'o': (void)ebb::kube::ParseObject(answer); break;
    default: (void)ebb::kube::ParseProtobufPage(answer); break;
  }
  return 0;
}
