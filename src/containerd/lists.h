// Asks containerd for its lists. For the .cc files of this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "containerd/channel.h"
#include "containerd/listing.h"

namespace ebb::containerd {

// The plugins that store something, by id, with the folder each has its data in; empty if it does
// not say.
struct Plugins {
  std::map<std::string, std::string> snapshotters;
  std::string content_root;
};
base::Result<Plugins> ListPlugins(const Connection& connection);

base::Result<std::vector<std::string>> ListSpaces(const Connection& connection);

// Everything of one namespace but the usage of snapshots. A thing that goes while it is asked for
// is left out, and so is all of a namespace that goes. A foreign snapshotter that cannot be
// listed adds a sentence to `doubts`.
base::Result<Space> ListSpace(const Connection& connection, const std::string& name,
                              const Plugins& plugins, std::vector<std::string>& doubts);

// The content of one namespace alone.
base::Result<std::vector<ContentEntry>> ListContent(const Connection& connection,
                                                    const std::string& name);

// Those that keep layers as plain folders.
bool IsPlainSnapshotter(const std::string& name);

}  // namespace ebb::containerd
