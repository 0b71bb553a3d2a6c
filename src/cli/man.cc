// Manual pages from one walk over the definitions in app.cc.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands.h"

namespace ebb::cli {
namespace {

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n\\fB0\\fR\ndone, or nothing to do\n"
    ".TP\n\\fB1\\fR\nan error without a number of its own\n"
    ".TP\n\\fB2\\fR\nthe command line or the configuration is wrong\n"
    ".TP\n\\fB3\\fR\nthe target was not reached\n"
    ".TP\n\\fB4\\fR\nthe container runtime does not answer\n"
    ".TP\n\\fB5\\fR\na safety rule refused\n"
    ".TP\n\\fB10\\fR\nplan \\-\\-exit\\-code: something would be removed\n";

// Text that roff prints as it stands: '-' as the one that can be copied, no line a request.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  const bool request = escaped.starts_with('.') || escaped.starts_with('\'');
  return request ? "\\&" + escaped : escaped;
}

std::string Bold(const std::string& text) {
  return "\\fB" + Escaped(text) + "\\fR";
}

std::string NamesOf(const CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) {
    names += (names.empty() ? "" : ", ") + Bold(name);
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (names.empty()) return Bold(option.get_name());
  const bool flag = option.get_expected_min() == 0;
  return flag ? names : names + " \\fI" + Escaped(option.get_type_name()) + "\\fR";
}

// An option group is a subcommand without a name: its options are its parent's.
std::string OptionsOf(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    text += ".TP\n" + NamesOf(*option) + "\n" + Escaped(option->get_description()) + "\n";
  }
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (child->get_name().empty()) text += OptionsOf(*child);
  }
  return text;
}

std::string CommandsOf(const CLI::App& app) {
  std::string text;
  for (const CLI::App* child : ShownCommands(app)) {
    text += ".TP\n" + Bold(child->get_name()) + "\n" + Escaped(child->get_description()) + "\n";
  }
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

std::string Page(const CLI::App& app, const std::string& path) {
  std::string name = path;
  std::ranges::replace(name, ' ', '-');
  std::string synopsis = Bold(path) + " [options]";
  if (!ShownCommands(app).empty()) synopsis += " \\fICOMMAND\\fR";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) synopsis += " \\fI" + Escaped(option->get_name()) + "\\fR";
  }
  return ".TH \"" + Escaped(name) + "\" 8 \"\" \"ebb " EBB_VERSION "\"\n.SH NAME\n" +
         Escaped(name) + " \\- " + Escaped(app.get_description()) + "\n.SH SYNOPSIS\n" + synopsis +
         "\n" + CommandsOf(app) + ".SH OPTIONS\n" + OptionsOf(app) + kExitStatus +
         ".SH FILES\n.TP\n\\fI/etc/ebb/config.yaml\\fR\nthe configuration of this node\n"
         ".TP\n\\fI/var/lib/ebb\\fR\nusage history and lock\n";
}

}  // namespace

std::vector<const CLI::App*> ShownCommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* child) {
    return !child->get_name().empty() && !child->get_group().empty();
  });
}

ExitCode Man(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string path = "ebb";
  for (const std::string& word : words) {
    const auto commands = ShownCommands(*at);
    const auto found = std::ranges::find(commands, word, &CLI::App::get_name);
    if (found == commands.end()) {
      path.append(" has no command '").append(word).append("'");
      return Fail({base::ErrorCode::kUsage, path});
    }
    at = *found;
    path.append(" ").append(word);
  }
  Print(Page(*at, path));
  return ExitCode::kDone;
}

}  // namespace ebb::cli
