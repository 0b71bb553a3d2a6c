// ebb-testnode: a throw-away node for shell scripts, and the calls of a kubelet upon it.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "node/image_sets.h"
#include "node/isolation.h"
#include "node/node.h"

namespace ebb::node {
namespace {

struct Arguments {
  std::string size = "2GiB";
  std::string filesystem = "ext4";
  bool demo_images = false;
  std::vector<std::string> command;
  std::string socket;
  std::string image;
  std::string name;
  std::string path;
  int percent = 0;
};

int Told(const base::Status& status) {
  if (status.ok()) return 0;
  std::cerr << "ebb-testnode: " << status.error().message << "\n";
  return 1;
}

template <class T>
base::Status Dropped(const base::Result<T>& result) {
  if (!result.ok()) return result.error();
  return base::Done{};
}

// What the command learns about its node.
void Export(const Node& node, const std::string& filesystem) {
  ::setenv("EBB_NODE_DIR", node.directory().c_str(), 1);
  ::setenv("EBB_NODE_SOCKET", node.socket().c_str(), 1);
  ::setenv("EBB_NODE_FILESYSTEM", filesystem.c_str(), 1);
}

base::Result<std::unique_ptr<Node>> MakeNode(const Arguments& arguments) {
  const base::Result<base::Bytes> size = base::ParseBytes(arguments.size);
  if (!size.ok()) return size.error();
  NodeOptions options;
  const bool tmpfs = arguments.filesystem == "tmpfs";
  options.volume = {*size, tmpfs ? Filesystem::kTmpfs : Filesystem::kExt4};
  if (arguments.demo_images) options.containerd.sandbox_image = kDemoSandboxImage;
  auto node = Node::Make(options);
  if (!node.ok() || !arguments.demo_images) return node;
  if (const auto loaded = (*node)->Load(DemoImages()); !loaded.ok()) return loaded.error();
  return node;
}

// The body of `run`: the command sees the node as a process of its own would, terminal included.
int RunInside(const Arguments& arguments) {
  const auto node = MakeNode(arguments);
  if (!node.ok()) return Told(node.error());
  Export(**node, (*node)->volume().kind() == Filesystem::kTmpfs ? "tmpfs" : "ext4");
  return RunAttached(arguments.command);
}

int RunNode(const Arguments& arguments) {
  const base::Result<int> code = RunIsolated([&arguments] { return RunInside(arguments); });
  return code.ok() ? *code : Told(code.error());
}

int MakeImages(const Arguments& arguments) {
  constexpr mode_t kMode = 0644;
  const base::UniqueFd file(
      ::open(arguments.path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
  const auto made = WriteImages(file.get(), DemoImages());
  if (!made.ok()) return Told(made.error().In(arguments.path));
  for (const MadeImage& image : *made) std::cout << image.id << " " << image.names.front() << "\n";
  return 0;
}

int StopPod(const Arguments& arguments) {
  Pods pods("unix://" + arguments.socket);
  const auto ready = pods.ReadyPods();
  if (!ready.ok()) return Told(ready.error());
  for (const Pod& pod : *ready) {
    if (pod.name == arguments.name) return Told(pods.StopPod(pod.id));
  }
  return Told(base::Error{base::ErrorCode::kNotFound, "no pod " + arguments.name + " is running"});
}

// One line per image: id, size in bytes, first name or "<none>".
int ListImages(const Arguments& arguments) {
  const auto images = Pods("unix://" + arguments.socket).Images();
  if (!images.ok()) return Told(images.error());
  for (const ImageInfo& image : *images) {
    std::string name = image.tags.empty() ? "<none>" : image.tags.front();
    std::cout << image.id << " " << image.size << " " << name << "\n";
  }
  return 0;
}

int ShowUsed(const Arguments& arguments) {
  const auto used = Used(arguments.path);
  if (!used.ok()) return Told(used.error());
  std::cout << used->value << "\n";
  return 0;
}

using Action = int (*)(const Arguments&);

CLI::App* Add(CLI::App& app, const std::string& name, const std::string& help, Action action,
              Arguments& arguments) {
  CLI::App* command = app.add_subcommand(name, help);
  command->callback([action, &arguments] {
    if (const int code = action(arguments); code != 0) throw CLI::RuntimeError(code);
  });
  return command;
}

void AddNodeCommands(CLI::App& app, Arguments& arguments) {
  CLI::App* run =
      Add(app, "run", "make a node, run a command on it, leave no trace", RunNode, arguments);
  run->add_option("--size", arguments.size, "of the node's filesystem");
  run->add_option("--fs", arguments.filesystem, "ext4 (tmpfs where loops are refused) or tmpfs");
  run->add_flag("--demo-images", arguments.demo_images, "load the demonstration's images");
  run->add_option("command", arguments.command, "the command, after --")->required();
  Add(app, "make-images", "write the demonstration's images to an archive", MakeImages, arguments)
      ->add_option("file", arguments.path)
      ->required();
  const auto fill = [](const Arguments& given) {
    return Told(FillTo(given.path, base::Percent{given.percent}));
  };
  CLI::App* command = Add(app, "fill", "fill a node's filesystem with one file", fill, arguments);
  command->add_option("directory", arguments.path)->required();
  command->add_option("percent", arguments.percent)->required();
  Add(app, "used", "how full a filesystem is, as the kubelet reckons", ShowUsed, arguments)
      ->add_option("directory", arguments.path)
      ->required();
}

void AddPodCommands(CLI::App& app, Arguments& arguments) {
  const auto with_socket = [&](const std::string& name, const std::string& help, Action action) {
    CLI::App* command = Add(app, name, help, action, arguments);
    command->add_option("--socket", arguments.socket)->required();
    return command;
  };
  with_socket("wait-ready", "return when CRI answers", [](const Arguments& given) {
    return Told(Pods("unix://" + given.socket).WaitReady());
  });
  with_socket("images", "list the images", ListImages);
  CLI::App* run =
      with_socket("run-pod", "start a pod with one container", [](const Arguments& given) {
        return Told(Dropped(Pods("unix://" + given.socket).RunApp(given.name, given.image)));
      });
  CLI::App* exited = with_socket(
      "exited-pod", "start a pod whose container ends at once", [](const Arguments& given) {
        return Told(Dropped(Pods("unix://" + given.socket).RunToEnd(given.name, given.image)));
      });
  for (CLI::App* command : {run, exited}) {
    command->add_option("--image", arguments.image)->required();
  }
  CLI::App* stop = with_socket("stop-pod", "stop a running pod", StopPod);
  for (CLI::App* command : {run, exited, stop}) {
    command->add_option("--name", arguments.name)->required();
  }
}

}  // namespace
}  // namespace ebb::node

int main(int argc, char** argv) {
  CLI::App app("A throw-away Kubernetes node: containerd and pods in namespaces of their own");
  app.require_subcommand(1);
  ebb::node::Arguments arguments;
  ebb::node::AddNodeCommands(app, arguments);
  ebb::node::AddPodCommands(app, arguments);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
