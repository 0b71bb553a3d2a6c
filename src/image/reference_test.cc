#include "image/reference.h"

#include <gtest/gtest.h>

namespace ebb::image {
namespace {

const std::string kHex(64, 'a');

Image Named(std::vector<std::string> tags, std::vector<std::string> digests = {}) {
  return {.id = {"sha256:" + kHex}, .tags = std::move(tags), .digests = std::move(digests)};
}

bool Matches(std::string_view pattern, const Image& image) {
  const auto parsed = Pattern::Parse(pattern);
  EXPECT_TRUE(parsed.ok()) << pattern;
  return parsed.ok() && parsed->Matches(image);
}

TEST(Reference, ShortNamesBecomeDockersFullForm) {
  EXPECT_EQ(Normalize("busybox"), "docker.io/library/busybox:latest");
  EXPECT_EQ(Normalize("grafana/loki:3"), "docker.io/grafana/loki:3");
  EXPECT_EQ(Normalize("index.docker.io/rancher/mirrored-pause:3.6"),
            "docker.io/rancher/mirrored-pause:3.6");
  EXPECT_EQ(Normalize("rancher/mirrored-pause:3.6"), "docker.io/rancher/mirrored-pause:3.6");
  EXPECT_EQ(Normalize("docker.io/busybox"), "docker.io/library/busybox:latest");
  EXPECT_EQ(Normalize("registry.k8s.io/pause:3.9"), "registry.k8s.io/pause:3.9");
}

TEST(Reference, ThePortOfARegistryIsNotATag) {
  EXPECT_EQ(Normalize("localhost:5000/app"), "localhost:5000/app:latest");
  EXPECT_EQ(Normalize("localhost:5000/app:v1"), "localhost:5000/app:v1");
  EXPECT_EQ(RegistryOf("localhost:5000/app:v1"), "localhost:5000");
}

TEST(Reference, ADigestBeatsATag) {
  EXPECT_EQ(Normalize("busybox:1@sha256:" + kHex), "docker.io/library/busybox@sha256:" + kHex);
  EXPECT_EQ(Normalize("sha256:" + kHex), "sha256:" + kHex);
  EXPECT_EQ(Normalize(kHex), kHex);
  EXPECT_EQ(RegistryOf("sha256:" + kHex), "");
}

TEST(Reference, IdsAreTheSameWithAndWithoutAlgorithm) {
  EXPECT_TRUE(SameId("sha256:" + kHex, kHex));
  EXPECT_FALSE(SameId("", ""));
  EXPECT_FALSE(SameId("sha256:b", "sha256:c"));
}

TEST(Reference, LoopbackRegistriesAreLocal) {
  for (const char* host :
       {"localhost", "localhost:5000", "127.0.0.1:5000", "[::1]:5000", "kind.local"}) {
    EXPECT_TRUE(IsLocalRegistry(host)) << host;
  }
  for (const char* host : {"docker.io", "10.0.0.1:5000", "registry.local", "1270.example"}) {
    EXPECT_FALSE(IsLocalRegistry(host)) << host;
  }
}

TEST(Reference, EveryNameAndTheIdNameAnImage) {
  const Image image =
      Named({"docker.io/library/busybox:1"}, {"docker.io/library/busybox@sha256:" + kHex});
  EXPECT_TRUE(Names("busybox:1", image));
  EXPECT_TRUE(Names("busybox@sha256:" + kHex, image));
  EXPECT_TRUE(Names(kHex, image));
  EXPECT_FALSE(Names("busybox:2", image));
  EXPECT_FALSE(Names("", image));
}

TEST(Pattern, ABareRepositoryMeansAllItsTags) {
  EXPECT_TRUE(Matches("registry.k8s.io/pause", Named({"registry.k8s.io/pause:3.9"})));
  EXPECT_TRUE(
      Matches("registry.k8s.io/pause", Named({}, {"registry.k8s.io/pause@sha256:" + kHex})));
  EXPECT_FALSE(Matches("registry.k8s.io/pause", Named({"registry.k8s.io/pause-amd64:3.9"})));
  EXPECT_TRUE(Matches("localhost:5000/app", Named({"localhost:5000/app:v7"})));
  EXPECT_TRUE(Matches("busybox", Named({"docker.io/library/busybox:1"})));
}

TEST(Pattern, AnExactReferenceMeansThatTagOnly) {
  EXPECT_TRUE(Matches("busybox:1", Named({"docker.io/library/busybox:1"})));
  EXPECT_FALSE(Matches("busybox:1", Named({"docker.io/library/busybox:10"})));
  EXPECT_FALSE(Matches("localhost:5000/app:v1", Named({"localhost:5000/app:v2"})));
}

TEST(Pattern, ATrailingStarIsAPrefix) {
  EXPECT_TRUE(Matches("registry.k8s.io/*", Named({"registry.k8s.io/etcd:3"})));
  EXPECT_FALSE(Matches("registry.k8s.io/*", Named({"ghcr.io/registry.k8s.io/etcd:3"})));
  EXPECT_TRUE(Matches("grafana/*", Named({"docker.io/grafana/loki:3"})));
  EXPECT_TRUE(Matches("nginx*", Named({"docker.io/library/nginx:1"})));
  EXPECT_TRUE(Matches("*", Named({})));
}

TEST(Pattern, DigestsAndIdsMatchWhereverTheyStand) {
  EXPECT_TRUE(Matches("sha256:" + kHex, Named({})));
  EXPECT_TRUE(Matches(kHex, Named({})));
  const std::string digest = "sha256:" + std::string(64, 'b');
  EXPECT_TRUE(Matches(digest, Named({}, {"ghcr.io/a/b@" + digest})));
  EXPECT_FALSE(Matches(digest, Named({}, {"ghcr.io/a/b@sha256:" + std::string(64, 'c')})));
}

TEST(Pattern, ARegularExpressionStandsBetweenSlashes) {
  EXPECT_TRUE(Matches("/pause|coredns/", Named({"registry.k8s.io/coredns/coredns:1"})));
  EXPECT_TRUE(Matches("/^docker[.]io/library/.*:1$/", Named({"busybox:1"})));
  EXPECT_FALSE(Matches("/^pause/", Named({"registry.k8s.io/pause:3"})));
}

TEST(Pattern, AVeryLongOneIsRefusedBeforeItIsCompiled) {
  EXPECT_FALSE(Pattern::Parse("/" + std::string(100'000, '(') + "/").ok());
}

TEST(Pattern, ARegularExpressionOfManyStatesOrHugeCountsIsRefused) {
  for (const char* text :
       {"/((a?){999}){99}/", "/a{99999999999999999999}/", "/a{1,99999999999999999999}/",
        "/a\\99999999999999999999/", "/(a)\\1/"}) {
    EXPECT_FALSE(Pattern::Parse(text).ok()) << text;
  }
  EXPECT_TRUE(Matches("/:20240131/", Named({"registry.example/a:20240131"})));
}

// With a matcher that tries one way after the other this test does not end.
TEST(Pattern, ARegularExpressionWithCountlessWaysToMatchIsDecided) {
  EXPECT_FALSE(Matches("/^docker.io/(a|aa)*:$/", Named({std::string(200, 'a') + "/b:1"})));
}

TEST(Pattern, WhatCannotBeAPatternIsRefusedInASentence) {
  for (const char* text : {"", "a*b", "two words", "/(/", "*middle*"}) {
    const auto parsed = Pattern::Parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, base::ErrorCode::kUsage);
    EXPECT_NE(parsed.error().message.find("'" + std::string(text) + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace ebb::image
