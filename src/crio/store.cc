#include "crio/store.h"

#include <filesystem>
#include <system_error>
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

// The same folder has one name, however it is spelled and whatever links lead there.
std::string Canonical(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::canonical(path, error);
  return error ? path : canonical.string();
}

// The root of a path that is in it, or that is it already; empty stays empty.
base::Result<std::string> RootAbove(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  for (const std::string what : {"-images", "-containers"}) {
    if (!name.ends_with(what)) continue;
    if (name == "overlay" + what) return Canonical(path.substr(0, path.size() - name.size()));
    return base::Error{
        base::ErrorCode::kUnsupported,
        path + " is of a driver other than overlay, whose layers cannot be measured"};
  }
  return Canonical(path);
}

base::Result<std::vector<std::string>> Roots(StorageConf conf, const Options& options) {
  const auto images = RootAbove(options.image_path);
  if (!images.ok()) return images.error();
  const auto containers = RootAbove(options.container_path);
  if (!containers.ok()) return containers.error();
  conf.graphroot = Canonical(conf.graphroot);
  conf.imagestore = Canonical(conf.imagestore);
  return RootsOf(conf, {.images = *images, .containers = *containers});
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
    const auto roots = Roots(*conf, options_);
    if (!roots.ok()) return roots.error();
    auto listing = ReadLists(*conf, *roots);
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
