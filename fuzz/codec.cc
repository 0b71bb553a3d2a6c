// The packed IDs of the usage history: what a damaged file holds, and what a runtime may call
// things.
#include "history/codec.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ebb::fuzz::Require;
  const std::string_view bytes = ebb::fuzz::Text(data, size);
  Require(ebb::history::Unpack(ebb::history::Pack(bytes)) == bytes, "packing keeps every text");
  (void)ebb::history::Unpack(bytes);
  const auto list = ebb::history::UnpackList(bytes);
  if (!list) return 0;
  Require(ebb::history::UnpackList(ebb::history::PackList(*list)) == list, "lists are kept");
  return 0;
}
