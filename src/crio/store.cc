#include "crio/store.h"

#include <utility>

#include "crio/files.h"
#include "crio/lists.h"
#include "crio/measure.h"
#include "crio/translate.h"

namespace ebb::crio {
namespace {

base::Result<StorageConf> ReadConf(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const auto text = ReadFile(path);
    if (!text.ok() && text.error().code == base::ErrorCode::kNotFound) continue;
    if (!text.ok()) return text.error();
    auto conf = ParseStorageConf(*text);
    if (!conf.ok()) return conf.error().In(path);
    return conf;
  }
  return StorageConf{};
}

// The root that holds `path`, which ends in the driver's name and "-images".
base::Result<std::string> RootAbove(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (path.empty() || slash == std::string::npos || !path.ends_with("-images")) return path;
  if (path.substr(slash) != "/overlay-images") {
    return base::Error{
        base::ErrorCode::kUnsupported,
        path + " is of a driver other than overlay, whose layers cannot be measured"};
  }
  return path.substr(0, slash);
}

class Containers final : public engine::StoreReader {
 public:
  explicit Containers(Options options) : options_(std::move(options)) {}

  base::Result<image::Store> Read(engine::FactBook& facts) override {
    const auto conf = ReadConf(options_.configs);
    if (!conf.ok()) return conf.error();
    if (!conf->driver.empty() && conf->driver != "overlay" && conf->driver != "overlay2") {
      return base::Error{
          base::ErrorCode::kUnsupported,
          "the store's driver is " + conf->driver + ": only layers of overlay can be measured"};
    }
    const auto root = RootAbove(options_.image_path);
    if (!root.ok()) return root.error();
    auto listing = ReadLists(*conf, RootsOf(*conf, *root));
    if (!listing.ok()) return listing.error();
    Measure(*listing, facts);
    return Translate(*listing);
  }

 private:
  Options options_;
};

}  // namespace

std::unique_ptr<engine::StoreReader> MakeStoreReader(const Options& options) {
  return std::make_unique<Containers>(options);
}

}  // namespace ebb::crio
