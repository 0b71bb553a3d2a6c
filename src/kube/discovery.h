// What an API server says that it serves, in all the forms in which servers say it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::kube {

// One kind in one version of its group.
struct Resource {
  std::string api_version;  // "v1", "apps/v1"
  std::string kind;
  std::string name;  // in URLs: "deployments"
  bool namespaced = false;
  bool lists = false;  // it can be listed
};

struct Discovery {
  // By group as the server orders them; within a group the version to use first.
  std::vector<Resource> resources;
  // apiVersions of which the server could not say what they hold: the server behind one is down.
  std::vector<std::string> failed;
};

// An APIGroupDiscoveryList, into `to`. No such thing, or wrong types: kInternal.
base::Status ReadGroups(std::string_view json, Discovery& to);

// The older form, in two steps: which apiVersions there are (an APIVersions or an APIGroupList, of
// each group the preferred version first), and what one holds (an APIResourceList).
base::Result<std::vector<std::string>> ReadVersions(std::string_view json);
base::Result<std::vector<Resource>> ReadResources(std::string_view json,
                                                  const std::string& api_version);

// Of every kind the version in which to read it: the first that its group has of it. Without
// events, which nobody owns and which own nothing (as the garbage collector of
// kube-controller-manager does, v1.36), and without what cannot be listed.
std::vector<Resource> ToRead(const Discovery& discovery);

// Where its objects are: "/apis/apps/v1/deployments"; of one namespace, if that is not empty.
std::string PathOf(const Resource& resource, std::string_view ns = {});

}  // namespace ebb::kube
