#include "rpc/endpoint.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/unique_fd.h"

namespace ebb::rpc {
namespace {

// One byte of sun_path is the terminating zero.
constexpr std::size_t kMaxPath = sizeof(sockaddr_un::sun_path) - 1;

base::Error Bad(std::string_view text, std::string_view why) {
  return {base::ErrorCode::kUsage,
          std::string("runtime endpoint \"").append(text).append("\" ").append(why)};
}

// 0, or the errno with which nobody can be reached.
int TryToConnect(const std::string& path) {
  const base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(static_cast<char*>(address.sun_path), path.data(), path.size());
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  return ::connect(fd.get(), generic, sizeof(address)) == 0 ? 0 : errno;
}

}  // namespace

base::Result<Endpoint> ParseEndpoint(std::string_view text) {
  std::string_view path = text;
  if (path.starts_with("unix:")) {
    path.remove_prefix(5);
    if (path.starts_with("//")) path.remove_prefix(2);
  } else if (path.find("://") != std::string_view::npos) {
    return Bad(text, "is no unix socket: write unix:///path, other transports are not spoken");
  }
  if (!path.starts_with('/')) return Bad(text, "has no absolute path: write unix:///path");
  if (path.find('\0') != std::string_view::npos) return Bad(text, "contains a zero byte");
  if (path.size() > kMaxPath) {
    return Bad(text, "is too long for a unix socket (" + std::to_string(kMaxPath) + " bytes)");
  }
  return Endpoint{"unix://" + std::string(path), std::string(path)};
}

std::string TargetOf(const Endpoint& endpoint) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string target = "unix:";
  for (const char c : endpoint.path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::strchr("/-._~", c) != nullptr) {
      target += c;
    } else {
      target.append({'%', kHex[byte >> 4U], kHex[byte & 15U]});
    }
  }
  return target;
}

std::string SocketProblem(const Endpoint& endpoint, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "there is no socket at " + endpoint.text + ": is the container runtime running?";
    case EACCES:
    case EPERM:
      return "permission denied at " + endpoint.text +
             ": run as root or add your user to the socket's group";
    case ECONNREFUSED:
      return "nobody listens at " + endpoint.text + ": the container runtime is not running";
    case ENOTSOCK: return endpoint.text + " is not a socket: check the runtime endpoint";
    case EAGAIN:
      return "the container runtime at " + endpoint.text + " accepts no more connections";
    default:
      return "cannot connect to " + endpoint.text + ": " + std::generic_category().message(error);
  }
}

std::optional<std::string> WhyUnreachable(const Endpoint& endpoint) {
  struct stat info{};
  if (::stat(endpoint.path.c_str(), &info) != 0) return SocketProblem(endpoint, errno);
  // connect(2) would call a plain file a refused connection.
  if (!S_ISSOCK(info.st_mode)) return SocketProblem(endpoint, ENOTSOCK);
  const int error = TryToConnect(endpoint.path);
  if (error == 0) return std::nullopt;
  return SocketProblem(endpoint, error);
}

}  // namespace ebb::rpc
