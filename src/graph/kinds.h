// Which kinds there are, in which versions, and whether they are namespaced.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::graph {

class Kinds {
 public:
  // `resource` is its name in URLs: "deployments". Empty: what English makes of the kind.
  void Serve(const std::string& api_version, const std::string& kind, bool namespaced,
             std::string resource = {});
  // What was read is not all there is: a kind that is not among these may be served for all that,
  // and so may every version of one that is.
  void SetPartial() { partial_ = true; }
  // Of this kind there may be more objects than were read; an empty kind: of the whole group.
  void SetUnread(std::string_view group, std::string_view kind);
  // Whether an object that was not read may be there for all that.
  bool IsUnread(std::string_view api_version, std::string_view kind) const;
  bool complete() const { return !partial_ && unread_.empty(); }

  // nullopt: not served, or not known since not all of it was read.
  std::optional<bool> IsNamespaced(const std::string& api_version, const std::string& kind) const;
  // Requires that it is served.
  const std::string& ResourceOf(const std::string& api_version, const std::string& kind) const {
    return served_.at({api_version, kind}).resource;
  }
  // An apiVersion of this group in which the kind is served.
  std::optional<std::string> VersionOf(std::string_view group, std::string_view kind) const;

 private:
  struct Served {
    bool namespaced = false;
    std::string resource;
  };
  std::map<std::pair<std::string, std::string>, Served> served_;  // by apiVersion and kind
  std::set<std::pair<std::string, std::string>> unread_;          // group and kind
  bool partial_ = false;
};

}  // namespace ebb::graph
