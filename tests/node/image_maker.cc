#include "node/image_maker.h"

#include <boost/json.hpp>
#include <utility>

#include "node/archive.h"
#include "node/digest.h"
#include "node/gzip.h"

namespace ebb::node {
namespace {

namespace json = boost::json;

#if defined(__aarch64__)
constexpr const char* kHostArchitecture = "arm64";
#else
constexpr const char* kHostArchitecture = "amd64";
#endif

const std::string kMedia = "application/vnd.oci.image.";

struct Layer {
  std::string diff_id;  // of the uncompressed tar
  Blob blob;
};

json::object Descriptor(const std::string& kind, const Blob& blob) {
  return {{"mediaType", kMedia + kind}, {"digest", blob.digest}, {"size", blob.size}};
}

class Maker {
 public:
  explicit Maker(int file) : archive_(file) {}

  MadeImage Add(const ImageSpec& spec) {
    MadeImage made;
    json::object target = Manifest(spec, kHostArchitecture, made.id);
    if (!spec.other_architectures.empty()) target = Index(spec, target);
    made.digest = target.at("digest").as_string().c_str();
    made.names = spec.tags;
    for (const std::string& repository : spec.repositories) {
      made.names.push_back(repository + "@" + made.digest);
    }
    for (const std::string& name : made.names) Name(target, name);
    return made;
  }

  base::Status Finish() {
    return archive_.Finish(
        json::serialize(json::object{{"schemaVersion", 2}, {"manifests", names_}}));
  }

 private:
  const Layer& AddLayer(const LayerSpec& spec, bool gzip) {
    const auto [entry, added] = layers_.try_emplace({spec, gzip});
    if (!added) return entry->second;
    Sha256 diff_id;
    entry->second.blob = archive_.AddStream([&](const Sink& out) {
      Gzip zipped(out);
      WriteLayer(spec, [&](std::string_view data) {
        diff_id.Add(data);
        gzip ? zipped.Add(data) : out(data);
      });
      if (gzip) zipped.Finish();
    });
    entry->second.diff_id = diff_id.Digest();
    return entry->second;
  }

  json::object Manifest(const ImageSpec& spec, const std::string& architecture, std::string& id) {
    json::array diff_ids;
    json::array layers;
    for (const LayerSpec& layer : spec.layers) {
      const Layer& added = AddLayer(layer, spec.gzip);
      diff_ids.emplace_back(added.diff_id);
      layers.emplace_back(Descriptor(spec.gzip ? "layer.v1.tar+gzip" : "layer.v1.tar", added.blob));
    }
    const Blob config = archive_.AddBlob(Configuration(spec, architecture, diff_ids));
    id = config.digest;
    const json::object manifest{{"schemaVersion", 2},
                                {"mediaType", kMedia + "manifest.v1+json"},
                                {"config", Descriptor("config.v1+json", config)},
                                {"layers", layers}};
    return Descriptor("manifest.v1+json", archive_.AddBlob(json::serialize(manifest)));
  }

  static std::string Configuration(const ImageSpec& spec, const std::string& architecture,
                                   const json::array& diff_ids) {
    json::object labels;
    for (const auto& [key, value] : spec.labels) labels[key] = value;
    const json::object run{{"Entrypoint", json::value_from(spec.entrypoint)},
                           {"Env", json::value_from(spec.environment)},
                           {"Labels", labels}};
    return json::serialize(
        json::object{{"created", "2026-01-01T00:00:00Z"},
                     {"architecture", architecture},
                     {"os", "linux"},
                     {"config", run},
                     {"rootfs", json::object{{"type", "layers"}, {"diff_ids", diff_ids}}}});
  }

  json::object Index(const ImageSpec& spec, json::object host) {
    json::array manifests;
    const auto add = [&manifests](json::object manifest, const std::string& architecture) {
      manifest["platform"] = json::object{{"architecture", architecture}, {"os", "linux"}};
      manifests.emplace_back(std::move(manifest));
    };
    add(std::move(host), kHostArchitecture);
    for (const std::string& architecture : spec.other_architectures) {
      ImageSpec foreign = spec;
      for (LayerSpec& layer : foreign.layers) layer.name += "-" + architecture;
      std::string unused_id;
      add(Manifest(foreign, architecture, unused_id), architecture);
    }
    const json::object index{
        {"schemaVersion", 2}, {"mediaType", kMedia + "index.v1+json"}, {"manifests", manifests}};
    return Descriptor("index.v1+json", archive_.AddBlob(json::serialize(index)));
  }

  void Name(json::object target, const std::string& name) {
    target["annotations"] = json::object{{"io.containerd.image.name", name}};
    names_.emplace_back(std::move(target));
  }

  Archive archive_;
  std::map<std::pair<LayerSpec, bool>, Layer> layers_;
  json::array names_;
};

}  // namespace

base::Result<std::vector<MadeImage>> WriteImages(int file, std::span<const ImageSpec> specs) {
  Maker maker(file);
  std::vector<MadeImage> made;
  made.reserve(specs.size());
  for (const ImageSpec& spec : specs) made.push_back(maker.Add(spec));
  if (const base::Status finished = maker.Finish(); !finished.ok()) return finished.error();
  return made;
}

}  // namespace ebb::node
