// Binary data as Kubernetes writes it into text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::kube {

// Standard base64 with padding (RFC 4648 §4); line ends within are passed over. nullopt: it is
// none.
std::optional<std::string> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view data);

}  // namespace ebb::kube
