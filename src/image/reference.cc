#include "image/reference.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ebb::image {
namespace {

constexpr std::string_view kDockerHub = "docker.io";
constexpr std::string_view kAlgorithm = "sha256:";
constexpr std::size_t kLongestPattern = 512;

bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// "sha256:<hex>" or 64 hex digits: an ID or a digest, not a name.
bool IsDigest(std::string_view text) {
  if (text.starts_with(kAlgorithm)) return true;
  return text.size() == 64 && IsHex(text);
}

std::string_view WithoutAlgorithm(std::string_view id) {
  return id.starts_with(kAlgorithm) ? id.substr(kAlgorithm.size()) : id;
}

// Docker's rule: the part before the first slash is a registry if it looks like a host.
bool LooksLikeHost(std::string_view part) {
  return part == "localhost" || part.find_first_of(".:") != std::string_view::npos;
}

// The place of the tag's colon, or npos: a colon before the last slash belongs to a port.
std::size_t TagColon(std::string_view name) {
  const auto end = name.find_last_of(":/");
  return end != std::string_view::npos && name[end] == ':' ? end : std::string_view::npos;
}

std::string WithRegistry(std::string_view name) {
  const auto slash = name.find('/');
  const auto first = name.substr(0, slash);
  if (slash == std::string_view::npos || !LooksLikeHost(first)) {
    const bool official = slash == std::string_view::npos;
    return std::string(kDockerHub) + (official ? "/library/" : "/") + std::string(name);
  }
  if (first == "index.docker.io" || first == kDockerHub) {
    const auto rest = name.substr(slash + 1);
    const bool official = rest.find('/') == std::string_view::npos;
    return std::string(kDockerHub) + (official ? "/library/" : "/") + std::string(rest);
  }
  return std::string(name);
}

base::Error BadPattern(std::string_view text, std::string_view why) {
  return {base::ErrorCode::kUsage,
          "pattern '" + base::OneLine(text) + "' is not allowed: " + std::string(why)};
}

// The library reads "\\12" and "{12,34}" into an int without looking whether it fits.
bool CountsTooFar(std::string_view expression) {
  constexpr std::size_t kMostDigits = 4;
  constexpr std::string_view kDigits = "0123456789";
  for (auto at = expression.find_first_of("\\{,"); at != std::string_view::npos;
       at = expression.find_first_of("\\{,", at + 1)) {
    const auto end = std::min(expression.find_first_not_of(kDigits, at + 1), expression.size());
    if (end - at - 1 > kMostDigits) return true;
  }
  return false;
}

// Compiled to run in time and stack that grow with the name, not with the ways to match it; that
// leaves out back-references. This folder's CMakeLists bounds the states, so that "((a?){999}){99}"
// is refused.
std::shared_ptr<const std::regex> Compile(std::string_view expression) {
  if (CountsTooFar(expression)) return nullptr;
  try {
    return std::make_shared<const std::regex>(
        std::string(expression), std::regex::ECMAScript | std::regex::optimize |
                                     std::regex::nosubs | std::regex_constants::__polynomial);
  } catch (const std::regex_error&) {
    return nullptr;
  }
}

}  // namespace

std::string Normalize(std::string_view reference) {
  if (reference.empty() || IsDigest(reference)) return std::string(reference);
  const auto at = reference.find('@');
  std::string name = WithRegistry(reference.substr(0, at));
  if (at == std::string_view::npos) {
    return TagColon(name) == std::string::npos ? name + ":latest" : name;
  }
  name.resize(std::min(name.size(), TagColon(name)));
  return name.append(reference.substr(at));
}

std::string_view RegistryOf(std::string_view normalized) {
  if (IsDigest(normalized)) return {};
  const auto slash = normalized.find('/');
  return slash == std::string_view::npos ? std::string_view{} : normalized.substr(0, slash);
}

std::string_view RepositoryOf(std::string_view reference) {
  if (IsDigest(reference)) return {};
  const std::string_view name = reference.substr(0, reference.find('@'));
  return name.substr(0, TagColon(name));
}

bool IsLocalRegistry(std::string_view registry) {
  if (registry.starts_with('[')) return registry.starts_with("[::1]");
  const auto host = registry.substr(0, registry.find(':'));
  constexpr std::array<std::string_view, 5> kLocal = {"localhost", "kind.local", "dev.local",
                                                      "ko.local", "k3d.local"};
  return host.empty() || std::ranges::find(kLocal, host) != kLocal.end() ||
         host.ends_with(".localhost") || host.starts_with("127.");
}

bool SameId(std::string_view a, std::string_view b) {
  return !a.empty() && WithoutAlgorithm(a) == WithoutAlgorithm(b);
}

bool Names(std::string_view reference, const Image& image) {
  if (reference.empty()) return false;
  if (SameId(reference, image.id.value)) return true;
  const std::string wanted = Normalize(reference);
  const auto same = [&](const std::string& name) { return Normalize(name) == wanted; };
  return std::ranges::any_of(image.tags, same) || std::ranges::any_of(image.digests, same);
}

base::Result<Pattern> Pattern::Parse(std::string_view text) {
  Pattern pattern;
  pattern.text_ = text;
  if (text.empty()) return BadPattern(text, "it is empty");
  // std::regex recurses as deep as its text nests: a long one could exhaust the stack.
  if (text.size() > kLongestPattern) return BadPattern(text.substr(0, 40), "it is too long");
  if (text.size() > 2 && text.starts_with('/') && text.ends_with('/')) {
    pattern.kind_ = Kind::kRegex;
    pattern.regex_ = Compile(text.substr(1, text.size() - 2));
    if (pattern.regex_ != nullptr) return pattern;
    return BadPattern(text, "the regular expression is malformed or too large");
  }
  if (text.find_first_of(" \t\n") != std::string_view::npos)
    return BadPattern(text, "it has a space");
  const auto star = text.find('*');
  if (star != std::string_view::npos && star + 1 != text.size()) {
    return BadPattern(text, "'*' may only stand at the end; write a /regular expression/ instead");
  }
  if (star != std::string_view::npos) {
    pattern.kind_ = Kind::kPrefix;
    pattern.normalized_ = text.substr(0, star);
    return pattern;
  }
  const bool whole = IsDigest(text) || text.find('@') != std::string_view::npos ||
                     TagColon(text) != std::string_view::npos;
  pattern.kind_ = whole ? Kind::kExact : Kind::kRepository;
  pattern.normalized_ = whole ? Normalize(text) : WithRegistry(text);
  return pattern;
}

bool Pattern::MatchesReference(std::string_view reference) const {
  switch (kind_) {
    case Kind::kExact: {
      if (reference == normalized_) return true;
      const auto at = reference.find('@');
      return at != std::string_view::npos && SameId(reference.substr(at + 1), normalized_);
    }
    case Kind::kRepository: return RepositoryOf(reference) == normalized_;
    // A prefix without a registry means Docker Hub, with or without "library/".
    case Kind::kPrefix:
      return reference.starts_with(normalized_) ||
             reference.starts_with(std::string(kDockerHub) + "/" + normalized_) ||
             reference.starts_with(std::string(kDockerHub) + "/library/" + normalized_);
    case Kind::kRegex: return std::regex_search(std::string(reference), *regex_);
  }
  return false;
}

bool Pattern::Matches(const Image& image) const {
  if (kind_ == Kind::kPrefix && normalized_.empty()) return true;
  if (kind_ == Kind::kExact && SameId(normalized_, image.id.value)) return true;
  const auto matches = [&](const std::string& name) { return MatchesReference(Normalize(name)); };
  return std::ranges::any_of(image.tags, matches) || std::ranges::any_of(image.digests, matches);
}

}  // namespace ebb::image
