#include "kube/pod_sources.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "http/target.h"
#include "kube/files.h"
#include "kube/pod_list.h"
#include "kube/session.h"

namespace ebb::kube {
namespace {

using Pods = std::vector<image::Pod>;

class Kubelet final : public engine::PodSource {
 public:
  Kubelet(Access access, engine::Clock& clock) : session_(std::move(access), clock) {}

  std::string Name() const override { return "kubelet at " + session_.server(); }

  base::Result<Pods> Read() override {
    const auto body = session_.Get("/pods");
    if (!body.ok()) return body.error().In("kubelet");
    auto list = ParsePodList(*body);
    if (!list.ok()) return list.error().In(Name());
    if (!list->next.empty()) {
      return base::Error{base::ErrorCode::kInternal, Name() + ": it told only a part of its pods"};
    }
    return std::move(list->pods);
  }

 private:
  Session session_;
};

class ApiServer final : public engine::PodSource {
 public:
  ApiServer(Access access, std::string node, engine::Clock& clock)
      : session_(std::move(access), clock), node_(std::move(node)) {}

  std::string Name() const override { return "API server at " + session_.server(); }

  // A token for the next page that has expired (410) means: begin anew.
  base::Result<Pods> Read() override {
    constexpr int kTries = 3;
    base::Result<Pods> pods = ReadPages();
    for (int i = 1; i < kTries && !pods.ok() && pods.error().code == base::ErrorCode::kConflict;
         ++i) {
      pods = ReadPages();
    }
    if (!pods.ok()) return pods.error().In("API server");
    return pods;
  }

 private:
  base::Result<Pods> ReadPages() {
    constexpr int kMaxPages = 100;
    const std::string first =
        "/api/v1/pods?limit=250&fieldSelector=" + http::Escaped("spec.nodeName=" + node_);
    Pods all;
    std::string target = first;
    for (int page = 0; page < kMaxPages; ++page) {
      const auto body = session_.Get(target);
      if (!body.ok()) return body.error();
      auto list = ParsePodList(*body);
      if (!list.ok()) return list.error().In(session_.server());
      std::ranges::move(list->pods, std::back_inserter(all));
      if (list->next.empty()) return all;
      target = first + "&continue=" + http::Escaped(list->next);
    }
    return base::Error{base::ErrorCode::kInternal, session_.server() + ": its list has no end"};
  }

  Session session_;
  std::string node_;
};

class Manifests final : public engine::PodSource {
 public:
  Manifests(std::string directory, std::string node)
      : directory_(std::move(directory)), node_(std::move(node)) {
    std::ranges::transform(node_, node_.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }

  std::string Name() const override { return "manifests in " + directory_; }

  base::Result<Pods> Read() override {
    const auto paths = ManifestsIn(directory_);
    if (!paths.ok()) return paths.error();
    Pods pods;
    pods.reserve(paths->size());
    for (const std::string& path : *paths) {
      const auto text = ReadFile(path);
      if (!text.ok() && text.error().code == base::ErrorCode::kNotFound) continue;  // just removed
      if (!text.ok()) return text.error();
      auto pod = ParseManifest(*text);
      if (!pod.ok()) return pod.error().In(path);
      if (!node_.empty()) pod->name += "-" + node_;
      pods.push_back(std::move(*pod));
    }
    return pods;
  }

 private:
  std::string directory_;
  std::string node_;
};

}  // namespace

std::unique_ptr<engine::PodSource> KubeletPods(Access access, engine::Clock& clock) {
  return std::make_unique<Kubelet>(std::move(access), clock);
}

std::unique_ptr<engine::PodSource> ApiServerPods(Access access, std::string node,
                                                 engine::Clock& clock) {
  return std::make_unique<ApiServer>(std::move(access), std::move(node), clock);
}

std::unique_ptr<engine::PodSource> StaticPods(std::string directory, std::string node) {
  return std::make_unique<Manifests>(std::move(directory), std::move(node));
}

}  // namespace ebb::kube
