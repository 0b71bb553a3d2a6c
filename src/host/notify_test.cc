#include "host/notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>

#include "base/unique_fd.h"

namespace ebb::host {
namespace {

// The service manager's end, on an abstract socket that nobody else has.
class Listener {
 public:
  Listener() : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    static int number = 0;
    name_ = "@ebb-notify-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (void)name_.copy(static_cast<char*>(address.sun_path), name_.size());
    address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), length), 0);
  }
  const std::string& name() const { return name_; }
  std::string Hear() const {
    std::array<char, 512> text{};
    const auto got = ::recv(fd_.get(), text.data(), text.size(), MSG_DONTWAIT);
    return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "";
  }

 private:
  base::UniqueFd fd_;
  std::string name_;
};

TEST(ServiceManager, HearsWhatSystemdUnderstands) {
  const Listener listener;
  const ServiceManager manager(listener.name(), std::nullopt);
  manager.Ready();
  EXPECT_EQ(listener.Hear(), "READY=1");
  manager.Alive();
  EXPECT_EQ(listener.Hear(), "WATCHDOG=1");
  manager.Stopping();
  EXPECT_EQ(listener.Hear(), "STOPPING=1");
  manager.Reloading();
  EXPECT_TRUE(listener.Hear().starts_with("RELOADING=1\nMONOTONIC_USEC="));
}

TEST(ServiceManager, AStatusStaysOnItsLine) {
  const Listener listener;
  ServiceManager(listener.name(), std::nullopt).Status("full\nREADY=1");
  EXPECT_EQ(listener.Hear(), "STATUS=full READY=1");
}

TEST(ServiceManager, WithoutOneNobodyIsToldAndNothingFails) {
  ServiceManager("", std::nullopt).Ready();
  ServiceManager("/no/such/socket", std::nullopt).Ready();
  ServiceManager(std::string(200, 'x'), std::nullopt).Ready();
}

TEST(ServiceManager, ReadsTheWatchdogOfItsOwnProcess) {
  const std::string pid = std::to_string(::getpid());
  (void)::setenv("WATCHDOG_USEC", "30000000", 1);
  (void)::setenv("WATCHDOG_PID", pid.c_str(), 1);
  EXPECT_EQ(ServiceManager().watchdog(), std::chrono::seconds(30));
  (void)::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_FALSE(ServiceManager().watchdog()) << "another process's";
  (void)::unsetenv("WATCHDOG_PID");
  (void)::setenv("WATCHDOG_USEC", "soon", 1);
  EXPECT_FALSE(ServiceManager().watchdog());
  (void)::unsetenv("WATCHDOG_USEC");
}

}  // namespace
}  // namespace ebb::host
