// A gzip stream.
#pragma once

#include <memory>
#include <string_view>

#include "node/tar.h"

namespace ebb::node {

// Stores rather than compresses: the bench's content cannot be made smaller, and a layer whose
// blob differs from its tar is all that is wanted.
class Gzip {
 public:
  explicit Gzip(Sink out);
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void Add(std::string_view data);
  // Writes what is left and the trailer.
  void Finish();

 private:
  void Deflate(std::string_view data, int flush);

  struct Stream;
  std::unique_ptr<Stream> stream_;
  Sink out_;
};

}  // namespace ebb::node
