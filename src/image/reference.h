// Image references and the patterns operators write about them.
#pragma once

#include <memory>
#include <regex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "image/image.h"

namespace ebb::image {

// The full form: "busybox" is "docker.io/library/busybox:latest", "index.docker.io" is
// "docker.io". A digest is kept and then no tag is added. What is no reference comes back as is.
std::string Normalize(std::string_view reference);

// "docker.io", "localhost:5000", ...; empty for an ID or no reference.
std::string_view RegistryOf(std::string_view normalized);

// What stands before tag and digest, as written; empty for an ID or a bare digest.
std::string_view RepositoryOf(std::string_view reference);

// Registries that are on the node itself: localhost, loopback addresses, kind.local and its like.
bool IsLocalRegistry(std::string_view registry);

// The same ID whether or not it is written with "sha256:".
bool SameId(std::string_view a, std::string_view b);

// True if `reference` (an ID, tag or digest, normalised or not) names `image`.
bool Names(std::string_view reference, const Image& image);

// What an operator writes: an exact reference, a bare repository (all its tags), a trailing "*",
// a digest or ID, or "/regular expression/". The port of a registry is not a tag.
class Pattern {
 public:
  static base::Result<Pattern> Parse(std::string_view text);

  bool Matches(const Image& image) const;
  const std::string& text() const { return text_; }

 private:
  bool MatchesReference(std::string_view reference) const;

  enum class Kind { kExact, kRepository, kPrefix, kRegex };
  Kind kind_ = Kind::kExact;
  std::string text_;        // as written
  std::string normalized_;  // what is compared
  std::shared_ptr<const std::regex> regex_;
};

}  // namespace ebb::image
