#include "graph/lint.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "graph/api_version.h"
#include "graph/circles.h"

namespace ebb::graph {
namespace {

struct Words {
  Fault fault;
  std::string_view code;
  std::string_view consequence;
};

constexpr std::array<Words, 13> kWords = {{
    {Fault::kDuplicateUid, "duplicate-uid", "nothing can be said about objects of one UID"},
    {Fault::kMalformed, "malformed-api-version",
     "the collector tries for ever and never deletes it"},
    {Fault::kNotServed, "kind-not-served", "the collector tries for ever and never deletes it"},
    {Fault::kUnknownKind, "kind-not-read",
     "whether the owner is there cannot be told: no object of its kind was read"},
    {Fault::kWrongVersion, "version-not-served",
     "the collector tries for ever and never deletes it"},
    {Fault::kWrongReference, "wrong-reference", "the owner counts as absent"},
    {Fault::kOtherNamespace, "other-namespace", "the owner counts as absent"},
    {Fault::kNamespacedOwner, "namespaced-owner", "it is never collected"},
    {Fault::kStaleUid, "stale-uid", "the owner counts as absent: it was made anew"},
    {Fault::kDangling, "dangling", "the owner is absent"},
    {Fault::kTwoControllers, "two-controllers",
     "no API server accepts it when it is written again"},
    {Fault::kCircle, "circle", "they keep each other for ever"},
    {Fault::kHeld, "held", "it stays in deletion until somebody removes the finalizer"},
}};

const Words& WordsOf(Fault fault) {
  return *std::ranges::find(kWords, fault, &Words::fault);
}

bool CountsAsAbsent(Fault fault) {
  return fault == Fault::kWrongReference || fault == Fault::kOtherNamespace ||
         fault == Fault::kStaleUid || fault == Fault::kDangling;
}

// Group, kind, namespace and name: what an object is called, whoever it is.
std::string KeyOf(const Coordinates& id) {
  std::string key(GroupOf(id.api_version));
  for (const std::string* part : {&id.kind, &id.ns, &id.name}) key.append(1, '\n').append(*part);
  return key;
}

class Linter {
 public:
  explicit Linter(const World& world) : world_(world), graph_(world.graph()) {}

  std::vector<Finding> Run() && {
    for (const auto& circle : Circles(graph_.places(), OwnersIn())) {
      in_circle_.insert(circle.begin(), circle.end());
    }
    for (const Graph::Id id : graph_.All()) {
      if (graph_.HasOwners(id) || graph_.At(id).being_deleted) Look(id);
    }
    for (const Coordinates& twin : world_.duplicates()) {
      Add(graph_.IdentityOf(world_.Find(twin.uid)), Fault::kDuplicateUid, {});
      Add(twin, Fault::kDuplicateUid, {});
    }
    FindNamesakes();
    std::ranges::sort(findings_, {}, [](const Finding& each) {
      return std::tie(each.object.ns, each.object.kind, each.object.name, each.object.uid,
                      each.fault, each.reference.uid);
    });
    return std::move(findings_);
  }

 private:
  // A circle that somebody outside owns goes with that one, and is found all the same.
  std::function<std::vector<std::size_t>(std::size_t)> OwnersIn() const {
    return [this](std::size_t id) {
      const auto owners = graph_.KnownOwnersOf(static_cast<Graph::Id>(id));
      return std::vector<std::size_t>(owners.begin(), owners.end());
    };
  }

  void Look(Graph::Id id) {
    const Object object = world_.At(id);
    std::vector<Finding> wrong;
    for (const OwnerReference& reference : object.owners) {
      if (auto finding = Wrong(object, reference)) wrong.push_back(std::move(*finding));
    }
    const bool judged =
        std::ranges::all_of(wrong, [](const Finding& each) { return CountsAsAbsent(each.fault); });
    for (Finding& finding : wrong) {
      finding.deleted = judged && wrong.size() == object.owners.size();
      findings_.push_back(std::move(finding));
    }
    if (std::ranges::count(object.owners, true, &OwnerReference::controller) > 1) {
      Add(object.id, Fault::kTwoControllers, "leave one controller: true");
    }
    if (in_circle_.contains(id)) {
      Add(object.id, Fault::kCircle, "delete one of them, or take its owner reference away");
    }
    if (object.deleting) Held(object);
  }

  void Add(const Coordinates& object, Fault fault, std::string remedy) {
    findings_.push_back({.fault = fault, .object = object, .remedy = std::move(remedy)});
  }

  void Held(const Object& object) {
    for (const std::string& finalizer : object.ForeignFinalizers()) {
      findings_.push_back({.fault = Fault::kHeld,
                           .object = object.id,
                           .detail = finalizer,
                           .remedy = "see whether the controller of " + finalizer + " runs"});
    }
  }

  std::optional<Finding> Wrong(const Object& object, const OwnerReference& reference) const {
    Finding finding{.object = object.id, .reference = reference};
    const auto make = [&](Fault fault, std::string detail, std::string remedy) {
      finding.fault = fault;
      finding.detail = std::move(detail);
      finding.remedy = std::move(remedy);
      return finding;
    };
    const auto namespaced = world_.kinds.IsNamespaced(reference.api_version, reference.kind);
    if (!namespaced) return NotServed(reference, make);
    if (*namespaced && object.id.ns.empty()) {
      return make(Fault::kNamespacedOwner, "",
                  "take the reference away, or own it by something cluster-scoped");
    }
    const Coordinates named = reference.In(*namespaced ? object.id.ns : "");
    const Graph::Id is = world_.Find(reference.uid);
    if (is != Graph::kNone) return Elsewhere(graph_.IdentityOf(is), named, make);
    return make(Fault::kDangling, "", "take the reference away if the object is to stay");
  }

  template <class Make>
  std::optional<Finding> NotServed(const OwnerReference& reference, const Make& make) const {
    if (const auto right = RightApiVersion(reference.api_version)) {
      return make(Fault::kMalformed, "", "write apiVersion: " + *right);
    }
    if (world_.kinds.IsUnread(reference.api_version, reference.kind)) {
      return make(Fault::kUnknownKind, "", "read objects of that kind too");
    }
    const auto other = world_.kinds.VersionOf(GroupOf(reference.api_version), reference.kind);
    if (!other) {
      return make(Fault::kNotServed, "", "take the reference away if that kind will not come back");
    }
    return make(Fault::kWrongVersion, "served: " + *other, "write apiVersion: " + *other);
  }

  // The UID is there: is it whom the reference says, where it must be?
  template <class Make>
  std::optional<Finding> Elsewhere(const Coordinates& is, const Coordinates& named,
                                   const Make& make) const {
    const bool same = GroupOf(is.api_version) == GroupOf(named.api_version) &&
                      is.kind == named.kind && is.name == named.name;
    if (!same) {
      return make(Fault::kWrongReference, "the UID is " + is.kind + " " + is.name,
                  "write that, or the UID of the one that is meant");
    }
    if (is.ns == named.ns) return std::nullopt;
    return make(Fault::kOtherNamespace, "it is in " + is.ns,
                "take the reference away: an owner is in the namespace of its dependents");
  }

  // Absent owners of whose name there is another one now. Names are looked for last: few owners are
  // absent, and a table of all names would be larger than the graph.
  void FindNamesakes() {
    std::unordered_map<std::string, std::vector<Finding*>> wanted;
    for (Finding& finding : findings_) {
      if (finding.fault != Fault::kDangling) continue;
      const auto& owner = finding.reference;
      const auto namespaced = world_.kinds.IsNamespaced(owner.api_version, owner.kind);
      wanted[KeyOf(owner.In(*namespaced ? finding.object.ns : ""))].push_back(&finding);
    }
    if (wanted.empty()) return;
    for (const Graph::Id id : graph_.All()) {
      const Coordinates is = graph_.IdentityOf(id);
      const auto found = wanted.find(KeyOf(is));
      if (found == wanted.end()) continue;
      for (Finding* finding : found->second) {
        finding->fault = Fault::kStaleUid;
        finding->detail = "now " + is.uid;
        finding->remedy = "write uid: " + is.uid + " if it is to belong to that one";
      }
    }
  }

  const World& world_;
  const Graph& graph_;
  std::unordered_set<std::size_t> in_circle_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string_view Code(Fault fault) {
  return WordsOf(fault).code;
}

std::string_view Consequence(Fault fault) {
  return WordsOf(fault).consequence;
}

Severity SeverityOf(const Finding& finding) {
  switch (finding.fault) {
    case Fault::kUnknownKind:
    case Fault::kTwoControllers:
    case Fault::kHeld: return Severity::kWarning;
    case Fault::kWrongReference:
    case Fault::kOtherNamespace:
    case Fault::kStaleUid:
    case Fault::kDangling: return finding.deleted ? Severity::kError : Severity::kWarning;
    default: return Severity::kError;
  }
}

std::vector<Finding> Lint(const World& world) {
  return Linter(world).Run();
}

}  // namespace ebb::graph
