#include "node/containerd.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/unique_fd.h"

namespace ebb::node {
namespace {

base::Status WriteConfig(const std::string& directory, const ContainerdOptions& options) {
  std::error_code error;
  for (const char* folder : {"/cni/bin", "/cni/conf", "/registries"}) {
    std::filesystem::create_directories(directory + folder, error);
  }
  std::ofstream file(directory + "/config.toml");
  file << ContainerdConfig(directory, options);
  file.close();
  if (file) return base::Done{};
  return base::Error{base::ErrorCode::kInternal, "cannot write " + directory + "/config.toml"};
}

std::string LogTail(const std::string& file) {
  constexpr std::size_t kShown = 2000;
  const std::string text = ReadAll(file);
  return text.size() <= kShown ? text : text.substr(text.size() - kShown);
}

}  // namespace

base::Result<std::unique_ptr<Containerd>> Containerd::Make(const std::string& directory,
                                                           const ContainerdOptions& options) {
  if (const base::Status written = WriteConfig(directory, options); !written.ok()) {
    return written.error();
  }
  std::unique_ptr<Containerd> made(new Containerd(directory));
  if (const base::Status started = made->Start(); !started.ok()) return started.error();
  return made;
}

Containerd::~Containerd() {
  Kill();
}

bool Containerd::Serves() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof(address.sun_path)) return false;
  socket_.copy(&address.sun_path[0], socket_.size());
  const base::UniqueFd client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // The socket API takes every address family through this one type.
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  return ::connect(client.get(), generic, sizeof(address)) == 0;
}

bool Containerd::Died() {
  if (::waitpid(pid_, nullptr, WNOHANG) != pid_) return false;
  pid_ = 0;
  return true;
}

base::Status Containerd::Start() {
  constexpr std::chrono::milliseconds kPause(5);
  constexpr std::chrono::seconds kPatience(30);
  const base::Result<pid_t> child =
      Spawn({"containerd", "--config", directory_ + "/config.toml"}, log());
  if (!child.ok()) return child.error();
  pid_ = *child;
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!Serves()) {
    if (Died() || std::chrono::steady_clock::now() > give_up) {
      return base::Error{base::ErrorCode::kInternal,
                         "containerd does not serve " + socket_ + ": " + LogTail(log())};
    }
    std::this_thread::sleep_for(kPause);
  }
  return base::Done{};
}

void Containerd::End(int signal) {
  if (pid_ != 0) EndChild(pid_, signal);
  pid_ = 0;
}

void Containerd::Stop() {
  End(SIGTERM);
}

void Containerd::Kill() {
  End(SIGKILL);
}

base::Status Containerd::Restart() {
  Stop();
  return Start();
}

base::Result<std::string> Containerd::Ctr(const Words& words, int input) const {
  Words command{"ctr", "--address", socket_, "--namespace", "k8s.io"};
  command.insert(command.end(), words.begin(), words.end());
  return Run(command, input);
}

base::Status Containerd::Import(int archive, const Words& flags) const {
  ::lseek(archive, 0, SEEK_SET);
  Words words{"images", "import"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.emplace_back("-");
  const base::Result<std::string> imported = Ctr(words, archive);
  if (!imported.ok()) return imported.error();
  return base::Done{};
}

}  // namespace ebb::node
