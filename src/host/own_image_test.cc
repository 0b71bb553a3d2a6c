#include "host/own_image.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

const std::string kId = std::string(62, 'c') + "01";
const std::string kOther = std::string(62, 'd') + "02";

// `pattern` with its capital words replaced.
std::string Filled(std::string pattern) {
  const std::array<std::pair<std::string_view, std::string>, 3> words = {
      {{"OTHER", kOther}, {"UPPER", std::string(64, 'C')}, {"ID", kId}}};
  for (const auto& [word, value] : words) {
    for (auto at = pattern.find(word); at != std::string::npos; at = pattern.find(word)) {
      pattern.replace(at, word.size(), value);
    }
  }
  return pattern;
}

TEST(OwnContainer, IsReadFromEveryFormOfCgroup) {
  for (const char* const path : {
           "4:memory:/kubepods/burstable/pod0f9a7f43-0d2c-4a3b-8f55-0123456789ab/ID",
           "1:name=systemd:/kubepods.slice/kubepods-pod0f9a7f43_0d2c.slice/cri-containerd-ID.scope",
           "0::/kubepods.slice/kubepods-pod0f9a7f43_0d2c.slice/cri-containerd-ID.scope",
           "0::/kubepods.slice/kubepods-pod0f9a7f43_0d2c.slice/crio-ID.scope",
           "0::/kubepods.slice/kubepods-pod0f9a7f43_0d2c.slice/crio-ID.scope/container",
           "0::/system.slice/containerd.service/kubepods-pod0f9a7f43.slice:cri-containerd:ID",
           "0::/../../kubepods-pod0f9a7f43.slice/cri-containerd-ID.scope",
           "0::/system.slice/docker-ID.scope",
           "12:cpu,cpuacct:/docker/ID",
           "12:cpu,cpuacct:/docker/OTHER/kubepods/besteffort/pod0f9a7f43/ID",
       }) {
    const std::string line = Filled(path);
    EXPECT_EQ(ParseOwnContainerId(line + "\n", ""), kId) << line;
    EXPECT_EQ(ParseOwnContainerId("9:pids:/\n" + line, ""), kId) << line;
  }
}

TEST(OwnContainer, IsNothingOutsideAContainer) {
  for (const char* const path :
       {"0::/", "0::/system.slice/ebb.service", "4:memory:/user.slice/user-0.slice",
        "0::/longer-ID0", "0::/longer-0ID", "0::/upper-UPPER", "0::/short-0123456789abcdef"}) {
    EXPECT_EQ(ParseOwnContainerId(Filled(path), ""), "") << path;
  }
}

TEST(OwnContainer, IsTracedByMountsWhereTheCgroupIsHidden) {
  const std::string containerd = Filled(
      "612 590 0:60 / / rw,relatime - overlay overlay rw,lowerdir=/x/OTHER\n"
      "633 612 8:1 /var/lib/kubelet/pods/0f9a7f43/etc-hosts /etc/hosts rw - ext4 /dev/sda1 rw\n"
      "634 612 8:1 /var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/ID/hostname "
      "/etc/hostname rw,relatime - ext4 /dev/sda1 rw\n");
  EXPECT_EQ(ParseOwnContainerId("0::/\n", containerd), kId);
  const std::string docker = Filled(
      "7 6 8:1 /var/lib/docker/containers/ID/resolv.conf /etc/resolv.conf rw - ext4 /dev/sda1 rw");
  EXPECT_EQ(ParseOwnContainerId("0::/\n", docker), kId);
}

TEST(OwnContainer, IsNotTheContainerWhoseMountsTheHostLists) {
  const std::string mounts = Filled(
      "80 25 0:50 / /run/containerd/io.containerd.grpc.v1.cri/sandboxes/ID/shm rw - tmpfs shm rw\n"
      "81 25 0:51 / /run/containerd/io.containerd.runtime.v2.task/k8s.io/ID/rootfs rw - overlay o\n"
      "82 25 8:1 /var/lib/docker/containers/ID/mounts /mnt/debug rw - ext4 /dev/sda1 rw\n");
  EXPECT_EQ(ParseOwnContainerId("0::/system.slice/ebb.service\n", mounts), "");
}

TEST(OwnContainer, SurvivesLinesThatAreCut) {
  EXPECT_EQ(ParseOwnContainerId("", ""), "");
  EXPECT_EQ(ParseOwnContainerId("\n\n", "634\n634 612 8:1\n634 612 8:1 /x /etc/hostname"), "");
}

TEST(OwnContainer, IsReadFromProc) {
  const testing::TempDir dir;
  std::filesystem::create_directory(dir / "self");
  EXPECT_EQ(OwnContainerId(dir.path()), "");
  std::ofstream(dir / "self/cgroup") << "0::/docker/" << kId << "\n";
  EXPECT_EQ(OwnContainerId(dir.path()), kId);
}

}  // namespace
}  // namespace ebb::host
