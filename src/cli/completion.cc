// Completion scripts from one walk over the definitions in app.cc.
#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace ebb::cli {
namespace {

struct Word {
  std::string text;
  std::string meaning;
};

// The words that may follow one (sub)command.
struct Step {
  std::string path;  // "ebb", "ebb config", ...
  std::vector<Word> words;
};

using Groups = std::vector<const CLI::App*>;

Groups ChildrenOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// An option group is a subcommand without a name: its options are its parent's.
void AddOptions(const CLI::App& app, std::vector<Word>& words) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.push_back({"--" + name, option->get_description()});
    }
  }
  for (const CLI::App* child : ChildrenOf(app)) {
    if (child->get_name().empty()) AddOptions(*child, words);
  }
}

void Walk(const CLI::App& app, const std::string& path, std::vector<Step>& steps) {
  const std::size_t here = steps.size();
  steps.push_back({.path = path, .words = {}});
  std::vector<Word> words;
  for (const CLI::App* child : ShownCommands(app)) {
    words.push_back({child->get_name(), child->get_description()});
    Walk(*child, path + " " + child->get_name(), steps);
  }
  AddOptions(app, words);
  steps[here].words = std::move(words);
}

std::string Joined(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

// Both bash and zsh (through bashcompinit) run this function.
std::string Bash(const std::vector<Step>& steps) {
  std::string cases;
  for (const Step& step : steps) {
    cases += "    '" + step.path + "') words='" + Joined(step.words) + "' ;;\n";
  }
  return "_ebb() {\n"
         "  local path=ebb words= i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case ${COMP_WORDS[i]} in -*) ;; *) path=\"$path ${COMP_WORDS[i]}\" ;; esac\n"
         "  done\n"
         "  case $path in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
         "}\n"
         "complete -o default -F _ebb ebb\n";
}

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("\\'") : std::string(1, c);
  return quoted + "'";
}

std::string Fish(const std::vector<Step>& steps) {
  std::string text = "complete -c ebb -f\n";
  for (const Step& step : steps) {
    const auto space = step.path.rfind(' ');
    const std::string condition =
        space == std::string::npos ? "__fish_use_subcommand"
                                   : "__fish_seen_subcommand_from " + step.path.substr(space + 1);
    for (const Word& word : step.words) {
      const bool flag = word.text.starts_with("--");
      text += "complete -c ebb -n " + Quoted(condition) + (flag ? " -l " : " -a ") +
              (flag ? word.text.substr(2) : word.text) + " -d " + Quoted(word.meaning) + "\n";
    }
  }
  return text;
}

}  // namespace

ExitCode Completion(const CLI::App& app, const std::string& shell) {
  std::vector<Step> steps;
  Walk(app, "ebb", steps);
  if (shell == "fish") {
    Print(Fish(steps));
  } else if (shell == "zsh") {
    Print("#compdef ebb\nautoload -U +X bashcompinit && bashcompinit\n" + Bash(steps));
  } else {
    Print(Bash(steps));
  }
  return ExitCode::kDone;
}

}  // namespace ebb::cli
