#include "graph/lint.h"

#include <algorithm>
#include <array>
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

constexpr std::array<Words, 12> kWords = {{
    {Fault::kDuplicateUid, "duplicate-uid", "nothing can be said about objects of one UID"},
    {Fault::kMalformed, "malformed-api-version",
     "the collector tries for ever and never deletes it"},
    {Fault::kNotServed, "kind-not-served", "the collector tries for ever and never deletes it"},
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

class Linter {
 public:
  explicit Linter(const World& world) : world_(world) {
    for (std::size_t i = 0; i < world.objects.size(); ++i) {
      const Coordinates& id = world.objects[i].id;
      if (!by_uid_.emplace(id.uid, i).second) twice_.insert(id.uid);
      by_name_.emplace(KeyOf(id), i);
      versions_.emplace(std::string(GroupOf(id.api_version)) + " " + id.kind, id.api_version);
    }
  }

  std::vector<Finding> Run() && {
    FindCircles();
    for (std::size_t i = 0; i < world_.objects.size(); ++i) Look(i);
    return std::move(findings_);
  }

 private:
  static std::string KeyOf(const Coordinates& id) {
    std::string key(GroupOf(id.api_version));
    for (const std::string* part : {&id.kind, &id.ns, &id.name}) key.append(1, '\n').append(*part);
    return key;
  }

  void Look(std::size_t i) {
    const Object& object = world_.objects[i];
    if (twice_.contains(object.id.uid)) Add(object, Fault::kDuplicateUid, {});
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
      Add(object, Fault::kTwoControllers, "leave one controller: true");
    }
    if (in_circle_.contains(i)) {
      Add(object, Fault::kCircle, "delete one of them, or take its owner reference away");
    }
    if (object.deleting) Held(object);
  }

  static bool CountsAsAbsent(Fault fault) {
    return fault == Fault::kWrongReference || fault == Fault::kOtherNamespace ||
           fault == Fault::kStaleUid || fault == Fault::kDangling;
  }

  void Add(const Object& object, Fault fault, std::string remedy) {
    findings_.push_back({.fault = fault, .object = object.id, .remedy = std::move(remedy)});
  }

  void Held(const Object& object) {
    for (const std::string& finalizer : object.finalizers) {
      if (finalizer == kForegroundFinalizer || finalizer == kOrphanFinalizer) continue;
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
    const auto is = by_uid_.find(reference.uid);
    if (is != by_uid_.end()) return Elsewhere(world_.objects[is->second].id, named, make);
    const auto same_name = by_name_.find(KeyOf(named));
    if (same_name == by_name_.end()) {
      return make(Fault::kDangling, "", "take the reference away if the object is to stay");
    }
    const std::string& uid = world_.objects[same_name->second].id.uid;
    return make(Fault::kStaleUid, "now " + uid,
                "write uid: " + uid + " if it is to belong to that one");
  }

  template <class Make>
  std::optional<Finding> NotServed(const OwnerReference& reference, const Make& make) const {
    if (const auto right = RightApiVersion(reference.api_version)) {
      return make(Fault::kMalformed, "", "write apiVersion: " + *right);
    }
    const std::string group(GroupOf(reference.api_version));
    const auto other = versions_.find(group + " " + reference.kind);
    if (other == versions_.end()) {
      return make(Fault::kNotServed, "", "take the reference away if that kind will not come back");
    }
    return make(Fault::kWrongVersion, "served: " + other->second,
                "write apiVersion: " + other->second);
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

  // Circles that somebody outside owns go with that one.
  void FindCircles() {
    std::vector<std::vector<std::size_t>> owners(world_.objects.size());
    for (std::size_t i = 0; i < world_.objects.size(); ++i) {
      for (const OwnerReference& reference : world_.objects[i].owners) {
        const auto owner = by_uid_.find(reference.uid);
        if (owner != by_uid_.end()) owners[i].push_back(owner->second);
      }
    }
    for (const auto& circle : Circles(owners)) {
      in_circle_.insert(circle.begin(), circle.end());
    }
  }

  const World& world_;
  std::unordered_map<std::string_view, std::size_t> by_uid_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::string> versions_;  // one that is there, by group and kind
  std::unordered_set<std::string_view> twice_;
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
