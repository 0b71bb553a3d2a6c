// Credentials from a program (client.authentication.k8s.io/v1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "kube/access.h"

namespace ebb::kube {

struct ExecCredential {
  std::string token;
  std::string certificate;
  std::string key;
  std::optional<base::TimePoint> expires;
};

// What the program printed: an ExecCredential with a token or a certificate with its key.
base::Result<ExecCredential> ParseExecCredential(std::string_view json);

// Runs the plugin of `access`, at most 30 seconds. Requires access.plugin.
base::Result<ExecCredential> RunPlugin(const Access& access);

}  // namespace ebb::kube
