#include <filesystem>

#include "base/text.h"
#include "kube/access.h"
#include "kube/base64.h"
#include "kube/files.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr const char* kExecVersion = "client.authentication.k8s.io/v1";

// One of the files that are read as one.
struct File {
  std::string path;
  Json document;
};

// Reads kubeconfigs as one, as kubectl does: whatever two of them name is what the first says.
// Remembers the first thing that is wrong.
class Reader {
 public:
  explicit Reader(const std::vector<File>& files) {
    roots_.reserve(files.size());
    for (const File& file : files) {
      roots_.push_back({std::filesystem::path(file.path).parent_path(), Fields(file.document, "")});
    }
  }

  base::Result<Access> Read(std::string context) {
    for (Root& root : roots_) {
      if (context.empty()) context = root.fields.Text("current-context");
    }
    std::string cluster;
    std::string user;
    Named("contexts", context, "context", [&](Fields& named) {
      cluster = named.Text("cluster");
      user = named.Text("user");
    });
    Named("clusters", cluster, "cluster", [&](Fields& named) { ReadCluster(named); });
    if (!user.empty()) Named("users", user, "user", [&](Fields& named) { ReadUser(named); });
    for (const Root& root : roots_) Fail(root.fields.problem());
    if (!problem_.empty()) return base::Error{base::ErrorCode::kUsage, base::OneLine(problem_)};
    return access_;
  }

 private:
  struct Root {
    std::filesystem::path directory;  // where its paths begin
    Fields fields;
  };

  void Fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  // read(Fields) of the entry of that name in a list of {name, KIND}.
  template <class Read>
  void Named(std::string_view list, const std::string& name, std::string_view kind, Read read) {
    bool found = false;
    bool sound = true;
    for (Root& root : roots_) {
      root.fields.ForEach(list, [&](Fields& entry) {
        if (entry.Text("name") != name || found) return;
        found = true;
        directory_ = root.directory;
        Fields named = entry.Object(kind);
        read(named);
        entry.Adopt(named);
      });
      sound = sound && root.fields.problem().empty();
    }
    if (!found && sound) Fail("there is no " + std::string(kind) + " '" + name + "'");
  }

  // KEY-data stands before KEY, as for kubectl.
  Material Either(Fields& from, const std::string& key) {
    const std::string encoded = from.Text(key + "-data");
    if (encoded.empty()) return {.file = Path(from.Text(key))};
    auto data = DecodeBase64(encoded);
    if (!data) Fail(key + "-data is no base64");
    return {.data = data.value_or("")};
  }

  std::string Path(const std::string& path) const {
    return path.empty() ? path : (directory_ / path).string();
  }

  void Unsupported(const Fields& from, std::string_view key) {
    if (from.Has(key)) Fail(std::string(key) + " is not supported");
  }

  void ReadCluster(Fields& cluster) {
    access_.server = cluster.Text("server");
    access_.ca = Either(cluster, "certificate-authority");
    access_.insecure = cluster.Flag("insecure-skip-tls-verify");
    access_.server_name = cluster.Text("tls-server-name");
    Unsupported(cluster, "proxy-url");
    if (access_.server.empty()) Fail("the cluster has no server");
  }

  void ReadUser(Fields& user) {
    access_.certificate = Either(user, "client-certificate");
    access_.key = Either(user, "client-key");
    access_.token.file = Path(user.Text("tokenFile"));
    if (access_.token.file.empty()) access_.token.data = user.Text("token");
    Unsupported(user, "auth-provider");
    ReadHeaders(user);
    if (!user.Has("exec")) return;
    Fields exec = user.Object("exec");
    ReadPlugin(exec);
    user.Adopt(exec);
  }

  void ReadHeaders(Fields& user) {
    http::Headers& headers = access_.headers;
    const std::string name = user.Text("username");
    if (!name.empty()) {
      headers.emplace_back("Authorization",
                           "Basic " + EncodeBase64(name + ":" + user.Text("password")));
    }
    const auto stand_for = [&](const char* header, const std::string& value) {
      if (!value.empty()) headers.emplace_back(header, value);
    };
    stand_for("Impersonate-User", user.Text("as"));
    stand_for("Impersonate-Uid", user.Text("as-uid"));
    for (const std::string& group : user.Texts("as-groups")) stand_for("Impersonate-Group", group);
    Unsupported(user, "as-user-extra");
  }

  void ReadPlugin(Fields& exec) {
    ExecPlugin plugin;
    std::string program = exec.Text("command");
    // A path is the kubeconfig's own matter; a bare word is looked for in PATH.
    if (program.find('/') != std::string::npos) program = Path(program);
    plugin.command = exec.Texts("args");
    plugin.command.insert(plugin.command.begin(), program);
    exec.ForEach("env", [&](Fields& pair) {
      plugin.environment.emplace_back(pair.Text("name"), pair.Text("value"));
    });
    plugin.wants_cluster = exec.Flag("provideClusterInfo");
    const std::string version = exec.Text("apiVersion");
    if (exec.problem().empty() && version != kExecVersion) {
      Fail("exec: apiVersion '" + version + "' is not supported: only " + kExecVersion + " is");
    }
    if (program.empty()) Fail("exec: there is no command");
    access_.plugin = std::move(plugin);
  }

  std::vector<Root> roots_;
  std::filesystem::path directory_;  // of the entry that is being read
  Access access_;
  std::string problem_;
};

}  // namespace

base::Result<Access> LoadKubeconfig(const std::string& path, const std::string& context) {
  return LoadKubeconfigs({path}, context);
}

base::Result<Access> LoadKubeconfigs(const std::vector<std::string>& paths,
                                     const std::string& context) {
  std::vector<File> files;
  std::string names;
  base::Error missing{base::ErrorCode::kNotFound, "no kubeconfig is named"};
  for (const std::string& path : paths) {
    const auto text = ReadFile(path);
    if (!text.ok() && text.error().code != base::ErrorCode::kNotFound) return text.error();
    if (!text.ok()) {
      missing = text.error();
      continue;
    }
    auto document = ReadYaml(*text);
    if (!document.ok()) return document.error().In(path);
    files.push_back({path, std::move(*document)});
    names.append(names.empty() ? "" : ":").append(path);
  }
  if (files.empty()) return missing;
  auto access = Reader(files).Read(context);
  if (!access.ok()) return access.error().In(names);
  return access;
}

}  // namespace ebb::kube
