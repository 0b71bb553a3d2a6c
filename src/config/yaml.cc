#include "config/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "base/text.h"
#include "config/utf8.h"
#include "config/values.h"

namespace ebb::config {
namespace {

constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::size_t kMaxDepth = 32;

struct Problem {
  int line = 1;
  std::string what;
};

int LineOf(const YAML::Mark& mark) {
  return std::max(mark.line, 0) + 1;
}

// Builds the tree from the parser's events on a stack of its own. After the first problem it
// only waits for the parser to finish.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  const std::optional<Problem>& FirstProblem() const { return problem_; }
  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) Fail(mark, "only one document is allowed");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    OnScalar(mark, "?", anchor, "");
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Fail(mark, "aliases (*name) are not allowed");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (!Accept(mark, tag, anchor)) return;
    if (FirstNonText(value)) return Fail(mark, "control characters are not allowed");
    YamlNode node{.kind = YamlNode::Kind::kScalar, .line = LineOf(mark), .text = value};
    node.quoted = tag == "!";
    Add(mark, std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    if (Accept(mark, tag, anchor)) Open(mark, YamlNode::Kind::kSequence);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    if (Accept(mark, tag, anchor)) Open(mark, YamlNode::Kind::kMap);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    YamlNode node;
    bool has_key = false;  // kMap: the last entry waits for its value
    std::map<std::string, int, std::less<>> lines = {};
  };

  void Fail(const YAML::Mark& mark, std::string what) {
    if (!problem_) problem_ = Problem{LineOf(mark), std::move(what)};
  }

  // The parser reports quoted scalars with the tag "!", which is also what a lone "!" in the text
  // gives: only the text tells them apart.
  bool Accept(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
    const bool written = at < text_.size() && text_[at] == '!';
    if (anchor != 0) Fail(mark, "anchors (&name) are not allowed");
    if (written || (tag != "?" && tag != "!")) Fail(mark, "tags (!name) are not allowed");
    return !problem_;
  }

  void Open(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (stack_.size() >= kMaxDepth) return Fail(mark, "nested deeper than 32 levels");
    if (WantsKey()) return Fail(mark, "a key must be plain text");
    stack_.push_back({.node = {.kind = kind, .line = LineOf(mark)}});
  }

  void Close() {
    if (problem_) return;
    YamlNode node = std::move(stack_.back().node);
    stack_.pop_back();
    Put(std::move(node));
  }

  bool WantsKey() const {
    return !stack_.empty() && stack_.back().node.kind == YamlNode::Kind::kMap &&
           !stack_.back().has_key;
  }

  void Add(const YAML::Mark& mark, YamlNode scalar) {
    if (!WantsKey()) return Put(std::move(scalar));
    if (scalar.text.empty()) return Fail(mark, "a key must not be empty");
    Frame& frame = stack_.back();
    const auto [known, fresh] = frame.lines.try_emplace(scalar.text, scalar.line);
    if (!fresh) {
      return Fail(mark, "duplicate key '" + Shortened(scalar.text) + "': it stands on line " +
                            std::to_string(known->second) + " already");
    }
    frame.node.entries.push_back({.key = std::move(scalar.text), .line = scalar.line});
    frame.has_key = true;
  }

  void Put(YamlNode node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = stack_.back();
    if (frame.node.kind == YamlNode::Kind::kSequence) {
      frame.node.items.push_back(std::move(node));
      return;
    }
    // The parser puts "nothing" where it noticed: on the line of the next key.
    if (node.IsNull()) node.line = frame.node.entries.back().line;
    frame.node.entries.back().value = std::move(node);
    frame.has_key = false;
  }

  std::string_view text_;
  int documents_ = 0;
  std::vector<Frame> stack_;
  YamlNode root_;
  std::optional<Problem> problem_;
};

std::optional<Problem> CheckText(std::string_view text) {
  if (text.size() > kMaxBytes) return Problem{1, "the file is larger than 1 MiB"};
  const auto bad = FirstNonText(text);
  if (!bad) return std::nullopt;
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*bad), '\n');
  return Problem{static_cast<int>(lines) + 1,
                 "control characters and bytes that are not UTF-8 are not allowed"};
}

// The one place that meets the library's exceptions.
std::optional<Problem> Build(const std::string& text, TreeBuilder& builder) {
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder) && !builder.FirstProblem()) {
    }
    return builder.FirstProblem();
  } catch (const YAML::Exception& failure) {
    if (builder.FirstProblem()) return builder.FirstProblem();
    return Problem{LineOf(failure.mark), "not valid YAML: " + failure.msg};
  } catch (const std::exception& failure) {
    return Problem{1, std::string("not valid YAML: ") + failure.what()};
  } catch (...) {
    return Problem{1, "not valid YAML"};
  }
}

}  // namespace

const YamlNode* Find(const YamlNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &Entry::key);
  return found == map.entries.end() ? nullptr : &found->value;
}

base::Error ErrorAt(std::string_view file, int line, std::string_view what) {
  std::string message(file);
  message.append(":").append(std::to_string(line)).append(": ").append(what);
  return {base::ErrorCode::kUsage, base::OneLine(message)};
}

base::Result<YamlNode> ReadYaml(std::string_view text, std::string_view file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  auto problem = CheckText(text);
  if (problem) return ErrorAt(file, problem->line, problem->what);
  TreeBuilder builder(text);
  problem = Build(std::string(text), builder);
  if (problem) return ErrorAt(file, problem->line, problem->what);
  return builder.TakeRoot();
}

}  // namespace ebb::config
