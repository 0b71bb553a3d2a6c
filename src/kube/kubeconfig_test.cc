#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "kube/access.h"
#include "kube/base64.h"
#include "testing/temp_dir.h"

namespace ebb::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr const char* kConfig = R"(apiVersion: v1
kind: Config
current-context: node
contexts:
- {name: node, context: {cluster: home, user: node}}
- {name: cloud, context: {cluster: away, user: plugin, namespace: x}}
- {name: nobody, context: {cluster: home}}
- {name: lost, context: {cluster: nowhere, user: node}}
- {name: stranger, context: {cluster: home, user: nobody}}
- {name: old, context: {cluster: home, user: basic}}
- {name: older, context: {cluster: home, user: provider}}
clusters:
- name: home
  cluster: {server: "https://127.0.0.1:6443", certificate-authority: pki/ca.crt, tls-server-name: api}
- name: away
  cluster:
    server: https://api.example
    certificate-authority: ignored
    certificate-authority-data: Q0EK
    insecure-skip-tls-verify: true
users:
- name: node
  user: {client-certificate: /abs/node.crt, client-key-data: S0VZ, token: t, tokenFile: token}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/get-token
      args: [--cluster, away]
      env: [{name: A, value: "1"}, {name: B, value: x=y}]
      provideClusterInfo: true
      interactiveMode: Never
- name: basic
  user: {username: u, password: p, as: jane, as-uid: "7", as-groups: [dev, ops]}
- name: provider
  user: {auth-provider: {name: gcp}}
)";

class Kubeconfig : public ::testing::Test {
 protected:
  base::Result<Access> Load(const std::string& text, const std::string& context = "") const {
    std::ofstream(dir_ / "config") << text;
    return LoadKubeconfig(dir_ / "config", context);
  }
  std::string ErrorOf(const std::string& text, const std::string& context = "") const {
    const auto access = Load(text, context);
    return access.ok() ? "taken" : access.error().message;
  }

  testing::TempDir dir_;
};

TEST_F(Kubeconfig, GivesItsCurrentContextWithPathsOfItsOwnDirectory) {
  const auto access = Load(kConfig);
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->server, "https://127.0.0.1:6443");
  EXPECT_EQ(access->server_name, "api");
  EXPECT_FALSE(access->insecure);
  EXPECT_EQ(access->ca.file, (dir_ / "pki/ca.crt").string());
  EXPECT_EQ(access->certificate.file, "/abs/node.crt");
  EXPECT_EQ(access->key.data, "KEY");
  EXPECT_EQ(access->key.file, "");
  EXPECT_EQ(access->token.file, (dir_ / "token").string());
  EXPECT_EQ(access->token.data, "");
  EXPECT_FALSE(access->plugin.has_value());
}

TEST_F(Kubeconfig, GivesAnotherContextWithItsPlugin) {
  const auto access = Load(kConfig, "cloud");
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->ca.data, "CA\n");
  EXPECT_EQ(access->ca.file, "");
  EXPECT_TRUE(access->insecure);
  ASSERT_TRUE(access->plugin.has_value());
  EXPECT_THAT(access->plugin->command,
              ElementsAre((dir_ / "./bin/get-token").string(), "--cluster", "away"));
  EXPECT_THAT(access->plugin->environment, ElementsAre(Pair("A", "1"), Pair("B", "x=y")));
  EXPECT_TRUE(access->plugin->wants_cluster);
}

TEST_F(Kubeconfig, TellsByHeadersWhoWeAreAndWhomWeStandFor) {
  const auto access = Load(kConfig, "old");
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_THAT(access->headers,
              ElementsAre(Pair("Authorization", "Basic dTpw"), Pair("Impersonate-User", "jane"),
                          Pair("Impersonate-Uid", "7"), Pair("Impersonate-Group", "dev"),
                          Pair("Impersonate-Group", "ops")));
}

TEST_F(Kubeconfig, OfSeveralFilesIsWhatTheFirstSaysWithPathsOfItsOwn) {
  std::filesystem::create_directory(dir_ / "second");
  std::ofstream(dir_ / "second/config") << kConfig;
  std::ofstream(dir_ / "first") << R"({clusters: [
    {name: home, cluster: {server: "https://first", certificate-authority: ca.crt}}]})";
  const auto access =
      LoadKubeconfigs({dir_ / "none", dir_ / "first", dir_ / "second/config"}, "node");
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->server, "https://first");
  EXPECT_EQ(access->ca.file, (dir_ / "ca.crt").string());
  EXPECT_EQ(access->token.file, (dir_ / "second/token").string());
  EXPECT_EQ(LoadKubeconfigs({dir_ / "none"}).error().code, base::ErrorCode::kNotFound);
  EXPECT_THAT(LoadKubeconfigs({dir_ / "first", dir_ / "second/config"}, "x").error().message,
              HasSubstr((dir_ / "first").string() + ":" + (dir_ / "second/config").string()));
}

TEST_F(Kubeconfig, IsFoundWhereKubectlFindsIt) {
  std::filesystem::create_directory(dir_ / ".kube");
  std::ofstream(dir_ / ".kube/config") << kConfig;
  std::ofstream(dir_ / "named") << R"({current-context: c, contexts: [{name: c, context:
    {cluster: c}}], clusters: [{name: c, cluster: {server: "https://named"}}]})";
  (void)::setenv("HOME", (dir_ / ".").c_str(), 1);
  (void)::unsetenv("KUBECONFIG");
  EXPECT_EQ(FindCluster("", "")->server, "https://127.0.0.1:6443");
  (void)::setenv("KUBECONFIG", (dir_ / "none:").string().append(dir_ / "named").c_str(), 1);
  EXPECT_EQ(FindCluster("", "")->server, "https://named");
  EXPECT_EQ(FindCluster(dir_ / ".kube/config", "cloud")->server, "https://api.example");
  (void)::unsetenv("KUBECONFIG");
  (void)::setenv("HOME", (dir_ / "nowhere").c_str(), 1);
  const auto none = FindCluster("", "");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, base::ErrorCode::kUsage);
  EXPECT_THAT(none.error().message, HasSubstr("nowhere/.kube/config"));
}

TEST_F(Kubeconfig, NeedsNoUser) {
  const auto access = Load(kConfig, "nobody");
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->token.data + access->token.file + access->key.data, "");
}

TEST_F(Kubeconfig, SaysWhatItLacks) {
  EXPECT_THAT(ErrorOf(kConfig, "other"), HasSubstr("there is no context 'other'"));
  EXPECT_THAT(ErrorOf(kConfig, "lost"), HasSubstr("there is no cluster 'nowhere'"));
  EXPECT_THAT(ErrorOf(kConfig, "stranger"), HasSubstr("there is no user 'nobody'"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("there is no context ''"));
  EXPECT_THAT(ErrorOf("{contexts: [{name: '', context: {cluster: c}}], "
                      "clusters: [{name: c, cluster: {}}]}"),
              HasSubstr("the cluster has no server"));
  EXPECT_EQ(LoadKubeconfig(dir_ / "missing").error().code, base::ErrorCode::kNotFound);
}

TEST_F(Kubeconfig, SaysWhatItDoesNotSupport) {
  EXPECT_THAT(ErrorOf(kConfig, "older"), HasSubstr("auth-provider is not supported"));
  std::string older(kConfig);
  older.replace(older.find("k8s.io/v1\n"), 9, "k8s.io/v1beta1");
  EXPECT_EQ(ErrorOf(older), "taken");
  EXPECT_THAT(ErrorOf(older, "cloud"), HasSubstr("v1beta1' is not supported"));
}

TEST_F(Kubeconfig, IsRefusedForWrongTypesAndBrokenData) {
  std::string text(kConfig);
  text.replace(text.find("Q0EK"), 4, "Q0E*");
  EXPECT_THAT(ErrorOf(text, "cloud"), HasSubstr("certificate-authority-data is no base64"));
  EXPECT_THAT(ErrorOf("contexts: none"), HasSubstr("contexts is no list"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("it is no object"));
  EXPECT_THAT(ErrorOf("a: ["), HasSubstr((dir_ / "config").string() + ": it is no YAML"));
}

TEST(InCluster, TakesServerAndAccountFromWhereKubernetesPutsThem) {
  (void)::unsetenv("KUBERNETES_SERVICE_HOST");
  EXPECT_EQ(InCluster().error().code, base::ErrorCode::kNotFound);
  (void)::setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
  (void)::setenv("KUBERNETES_SERVICE_PORT", "443", 1);
  const auto access = InCluster("/somewhere");
  (void)::unsetenv("KUBERNETES_SERVICE_HOST");
  (void)::unsetenv("KUBERNETES_SERVICE_PORT");
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->ca.file, "/somewhere/ca.crt");
  EXPECT_EQ(access->token.file, "/somewhere/token");
}

TEST(Base64, IsWrittenAsItIsRead) {
  for (const char* text : {"", "A", "AB", "ABC", "\xfb\xff\xbf?"}) {
    EXPECT_EQ(DecodeBase64(EncodeBase64(text)), text);
  }
  EXPECT_EQ(EncodeBase64("A"), "QQ==");
  EXPECT_EQ(EncodeBase64("\xfb\xff\xbf"), "+/+/");
}

TEST(Base64, IsDecodedOrRefused) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("QQ=="), "A");
  EXPECT_EQ(DecodeBase64("QUI="), "AB");
  EXPECT_EQ(DecodeBase64("QU\nJD\r\n"), "ABC");
  EXPECT_EQ(DecodeBase64("+/+/"), "\xfb\xff\xbf");
  for (const char* text :
       {"Q", "QQ", "QQ=", "Q===", "====", "QQ==Q", "Q=Q=", "QQ=A", "Q Q=", "-_-_"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ebb::kube
