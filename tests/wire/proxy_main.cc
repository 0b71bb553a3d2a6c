// ebb-wire-proxy: stands between a client and a runtime's socket and writes down every call.
//
//   ebb-wire-proxy --listen SOCKET --upstream SOCKET --log FILE [FAULT...]
//   FAULT: --delay METHOD=MILLISECONDS  --fail METHOD=CODE  --drop METHOD  --cut METHOD
//
// One JSON line per call, on disk before the call goes on. Runs until SIGINT or SIGTERM.
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <fstream>
#include <iostream>
#include <mutex>
#include <span>

#include "wire/proxy.h"

namespace ebb::wire {
namespace {

struct Arguments {
  Proxy::Options options;
  std::string log;
  std::vector<std::pair<std::string, Fault>> faults;
};

// "METHOD=NUMBER"; the number of a plain "METHOD" is 0.
std::pair<std::string, int> Split(std::string_view text) {
  const std::size_t equals = text.find('=');
  int number = 0;
  if (equals != std::string_view::npos) {
    const std::string_view digits = text.substr(equals + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
  }
  return {std::string(text.substr(0, equals)), number};
}

bool AddFault(Arguments& arguments, std::string_view flag, std::string_view value) {
  const auto [method, number] = Split(value);
  Fault fault;
  if (flag == "--delay") {
    fault.kind = Fault::Kind::kDelay;
    fault.delay = std::chrono::milliseconds(number);
  } else if (flag == "--fail") {
    fault.code = static_cast<grpc::StatusCode>(number);
    fault.message = "failed by the proxy";
  } else if (flag == "--drop") {
    fault.kind = Fault::Kind::kDrop;
  } else if (flag == "--cut") {
    fault.kind = Fault::Kind::kCut;
  } else {
    return false;
  }
  arguments.faults.emplace_back(method, fault);
  return true;
}

bool Parse(std::span<char*> words, Arguments& arguments) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string_view flag = words[i];
    const std::string value = words[i + 1];
    if (flag == "--listen") {
      arguments.options.listen = value;
    } else if (flag == "--upstream") {
      arguments.options.upstream = value;
    } else if (flag == "--log") {
      arguments.log = value;
    } else if (!AddFault(arguments, flag, value)) {
      return false;
    }
  }
  return words.size() % 2 == 0 && !arguments.options.listen.empty() &&
         !arguments.options.upstream.empty() && !arguments.log.empty();
}

sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

int Run(Arguments& arguments) {
  std::ofstream log(arguments.log, std::ios::app);
  if (!log) {
    std::cerr << "ebb-wire-proxy: cannot write " << arguments.log << "\n";
    return 1;
  }
  std::mutex mutex;
  arguments.options.before_forward = [&](const Call& call) {
    const std::lock_guard lock(mutex);
    log << JsonLine(call) << "\n" << std::flush;
  };
  // Blocked before any thread starts, so that only sigwait() takes them.
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto proxy = Proxy::Start(arguments.options);
  if (!proxy.ok()) {
    std::cerr << "ebb-wire-proxy: " << proxy.error().message << "\n";
    return 1;
  }
  for (const auto& [method, fault] : arguments.faults) (*proxy)->faults().Set(method, fault);
  int signal = 0;
  sigwait(&signals, &signal);
  return 0;
}

}  // namespace
}  // namespace ebb::wire

int main(int argc, char** argv) {
  ebb::wire::Arguments arguments;
  if (!ebb::wire::Parse(std::span(argv + 1, argv + argc), arguments)) {
    std::cerr << "usage: ebb-wire-proxy --listen SOCKET --upstream SOCKET --log FILE\n"
                 "  [--delay METHOD=MS] [--fail METHOD=CODE] [--drop METHOD] [--cut METHOD]\n";
    return 2;
  }
  return ebb::wire::Run(arguments);
}
