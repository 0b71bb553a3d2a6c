// What the command line said, before anything is checked against the configuration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "image/policy.h"
#include "report/style.h"

namespace ebb::cli {

struct NodeOptions {
  std::string config = "/etc/ebb/config.yaml";
  bool config_given = false;  // a file that was named must exist
  std::string runtime_endpoint;
  std::string image_endpoint;
  std::string state_dir;
  std::vector<std::string> protect;
  std::string min_age;
  std::string policy;
  std::string high;
  std::string low;
  std::string max_images;
  std::string max_percent;
  std::string max_bytes;
  bool pressure = false;  // status: the kubelet's own filesystem is measured, too
};

struct OutputOptions {
  std::string format = "table";
  std::string color = "auto";
  bool no_trunc = false;
  bool no_headers = false;
};

struct TargetOptions {
  std::string to;
  std::string free;
  std::string unused_for;
  bool all_unused = false;
};

struct HistoryOptions {
  std::string run;  // show
  bool regrets = false;
  std::string since;
  std::string limit;  // empty: what fits a screen, or all of the few regrets
};

struct ClusterOptions {
  std::vector<std::string> from;     // files, directories, "-"; none: a live cluster
  std::string kubeconfig;            // empty: where kubectl looks
  std::string context;               // empty: its current one
  std::vector<std::string> targets;  // KIND/NAME
  std::string ns;
  std::string cascade = "background";
  std::string format = "tree";  // preview
};

struct Options {
  NodeOptions node;
  ClusterOptions cluster;
  OutputOptions output;
  TargetOptions target;
  HistoryOptions history;
  std::vector<std::string> explain;  // IMAGE, or "layer" and a key
  std::string sort_by;               // images
  std::vector<std::string> filters;
  std::string guarded;            // guard add, guard remove
  bool guard_all = false;         // guard remove
  bool exit_code = false;         // plan
  bool yes = false;               // collect
  std::string file;               // config validate
  std::string listen;             // run
  std::string pause_for;          // pause
  std::string shell;              // completion
  std::vector<std::string> page;  // man
};

// kUsage in one sentence for what is not allowed.
base::Result<image::Target> ReadTarget(const TargetOptions& options);

// Knows the terminal and NO_COLOR; nothing behind it asks again.
report::Style ReadStyle(const OutputOptions& options);

// A whole number, 0 to `most`.
base::Result<int> ReadNumber(const std::string& text, const char* flag, int most);

// "70%" or "70", 0 to 100.
base::Result<base::Percent> ReadPercent(const std::string& text, const char* flag);

// Flags beat whatever the file says.
base::Status ApplyFlags(const NodeOptions& options, image::Policy& policy);

}  // namespace ebb::cli
