#include "node/layer.h"

#include <cstring>
#include <string_view>

#include "node/process.h"

namespace ebb::node {
namespace {

// SplitMix64: small, and fast enough that the disk is what a large image waits for.
class Noise {
 public:
  explicit Noise(std::string_view seed) {
    for (const char letter : seed) state_ = Next() ^ static_cast<unsigned char>(letter);
  }

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }

  void Fill(std::string& buffer) {
    for (std::size_t i = 0; i + sizeof(std::uint64_t) <= buffer.size();
         i += sizeof(std::uint64_t)) {
      const std::uint64_t word = Next();
      std::memcpy(buffer.data() + i, &word, sizeof(word));
    }
  }

 private:
  std::uint64_t state_ = 0;
};

void WriteNoise(const std::string& name, std::int64_t size, const Sink& out) {
  constexpr std::int64_t kChunk = std::int64_t{1} << 16;
  out(TarHeader({.name = name, .size = size}));
  Noise noise(name);
  std::string buffer(kChunk, '\0');
  for (std::int64_t left = size; left > 0; left -= kChunk) {
    noise.Fill(buffer);
    out(std::string_view(buffer).substr(0, static_cast<std::size_t>(std::min(left, kChunk))));
  }
  out(TarPadding(size));
}

void WritePrograms(const Sink& out) {
  constexpr unsigned kExecutable = 0755;
  const std::string busybox = ReadAll("/bin/busybox");
  out(TarHeader({.name = "bin", .kind = TarKind::kFolder, .mode = kExecutable}));
  WriteTarFile({.name = "bin/busybox",
                .size = static_cast<std::int64_t>(busybox.size()),
                .mode = kExecutable},
               busybox, out);
  for (const char* program : {"bin/sh", "bin/sleep", "bin/true", "bin/cat"}) {
    out(TarHeader({.name = program, .kind = TarKind::kLink, .target = "busybox"}));
  }
}

}  // namespace

void WriteLayer(const LayerSpec& spec, const Sink& out) {
  constexpr unsigned kOpen = 0755;
  if (spec.programs) WritePrograms(out);
  if (!spec.name.empty()) {
    out(TarHeader({.name = spec.name, .kind = TarKind::kFolder, .mode = kOpen}));
    for (int i = 0; i < spec.files; ++i) {
      WriteNoise(spec.name + "/" + std::to_string(i), spec.bytes.count / spec.files, out);
    }
  }
  out(TarEnd());
}

}  // namespace ebb::node
