#include "image/repository.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "image/reference.h"

namespace ebb::image {
namespace {

bool Newer(const Image& a, const Image& b) {
  return std::tuple(a.usage.first_seen, LastSignOfLife(a), std::string_view(b.id.value)) >
         std::tuple(b.usage.first_seen, LastSignOfLife(b), std::string_view(a.id.value));
}

}  // namespace

std::vector<Repository> ByRepository(const std::vector<Image>& images) {
  std::unordered_map<std::string_view, std::size_t> place;
  place.reserve(images.size());
  std::vector<Repository> repositories;
  const auto add = [&](std::string_view name, std::size_t image) {
    if (name.empty()) return;
    const auto [at, fresh] = place.try_emplace(name, repositories.size());
    if (fresh) repositories.push_back({.name = name});
    auto& members = repositories[at->second].images;
    if (members.empty() || members.back() != image) members.push_back(image);
  };
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (const std::string& name : images[i].tags) add(RepositoryOf(name), i);
    for (const std::string& name : images[i].digests) add(RepositoryOf(name), i);
  }
  return repositories;
}

std::vector<std::string_view> AmongNewest(const std::vector<Image>& images, std::size_t count) {
  std::vector<std::string_view> among(images.size());
  if (count == 0) return among;
  for (Repository& repository : ByRepository(images)) {
    std::ranges::sort(repository.images,
                      [&](std::size_t a, std::size_t b) { return Newer(images[a], images[b]); });
    if (repository.images.size() > count) repository.images.resize(count);
    for (const std::size_t i : repository.images) {
      if (among[i].empty()) among[i] = repository.name;
    }
  }
  return among;
}

bool CanComeBack(const Image& image) {
  return std::ranges::any_of(image.digests, [](const std::string& digest) {
    return !IsLocalRegistry(RegistryOf(Normalize(digest)));
  });
}

}  // namespace ebb::image
