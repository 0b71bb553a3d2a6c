// What the proxy writes down about a call.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace ebb::wire {

struct Call {
  std::chrono::system_clock::time_point time;
  std::string method;   // "/runtime.v1.ImageService/RemoveImage"
  std::string object;   // what it is about: an image, a digest, a snapshot, a lease
  std::string space;    // containerd-namespace, where sent
  std::string request;  // the first message, as it was on the wire
  int code = -1;        // gRPC's answer; -1: none yet
};

// The name in a request, read without the service's .proto; empty where the method is not known.
std::string ObjectOf(std::string_view method, std::string_view request);

// True for the methods that take images, or pieces of them, away: CRI RemoveImage, containerd's
// Images.Delete, Content.Delete and Snapshots.Remove.
bool Removes(std::string_view method);

// {"time":"...","method":"...","object":"...","namespace":"..."} without a line end.
std::string JsonLine(const Call& call);

}  // namespace ebb::wire
