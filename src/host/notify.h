// Tells the service manager how we are: systemd's notification protocol (sd_notify(3)).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ebb::host {

class ServiceManager {
 public:
  // By NOTIFY_SOCKET and WATCHDOG_USEC of the environment. Without them nobody is told anything.
  ServiceManager();
  explicit ServiceManager(std::string socket, std::optional<base::Duration> watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  void Ready() const { Send("READY=1"); }
  void Reloading() const;
  void Stopping() const { Send("STOPPING=1"); }
  void Alive() const { Send("WATCHDOG=1"); }
  // One line for `systemctl status`.
  void Status(std::string_view text) const;

  // How long we may stay silent before we are killed; nullopt: for ever.
  std::optional<base::Duration> watchdog() const { return watchdog_; }

 private:
  // Never waits and never fails: there is nobody left to tell.
  void Send(std::string_view message) const;

  std::string socket_;  // a path, or "@name" of an abstract socket; empty: none
  std::optional<base::Duration> watchdog_;
};

}  // namespace ebb::host
