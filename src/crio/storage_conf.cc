#include "crio/storage_conf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ebb::crio {
namespace {

// One value, or the strings of a list; nullopt for what is neither.
using Strings = std::optional<std::vector<std::string>>;

// Walks through the text; every method leaves it behind what it took.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() const { return text_.empty(); }
  std::size_t line() const { return line_; }

  void SkipBlank(bool lines) {
    while (!text_.empty()) {
      if (text_.front() == '#') {
        text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      } else if (text_.front() == ' ' || text_.front() == '\t' || text_.front() == '\r' ||
                 (lines && text_.front() == '\n')) {
        Drop(1);
      } else {
        return;
      }
    }
  }
  bool Take(char c) {
    if (!text_.starts_with(c)) return false;
    Drop(1);
    return true;
  }
  // Up to the first of `marks`, without blanks around it.
  std::string Word(std::string_view marks) {
    const std::string_view word = text_.substr(0, text_.find_first_of(marks));
    Drop(word.size());
    const std::size_t first = word.find_first_not_of(" \t\r\"");
    if (first == std::string_view::npos) return {};
    return std::string(word.substr(first, word.find_last_not_of(" \t\r\"") - first + 1));
  }
  void SkipLine() {
    Drop(std::min(text_.find('\n'), text_.size()));
    (void)Take('\n');
  }
  Strings Value() {
    if (!text_.starts_with('[')) {
      auto one = String();
      if (!one) return std::nullopt;
      return std::vector{std::move(*one)};
    }
    return List();
  }

 private:
  Strings List() {
    std::vector<std::string> list;
    (void)Take('[');
    for (;;) {
      SkipBlank(true);
      if (Take(']')) return list;
      auto one = String();
      if (!one) return std::nullopt;
      list.push_back(std::move(*one));
      SkipBlank(true);
      if (!Take(',') && !text_.starts_with(']')) return std::nullopt;
    }
  }
  // Paths have no escapes; a string that has one is not understood. Neither are words without marks
  // but true and false.
  std::optional<std::string> String() {
    for (const std::string_view word : {"true", "false"}) {
      if (!text_.starts_with(word)) continue;
      Drop(word.size());
      return std::string(word);
    }
    if (text_.empty() || (text_.front() != '"' && text_.front() != '\'')) return std::nullopt;
    const std::size_t end = text_.find(text_.front(), 1);
    std::string string(text_.substr(1, end == std::string_view::npos ? end : end - 1));
    if (end == std::string_view::npos || string.find('\n') != std::string::npos ||
        (text_.front() == '"' && string.find('\\') != std::string::npos)) {
      return std::nullopt;
    }
    Drop(end + 1);
    return string;
  }
  void Drop(std::size_t count) {
    line_ += static_cast<std::size_t>(std::ranges::count(text_.substr(0, count), '\n'));
    text_.remove_prefix(count);
  }

  std::string_view text_;
  std::size_t line_ = 1;
};

// Where the value of a key goes; nothing for keys that do not matter here.
struct Target {
  std::string StorageConf::* one = nullptr;
  std::vector<std::string> StorageConf::* many = nullptr;
  bool additional_layers = false;
};

std::optional<Target> TargetOf(const std::string& table, const std::string& key) {
  if (table == "storage") {
    if (key == "driver") return Target{.one = &StorageConf::driver};
    if (key == "graphroot") return Target{.one = &StorageConf::graphroot};
    if (key == "runroot") return Target{.one = &StorageConf::runroot};
    if (key == "imagestore") return Target{.one = &StorageConf::imagestore};
  }
  constexpr std::array<std::string_view, 2> kOptions = {"storage.options",
                                                        "storage.options.overlay"};
  if (std::ranges::find(kOptions, table) == kOptions.end()) return std::nullopt;
  if (key == "imagestore") return Target{.one = &StorageConf::imagestore};
  if (key == "additionalimagestores") return Target{.many = &StorageConf::additionalimagestores};
  if (key == "additionallayerstores") return Target{.additional_layers = true};
  return std::nullopt;
}

bool Assign(const Target& target, const Strings& value, StorageConf& conf) {
  if (!value) return false;
  if (target.additional_layers) {
    conf.additional_layers = !value->empty();
  } else if (target.many != nullptr) {
    auto& list = conf.*target.many;
    list.insert(list.end(), value->begin(), value->end());
  } else if (value->size() == 1) {
    if (!value->front().empty()) conf.*target.one = value->front();
  } else {
    return false;
  }
  return true;
}

}  // namespace

base::Result<StorageConf> ParseStorageConf(std::string_view text) {
  StorageConf conf;
  std::string table;
  for (Scanner scanner(text); scanner.SkipBlank(true), !scanner.AtEnd(); scanner.SkipLine()) {
    if (scanner.Take('[')) {
      table = scanner.Word("]\n");
      continue;
    }
    const std::size_t line = scanner.line();
    const std::string key = scanner.Word("=\n");
    const auto target = TargetOf(table, key);
    if (!scanner.Take('=') || !target) continue;
    scanner.SkipBlank(false);
    if (!Assign(*target, scanner.Value(), conf)) {
      return base::Error{base::ErrorCode::kUsage,
                         "line " + std::to_string(line) + ": the value of " + key +
                             " is not understood: write it as a string in quotes, or as a list"};
    }
  }
  return conf;
}

std::vector<std::string> RootsOf(const StorageConf& conf, const RuntimeRoots& runtime) {
  const std::string& configured = conf.imagestore.empty() ? conf.graphroot : conf.imagestore;
  const std::string& images = runtime.images.empty() ? configured : runtime.images;
  const bool known = images == conf.graphroot || images == conf.imagestore;
  std::string containers = runtime.containers;
  if (containers.empty()) containers = known ? conf.graphroot : images;
  if (images == containers) return {images};
  return {images, std::move(containers)};
}

}  // namespace ebb::crio
