// storage.conf: where containers/storage keeps things. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::crio {

struct StorageConf {
  std::string driver;  // empty: it chooses itself
  std::string graphroot = "/var/lib/containers/storage";
  std::string runroot = "/run/containers/storage";
  std::string imagestore;                          // empty: images are in graphroot
  std::vector<std::string> additionalimagestores;  // read-only
  bool additional_layers = false;                  // layers come from somewhere else altogether
};

// Reads what of TOML such files are made of: tables, strings, lists of strings, comments. Other
// keys and other kinds of values are passed over. kUsage, with the line, if one of these keys has a
// value that is not understood.
base::Result<StorageConf> ParseStorageConf(std::string_view text);

// Where the runtime says that it keeps images and containers; empty: it does not say.
struct RuntimeRoots {
  std::string images;
  std::string containers;
};

// Roots of the store, the one of images first and the one of containers last; usually one. What the
// runtime says counts more than `conf`: it has options of its own.
std::vector<std::string> RootsOf(const StorageConf& conf, const RuntimeRoots& runtime);

}  // namespace ebb::crio
