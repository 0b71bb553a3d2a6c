#include "cli/app.h"

#include <CLI/CLI.hpp>

namespace ebb::cli {
namespace {

// Where the configuration and what ebb itself keeps are found.
void AddFiles(CLI::App& app, Options& options) {
  NodeOptions& node = options.node;
  app.add_option_function<std::string>(
         "--config",
         [&node](const std::string& path) {
           node.config = path;
           node.config_given = true;
         },
         "configuration file (default: /etc/ebb/config.yaml, if there is one)")
      ->type_name("FILE");
  app.add_option("--state-dir", node.state_dir, "directory of usage history and lock")
      ->type_name("DIR");
}

void AddNode(CLI::App& app, Options& options) {
  NodeOptions& node = options.node;
  AddFiles(app, options);
  app.add_option("--runtime-endpoint", node.runtime_endpoint,
                 "CRI socket of the container runtime (default: found on the node)")
      ->type_name("unix:///PATH");
  app.add_option("--image-endpoint", node.image_endpoint, "CRI image service, if it is another one")
      ->type_name("unix:///PATH");
  app.add_option("--protect", node.protect, "one more pattern of images never to remove")
      ->type_name("PATTERN");
  app.add_option("--min-age", node.min_age,
                 "both minimum ages, since first seen and since last used; 0s in an emergency")
      ->type_name("DURATION");
  app.add_option("--policy", node.policy,
                 "what goes first: reuse (least likely to be wanted again), idle, lru, bytes")
      ->check(CLI::IsMember({"reuse", "idle", "lru", "bytes"}));
  app.add_option("--high", node.high, "high mark, used per cent")->type_name("PERCENT");
  app.add_option("--low", node.low, "low mark, used per cent")->type_name("PERCENT");
}

void AddOutput(CLI::App& app, Options& options) {
  OutputOptions& output = options.output;
  app.add_option("-o,--output", output.format, "output format")
      ->check(CLI::IsMember({"table", "wide", "json", "yaml", "name"}));
  app.add_option("--color", output.color, "when to use colour")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_flag("--no-trunc", output.no_trunc, "never shorten names and IDs");
  app.add_flag("--no-headers", output.no_headers, "no header line");
}

void AddTarget(CLI::App& app, Options& options) {
  TargetOptions& target = options.target;
  auto* const group =
      app.add_option_group("target", "what to free (default: down to the low mark)");
  group->add_option("--to", target.to, "until so much of the disk is used")->type_name("PERCENT");
  group->add_option("--free", target.free, "so many bytes more than now")->type_name("SIZE");
  group->add_option("--unused-for", target.unused_for, "every image unused for longer than this")
      ->type_name("DURATION");
  group->add_flag("--all-unused", target.all_unused, "every image that nothing protects");
  group->require_option(0, 1);
}

void AddRadius(CLI::App& app, Options& options) {
  NodeOptions& node = options.node;
  app.add_option("--max-images", node.max_images, "most images one run may remove")->type_name("N");
  app.add_option("--max-percent", node.max_percent, "most per cent of the node's images")
      ->type_name("PERCENT");
  app.add_option("--max-bytes", node.max_bytes, "most bytes one run may free")->type_name("SIZE");
}

// What holds for every option. An empty value is a variable that was not set in somebody's script,
// never a wish. And an option takes one value: what stands behind that is a word of the command.
void KeepToTheRules(CLI::App& app) {
  const auto empty = [](const std::string& value) {
    return value.empty() ? std::string("a value is empty") : std::string();
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_min() > 0) option->check(CLI::Validator(empty, ""));
    if (!option->get_positional()) option->allow_extra_args(false);
  }
  for (CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    KeepToTheRules(*child);
  }
}

CLI::App& AddView(CLI::App& app, Options& options, const std::string& name,
                  const std::string& what) {
  CLI::App& command = *app.add_subcommand(name, what);
  AddNode(command, options);
  AddRadius(command, options);
  AddOutput(command, options);
  return command;
}

void AddSince(CLI::App& app, Options& options) {
  app.add_option("--since", options.history.since, "only what is no older than this")
      ->type_name("DURATION");
}

void AddHistory(CLI::App& app, Options& options) {
  CLI::App& history =
      *app.add_subcommand("history", "what was removed and why, and what was wanted again");
  history.require_subcommand(0, 1);
  AddFiles(history, options);
  AddOutput(history, options);
  AddSince(history, options);
  history.add_flag("--regrets", options.history.regrets,
                   "removals that were undone: the image was pulled again");
  history
      .add_option("--limit", options.history.limit,
                  "only the newest so many runs (default: 20, all with --regrets); 0: all")
      ->type_name("N");
  CLI::App& show = *history.add_subcommand("show", "one run with all its removals");
  AddFiles(show, options);
  AddOutput(show, options);
  show.add_option("RUN", options.history.run, "number of the run")->required();
  CLI::App& all =
      *history.add_subcommand("export", "runs, removals and samples of the disk as lines of JSON");
  AddFiles(all, options);
  AddSince(all, options);
}

void AddGuard(CLI::App& app, Options& options) {
  CLI::App& guard =
      *app.add_subcommand("guard", "images that must not be lost, whoever removes them");
  guard.require_subcommand(1);
  AddView(guard, options, "list", "what is guarded, why, and how well");
  AddView(guard, options, "add", "guard one more image")
      .add_option("IMAGE", options.guarded, "name, digest or ID")
      ->required();
  CLI::App& remove = AddView(guard, options, "remove", "take the guard off what was added");
  remove.add_option("IMAGE", options.guarded, "as it was added");
  remove.add_flag("--all", options.guard_all, "off everything: pins, markers, leases, memory");
  AddView(guard, options, "restore", "bring back now what is guarded and lost");
}

void AddCluster(CLI::App& app, Options& options) {
  CLI::App& cluster =
      *app.add_subcommand("cluster", "which objects own which, and what a deletion takes along");
  cluster.require_subcommand(1);
  const auto add_source = [&options](CLI::App& command, std::string& format,
                                     const std::vector<std::string>& formats) {
    CLI::Option* from =
        command
            .add_option("--from", options.cluster.from,
                        "read what 'kubectl get -o json' or '-o yaml' wrote, - is standard input "
                        "(default: ask the cluster that kubectl would ask)")
            ->type_name("FILE|DIR|-");
    command
        .add_option("--kubeconfig", options.cluster.kubeconfig,
                    "how to reach the cluster (default: $KUBECONFIG, ~/.kube/config, or the "
                    "service account of this pod)")
        ->type_name("FILE")
        ->excludes(from);
    command.add_option("--context", options.cluster.context, "of the kubeconfig, not its current")
        ->type_name("NAME")
        ->excludes(from);
    command.add_option("-o,--output", format, "output format")->check(CLI::IsMember(formats));
    command.add_option("--color", options.output.color, "when to use colour")
        ->check(CLI::IsMember({"auto", "always", "never"}));
  };
  CLI::App& preview = *cluster.add_subcommand("preview", "what would happen, and nothing happens");
  preview.require_subcommand(1);
  CLI::App& remove =
      *preview.add_subcommand("delete", "what is deleted with an object, in which order");
  add_source(remove, options.cluster.format,
             {"tree", "table", "name", "json", "yaml", "dot", "mermaid"});
  remove
      .add_option("KIND/NAME", options.cluster.targets, "what is deleted, for example deploy/web")
      ->required();
  remove.add_option("-n,--namespace", options.cluster.ns, "its namespace (default: any)")
      ->type_name("NAMESPACE");
  remove
      .add_option("--cascade", options.cluster.cascade,
                  "background (dependents go afterwards, as kubectl does it), foreground (they go "
                  "first) or orphan (they stay)")
      ->check(CLI::IsMember({"background", "foreground", "orphan"}));
  add_source(*cluster.add_subcommand(
                 "lint", "what is wrong with owner references and finalizers, and what to do"),
             options.output.format, {"table", "wide", "json", "yaml"});
}

void AddConfig(CLI::App& app, Options& options) {
  CLI::App& config = *app.add_subcommand("config", "the configuration of this node");
  config.require_subcommand(1);
  CLI::App& view = *config.add_subcommand("view", "print every effective value");
  AddNode(view, options);
  AddRadius(view, options);
  CLI::App& validate = *config.add_subcommand("validate", "check a configuration file");
  validate.add_option("FILE", options.file, "file to check (default: /etc/ebb/config.yaml)");
}

void AddDaemon(CLI::App& app, Options& options) {
  CLI::App& run = *app.add_subcommand("run", "look after this node until stopped (the daemon)");
  AddNode(run, options);
  AddRadius(run, options);
  run.add_option("--listen", options.listen,
                 "where metrics and status are shown; none: nowhere (default: as configured)")
      ->type_name("ADDRESS");
  CLI::App& pause = *app.add_subcommand("pause", "let the daemon remove nothing for a while");
  AddNode(pause, options);
  pause.add_option("--for", options.pause_for, "so long (default: until ebb resume)")
      ->type_name("DURATION");
  AddNode(*app.add_subcommand("resume", "let the daemon remove again"), options);
}

}  // namespace

std::shared_ptr<CLI::App> MakeApp(Options& options) {
  auto app = std::make_shared<CLI::App>(
      "Keeps the image disk of a Kubernetes node below its high mark, and never removes an image "
      "that somebody needs.",
      "ebb");
  app->require_subcommand(1);
  AddView(*app, options, "status", "where the image disk goes, on one screen")
      .add_flag("--pressure", options.node.pressure,
                "instead, how far the disk is from every mark and threshold, the kubelet's too");
  CLI::App& images = AddView(*app, options, "images", "every image and why it stays or goes");
  images.add_option("--sort-by", options.sort_by, "name, size, last-used, frees or reason")
      ->type_name("KEY");
  images
      .add_option("--filter", options.filters,
                  "dangling=, reference=, unused-for=, protected=, reason=; several must all hold")
      ->type_name("KEY=VALUE");
  CLI::App& plan = AddView(*app, options, "plan", "what collect would remove, in order, and why");
  AddTarget(plan, options);
  plan.add_flag("--exit-code", options.exit_code, "exit with 10 if something would be removed");
  CLI::App& collect =
      AddView(*app, options, "collect", "remove unused images until enough is free");
  AddTarget(collect, options);
  collect.add_flag("-y,--yes", options.yes, "do not ask");
  CLI::App& explain = AddView(*app, options, "explain", "why one image stays or goes");
  AddTarget(explain, options);
  explain
      .add_option("IMAGE", options.explain,
                  "name, digest, ID or the beginning of an ID; 'layer KEY' for a layer or blob")
      ->required()
      ->expected(1, 2);
  AddView(*app, options, "df",
          "what every image takes, alone and shared, and what could be had back");
  AddView(*app, options, "layers",
          "unpacked layers as they stand on each other, and who keeps them");
  AddView(*app, options, "leases", "who holds bytes of the runtime's store, and until when");
  AddDaemon(*app, options);
  AddHistory(*app, options);
  AddView(*app, options, "dead",
          "containers, sandboxes and logs that were left behind, and why each stays or goes");
  AddGuard(*app, options);
  AddCluster(*app, options);
  AddConfig(*app, options);
  CLI::App& completion = *app->add_subcommand("completion", "a completion script for a shell");
  completion.add_option("SHELL", options.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  // For packagers: no operator types it, so help does not show it.
  CLI::App& man = *app->add_subcommand("man", "a manual page")->group("");
  man.add_option("COMMAND", options.page, "whose page (default: the one of ebb)");
  app->add_subcommand("version", "the version of this program");
  KeepToTheRules(*app);
  return app;
}

}  // namespace ebb::cli
