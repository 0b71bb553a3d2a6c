#include "node/gzip.h"

#include <zlib.h>

#include <string>
#include <utility>

namespace ebb::node {

struct Gzip::Stream {
  z_stream z{};
};

Gzip::Gzip(Sink out) : stream_(std::make_unique<Stream>()), out_(std::move(out)) {
  constexpr int kGzipFormat = 16;
  constexpr int kMemory = 8;
  deflateInit2(&stream_->z, Z_NO_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipFormat, kMemory,
               Z_DEFAULT_STRATEGY);
}

Gzip::~Gzip() {
  deflateEnd(&stream_->z);
}

void Gzip::Add(std::string_view data) {
  Deflate(data, Z_NO_FLUSH);
}

void Gzip::Finish() {
  Deflate({}, Z_FINISH);
}

void Gzip::Deflate(std::string_view data, int flush) {
  constexpr std::size_t kChunk = std::size_t{1} << 17;
  std::string input(data);
  std::string output(kChunk, '\0');
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(input.data());
  z.avail_in = static_cast<uInt>(input.size());
  do {
    z.next_out = reinterpret_cast<Bytef*>(output.data());
    z.avail_out = static_cast<uInt>(output.size());
    deflate(&z, flush);
    out_(std::string_view(output).substr(0, output.size() - z.avail_out));
  } while (z.avail_out == 0);
}

}  // namespace ebb::node
