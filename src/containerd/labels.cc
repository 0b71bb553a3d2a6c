#include "containerd/labels.h"

namespace ebb::containerd {
namespace {

constexpr std::string_view kPrefix = "containerd.io/gc.";

// "ref.content", "ref.content.l.0" and "ref.content/x", but not "ref.contents".
bool Named(std::string_view rest, std::string_view kind) {
  if (!rest.starts_with(kind)) return false;
  return rest.size() == kind.size() || rest[kind.size()] == '.' || rest[kind.size()] == '/';
}

// The kind is what stands before the second dot or slash: the rest differs from object to object.
std::string_view KindOf(std::string_view key) {
  const std::size_t first = key.find_first_of("./", kPrefix.size());
  return first == std::string_view::npos ? key : key.substr(0, first);
}

void ReadOne(std::string_view key, std::string_view value, GcLabels& read) {
  constexpr std::string_view kSnapshot = "ref.snapshot.";
  const std::string_view rest = key.substr(kPrefix.size());
  if (Named(rest, "ref.content")) {
    read.content.push_back(value);
  } else if (rest.starts_with(kSnapshot)) {
    const std::string_view snapshotter = rest.substr(kSnapshot.size());
    read.snapshots.emplace_back(snapshotter.substr(0, snapshotter.find('/')), value);
  } else if (rest == "root") {
    read.root = true;
  } else if (rest == "flat") {
    read.flat = true;
  } else if (rest == "expire") {
    if (const auto time = base::ParseTime(value); time.ok()) read.expires = *time;
  } else if (!Named(rest, "ref.image")) {
    // An image that is named is a record, and records are kept anyway.
    read.unknown.push_back(KindOf(key));
  }
}

}  // namespace

bool KeepLabel(std::string_view key) {
  return key.starts_with(kPrefix) || key == kHoldLabel || key == kGuardLabel;
}

GcLabels ReadGcLabels(const Labels& labels) {
  GcLabels read;
  for (const auto& [key, value] : labels) {
    if (std::string_view(key).starts_with(kPrefix)) ReadOne(key, value, read);
  }
  return read;
}

}  // namespace ebb::containerd
