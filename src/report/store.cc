#include "report/store.h"

#include <algorithm>

#include "base/text.h"
#include "image/exact_graph.h"
#include "image/holding.h"
#include "report/json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::Observation;
using image::StoreObject;
using image::StoreRoot;

constexpr std::size_t kMostNames = 3;

base::Status Readable(const Observation& seen) {
  if (!seen.objects.objects.empty() || !seen.objects.roots.empty()) return base::Done{};
  return base::Error{
      base::ErrorCode::kUnsupported,
      "the store of this runtime could not be read: layers and leases are known only "
      "where containerd's own API answers or CRI-O's store is on this node"};
}

std::string_view LastPart(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

// Who keeps an object: images by name, everybody else in words.
struct Keepers {
  std::vector<std::size_t> images;
  std::vector<std::string> others;
};

class Roots {
 public:
  Roots(const Observation& seen, const Style& style)
      : seen_(seen),
        style_(style),
        holders_(seen.objects),
        owners_(image::AssignRecords(seen.objects, seen.images)) {}

  Keepers Of(StoreObject::Index object) const {
    Keepers keepers;
    for (const std::size_t root : holders_.Of(object)) {
      if (owners_[root]) {
        keepers.images.push_back(*owners_[root]);
      } else {
        keepers.others.push_back(Words(seen_.objects.roots[root], style_));
      }
    }
    std::ranges::sort(keepers.images);
    const auto repeated = std::ranges::unique(keepers.images);
    keepers.images.erase(repeated.begin(), repeated.end());
    return keepers;
  }

  std::vector<std::string> Names(const Keepers& keepers) const {
    std::vector<std::string> names;
    names.reserve(keepers.images.size());
    for (const std::size_t i : keepers.images) {
      names.push_back(ShortName(image::DisplayName(seen_.images[i]), style_));
    }
    return names;
  }

 private:
  // A container by its pod, where CRI lists it.
  std::string Words(const StoreRoot& root, const Style& style) const {
    const auto listed = std::ranges::find(seen_.containers, root.name, &image::Container::id);
    if (root.kind == StoreRoot::Kind::kContainer && listed != seen_.containers.end()) {
      return "container " + Clean(listed->name) + " of " + Clean(listed->pod_namespace) + "/" +
             Clean(listed->pod_name);
    }
    const std::string_view kind = [&]() -> std::string_view {
      switch (root.kind) {
        case StoreRoot::Kind::kRecord: return "image record ";
        case StoreRoot::Kind::kContainer: return "container ";
        case StoreRoot::Kind::kLease: return "lease ";
        case StoreRoot::Kind::kLabel: return "gc.root label on ";
        case StoreRoot::Kind::kIngest: return "pull in progress ";
        case StoreRoot::Kind::kOther: return "unknown rule on ";
      }
      return "";
    }();
    std::string text = std::string(kind) + Clean(ShortId(root.name, style));
    if (!root.space.empty() && root.space != "k8s.io") text += " of " + Clean(root.space);
    return text;
  }

  const Observation& seen_;
  const Style& style_;
  image::Holders holders_;
  std::vector<std::optional<std::size_t>> owners_;
};

// "│  └─ ": which of the ancestors have further children is kept in `open`.
std::string Branch(const image::LayerNode& node, std::vector<bool>& open) {
  open.resize(node.depth + 1);
  open[node.depth] = !node.last;
  std::string text;
  for (std::size_t level = 1; level < node.depth; ++level) text += open[level] ? "│  " : "   ";
  if (node.depth > 0) text += node.last ? "└─ " : "├─ ";
  return text;
}

std::string SizeOf(const StoreObject& object) {
  return object.measured ? base::FormatBytes(object.disk) : "unknown";
}

Json LayersDocument(const Observation& seen, const Roots& roots) {
  JsonObject document = Document("Layers");
  document["takenAt"] = ToJson(seen.taken_at);
  JsonArray& layers = document["layers"].emplace_array();
  for (const image::LayerNode& node : image::LayerForest(seen.objects)) {
    const StoreObject& object = seen.objects.objects[node.object];
    const Keepers keepers = roots.Of(node.object);
    JsonArray images;
    for (const std::size_t i : keepers.images) images.emplace_back(seen.images[i].id.value);
    layers.push_back({{"name", object.name},
                      {"depth", node.depth},
                      {"bytes", object.measured ? Json(object.disk.count) : Json(nullptr)},
                      {"images", std::move(images)},
                      {"heldBy", ToJson(keepers.others)}});
  }
  AddTrust(document, seen);
  return document;
}

std::vector<std::size_t> Leases(const image::Store& store) {
  std::vector<std::size_t> leases;
  for (std::size_t root = 0; root < store.roots.size(); ++root) {
    if (store.roots[root].kind == StoreRoot::Kind::kLease) leases.push_back(root);
  }
  return leases;
}

std::string EndOf(const StoreRoot& lease, base::TimePoint now) {
  if (lease.until == base::kNever) return "never";
  return lease.until <= now ? "over" : "in " + base::FormatAge(lease.until - now);
}

Json LeasesDocument(const Observation& seen) {
  JsonObject document = Document("Leases");
  document["takenAt"] = ToJson(seen.taken_at);
  JsonArray& array = document["leases"].emplace_array();
  const auto leases = Leases(seen.objects);
  const auto bytes = image::BytesOfRoots(seen.objects, leases);
  for (std::size_t i = 0; i < leases.size(); ++i) {
    const StoreRoot& lease = seen.objects.roots[leases[i]];
    array.push_back({{"id", lease.name},
                     {"namespace", lease.space},
                     {"until", ToJson(lease.until)},
                     {"ours", lease.leftover},
                     {"holdsBytes", bytes[i].held.count},
                     {"onlyItHoldsBytes", bytes[i].exclusive.count}});
  }
  AddTrust(document, seen);
  return document;
}

std::string WhenItGoes(const Keepers& keepers) {
  if (!keepers.others.empty()) {
    return "not by removing images: " + Listed(keepers.others, kMostNames) +
           " would have to let go";
  }
  if (keepers.images.empty()) return "with the runtime's next collection: nothing keeps it";
  return keepers.images.size() == 1 ? "with its image" : "with the last of its images";
}

}  // namespace

base::Result<std::string> RenderLayers(const Observation& seen, const Style& style) {
  if (const auto readable = Readable(seen); !readable.ok()) return readable.error();
  const Roots roots(seen, style);
  if (IsDocument(style)) return Write(LayersDocument(seen, roots), style.format);
  Table table({{"LAYER", Align::kLeft, Cut::kKeepHead},
               {"SIZE", Align::kRight},
               {"IMAGES", Align::kRight},
               {"HELD BY", Align::kLeft, Cut::kKeepHead}});
  std::vector<bool> open;
  std::string names;
  for (const image::LayerNode& node : image::LayerForest(seen.objects)) {
    const StoreObject& object = seen.objects.objects[node.object];
    names += Clean(object.name) + "\n";
    const Keepers keepers = roots.Of(node.object);
    std::vector<std::string> held = roots.Names(keepers);
    held.insert(held.end(), keepers.others.begin(), keepers.others.end());
    table.Add(
        {{Branch(node, open) + ShortId(LastPart(object.name), style)},
         {SizeOf(object)},
         {std::to_string(keepers.images.size())},
         {held.empty() ? "nothing: garbage"
                       : Listed(held, style.format == Format::kWide ? held.size() : kMostNames)}});
  }
  if (style.format == Format::kName) return names;
  return table.Render(style) + "\n" + TrustLines(seen, style);
}

base::Result<std::string> RenderLeases(const Observation& seen, const Style& style) {
  if (const auto readable = Readable(seen); !readable.ok()) return readable.error();
  if (IsDocument(style)) return Write(LeasesDocument(seen), style.format);
  Table table({{"LEASE", Align::kLeft, Cut::kKeepHead},
               {"NAMESPACE"},
               {"ENDS"},
               {"HOLDS", Align::kRight},
               {"ONLY IT", Align::kRight}});
  std::string names;
  const auto leases = Leases(seen.objects);
  const auto bytes = image::BytesOfRoots(seen.objects, leases);
  for (std::size_t i = 0; i < leases.size(); ++i) {
    const StoreRoot& lease = seen.objects.roots[leases[i]];
    names += Clean(lease.name) + "\n";
    table.Add({{lease.name},
               {lease.space},
               {EndOf(lease, seen.taken_at)},
               {base::FormatBytes(bytes[i].held)},
               {base::FormatBytes(bytes[i].exclusive)}});
  }
  if (style.format == Format::kName) return names;
  std::string text = table.Render(style);
  text += text.empty() ? "no leases\n\n" : "\n";
  text +=
      Line(style, "a lease", "keeps bytes, not names: what it holds is not freed when images go,");
  text +=
      Line(style, "", "but an image whose name is removed starts no pod until it is named again");
  text +=
      Line(style, "", "one that is over is freed with the runtime's next collection, not before");
  return text + TrustLines(seen, style);
}

base::Result<std::string> RenderExplainLayer(const Observation& seen, const image::Plan& plan,
                                             std::string_view reference, const Style& style) {
  if (const auto readable = Readable(seen); !readable.ok()) return readable.error();
  const auto found = image::FindObject(seen.objects, reference);
  if (!found.ok()) return found.error();
  const StoreObject& object = seen.objects.objects[*found];
  const Roots roots(seen, style);
  const Keepers keepers = roots.Of(*found);
  const auto going = [&](std::size_t image) {
    return std::ranges::any_of(plan.verdicts, [&](const image::Verdict& verdict) {
      return verdict.image == image && verdict.remove;
    });
  };
  const bool goes = keepers.others.empty() && std::ranges::all_of(keepers.images, going);
  if (IsDocument(style)) {
    JsonObject document = Document("Layer");
    document["name"] = object.name;
    document["bytes"] = object.measured ? Json(object.disk.count) : Json(nullptr);
    document["downloadBytes"] = object.download.count;
    JsonArray& images = document["images"].emplace_array();
    for (const std::size_t i : keepers.images) images.emplace_back(seen.images[i].id.value);
    document["heldBy"] = ToJson(keepers.others);
    document["goesWithThePlan"] = goes;
    AddTrust(document, seen);
    return Write(document, style.format);
  }
  if (style.format == Format::kName) return Clean(object.name) + "\n";
  const bool blob = object.kind == StoreObject::Kind::kBlob;
  std::string text = Clean(object.name) + (goes ? " goes" : " stays") + " with this plan.\n\n";
  text += Line(style, "what", blob ? "a blob: compressed, as it was pulled" : "an unpacked layer");
  text += Line(style, "size", SizeOf(object) + " on disk");
  const auto names = roots.Names(keepers);
  const bool wide = style.format == Format::kWide;
  text += Line(style, "images",
               base::Count(names.size(), "image") + (names.empty() ? "" : ": ") +
                   Listed(names, wide ? names.size() : kMostNames));
  for (const std::string& other : keepers.others) text += Line(style, "held by", other);
  return text + Line(style, "goes", WhenItGoes(keepers)) + TrustLines(seen, style);
}

}  // namespace ebb::report
