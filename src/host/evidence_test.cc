#include "host/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kHash(64, 'a');
const base::TimePoint kTime = std::chrono::sys_days(std::chrono::year(2026) / 11 / 1);

std::string RecordOf(const std::string& image, const std::string& time = "2026-11-01T00:00:00Z") {
  return R"({"kind":"ImagePulledRecord","apiVersion":"kubelet.config.k8s.io/v1beta1",)"
         R"("lastUpdatedTime":")" +
         time + R"(","imageRef":")" + image +
         R"(","credentialMapping":{"registry.example/app":{"nodePodsAccessible":true}}})";
}

// A kubelet root with pull records.
class Kubelet {
 public:
  Kubelet() { std::filesystem::create_directories(pulled()); }
  std::filesystem::path pulled() const { return dir_ / "image_manager/pulled"; }
  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(pulled() / name, std::ios::binary) << content;
  }
  std::vector<image::Evidence> Read(const std::vector<image::Image>& images) const {
    return KubeletPullRecords(dir_.path()).Read(images);
  }

 private:
  testing::TempDir dir_;
};

TEST(PullRecords, AreFoundByIdWithAndWithoutAlgorithm) {
  for (const std::string& written : {"sha256:" + kHash, kHash}) {
    for (const std::string& listed : {"sha256:" + kHash, kHash}) {
      const Kubelet kubelet;
      kubelet.Write("sha256-1", RecordOf(written));
      const auto evidence = kubelet.Read({{.id = {"sha256:other"}}, {.id = {listed}}});
      ASSERT_THAT(evidence, SizeIs(1));
      EXPECT_EQ(evidence.front().id.value, listed);
      EXPECT_EQ(evidence.front().time, kTime);
    }
  }
}

TEST(PullRecords, AreFoundByNameAndDigest) {
  const std::vector<image::Image> images = {
      {.id = {"one"}, .tags = {"docker.io/library/busybox:latest"}},
      {.id = {"two"}, .digests = {"registry.example/app@sha256:" + kHash}}};
  const Kubelet kubelet;
  kubelet.Write("a", RecordOf("busybox"));
  EXPECT_THAT(kubelet.Read(images), SizeIs(1));
  kubelet.Write("b", RecordOf("registry.example/app@sha256:" + kHash));
  EXPECT_THAT(kubelet.Read(images), SizeIs(2));
  kubelet.Write("c", RecordOf("registry.example/other@sha256:" + kHash));
  EXPECT_THAT(kubelet.Read(images), SizeIs(2));
}

TEST(PullRecords, WhatIsNoRecordIsNoEvidence) {
  const Kubelet kubelet;
  const std::string id = "sha256:" + kHash;
  kubelet.Write("empty", "");
  kubelet.Write("garbage", "\xff\xfe{");
  kubelet.Write("array", "[" + RecordOf(id) + "]");
  kubelet.Write("trailing", RecordOf(id) + "x");
  kubelet.Write("no-time", RecordOf(id, ""));
  kubelet.Write("year-one", RecordOf(id, "0001-01-01T00:00:00Z"));
  kubelet.Write("number", R"({"lastUpdatedTime":1,"imageRef":2})");
  kubelet.Write("deep", std::string(100000, '['));
  kubelet.Write("huge", RecordOf(id) + std::string(2 << 20, ' '));
  kubelet.Write("nobody", RecordOf(""));
  EXPECT_THAT(kubelet.Read({{.id = {id}}, {.id = {""}}}), IsEmpty());
  kubelet.Write("good", RecordOf(id));
  EXPECT_THAT(kubelet.Read({{.id = {id}}}), SizeIs(1));
}

TEST(PullRecords, FollowsNoSymlinkAndWaitsForNoPipe) {
  const Kubelet kubelet;
  const std::string id = "sha256:" + kHash;
  std::ofstream(kubelet.pulled().parent_path() / "elsewhere") << RecordOf(id);
  std::filesystem::create_symlink("../elsewhere", kubelet.pulled() / "link");
  ASSERT_EQ(::mkfifo((kubelet.pulled() / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(kubelet.pulled() / "directory");
  EXPECT_THAT(kubelet.Read({{.id = {id}}}), IsEmpty());
}

TEST(PullRecords, AKubeletThatKeepsNoneIsNoEvidence) {
  const testing::TempDir dir;
  EXPECT_THAT(KubeletPullRecords(dir.path()).Read({{.id = {kHash}}}), IsEmpty());
}

}  // namespace
}  // namespace ebb::host
