#include "host/kubelet_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::ElementsAre;

// A /proc with processes of our choice.
class Proc {
 public:
  void Add(const std::string& pid, const std::string& comm,
           const std::vector<std::string>& arguments) const {
    const auto directory = dir_ / pid;
    std::filesystem::create_directory(directory);
    std::ofstream(directory / "comm") << comm << '\n';
    std::ofstream cmdline(directory / "cmdline", std::ios::binary);
    for (const auto& argument : arguments) cmdline << argument << '\0';
  }
  std::optional<KubeletProcess> Find() const { return FindKubelet(dir_.path()); }

 private:
  testing::TempDir dir_;
};

TEST(KubeletProcess, IsFoundWithItsArguments) {
  const Proc proc;
  proc.Add("1", "systemd", {"/sbin/init"});
  proc.Add("42", "kubelet", {"/usr/bin/kubelet", "--config=/etc/k.yaml", "", "--v", "2"});
  const auto kubelet = proc.Find();
  ASSERT_TRUE(kubelet.has_value());
  EXPECT_EQ(kubelet->pid, 42);
  EXPECT_THAT(kubelet->arguments,
              ElementsAre("/usr/bin/kubelet", "--config=/etc/k.yaml", "", "--v", "2"));
}

TEST(KubeletProcess, IsPreferredToOneThatIsEmbedded) {
  const Proc proc;
  proc.Add("10", "rke2", {"/usr/local/bin/rke2", "agent"});
  proc.Add("200", "kubelet", {"kubelet", "--root-dir=/data"});
  EXPECT_EQ(proc.Find()->pid, 200);
}

TEST(KubeletProcess, IsFoundInsideItsDistributions) {
  const std::vector<std::vector<std::string>> commands = {
      {"/usr/local/bin/k3s server", "", ""},
      {"/usr/local/bin/k3s", "agent", "--kubelet-arg=root-dir=/data"},
      {"/snap/microk8s/1/kubelite", "--kubelet-args-file=/x"},
      {"/hyperkube", "kubelet", "--config=/x"}};
  for (const auto& command : commands) {
    const Proc proc;
    const auto slash = command[0].rfind('/');
    proc.Add("7", command[0].substr(slash + 1, 15), command);
    const auto kubelet = proc.Find();
    ASSERT_TRUE(kubelet.has_value()) << command[0];
    EXPECT_EQ(kubelet->arguments.front(), command[0]);
  }
}

TEST(KubeletProcess, SaysWhoseArgumentsItHas) {
  const Proc k3s;
  k3s.Add("7", "k3s-server", {"/usr/local/bin/k3s server"});
  EXPECT_EQ(k3s.Find()->distribution, "k3s");
  k3s.Add("8", "kubelet", {"/var/lib/rancher/rke2/bin/kubelet", "--v=2"});
  EXPECT_EQ(k3s.Find()->distribution, "");
  const Proc rke2;
  rke2.Add("7", "rke2", {"/usr/local/bin/rke2", "agent"});
  EXPECT_EQ(rke2.Find()->distribution, "rke2");
}

TEST(KubeletProcess, IsTheOneWithTheLowestPid) {
  const Proc proc;
  proc.Add("1000", "kubelet", {"kubelet", "--second"});
  proc.Add("999", "kubelet", {"kubelet", "--first"});
  EXPECT_EQ(proc.Find()->pid, 999);
}

TEST(KubeletProcess, IsNotWhateverHasASimilarName) {
  const Proc proc;
  proc.Add("3", "kubelet", {});  // a kernel thread, or a zombie
  proc.Add("4", "kubelet-exporte", {"/bin/kubelet-exporter"});
  proc.Add("5", "k3s-killall", {"/bin/sh", "k3s-killall.sh"});
  proc.Add("6", "hyperkube", {"/hyperkube", "proxy"});
  proc.Add("7", "bash", {"kubelet"});
  proc.Add("12x", "kubelet", {"kubelet"});
  EXPECT_FALSE(proc.Find().has_value());
}

TEST(KubeletProcess, IsAbsentWhereProcCannotBeRead) {
  EXPECT_FALSE(FindKubelet("/nowhere").has_value());
}

}  // namespace
}  // namespace ebb::host
