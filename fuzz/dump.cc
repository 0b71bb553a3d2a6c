// Dumps of clusters, and what is said about them. The first byte tells in how long parts the rest
// is read.
#include <algorithm>

#include "graph/lint.h"
#include "graph/preview.h"
#include "input.h"
#include "kube/json_stream.h"
#include "kube/object_reader.h"

namespace {

using ebb::fuzz::Require;
using ebb::kube::JsonStream;
using ebb::kube::ObjectReader;

ebb::base::Result<ebb::graph::World> Read(std::string_view text, std::size_t part) {
  ObjectReader reader;
  JsonStream stream(ObjectReader::Keys(),
                    {.item = [&](const auto& json) { return reader.TakeItem(json); },
                     .document = [&](const auto& json) { return reader.TakeDocument(json); }});
  while (!text.empty()) {
    if (const auto fed = stream.Feed(text.substr(0, part)); !fed.ok()) return fed.error();
    text.remove_prefix(std::min(part, text.size()));
  }
  if (const auto end = stream.End(); !end.ok()) return end.error();
  return reader.Take();
}

void CheckJudgements(const ebb::graph::World& world) {
  for (const auto& finding : ebb::graph::Lint(world)) {
    Require(!Consequence(finding.fault).empty(), "a finding has a consequence");
  }
  for (const auto id : world.graph().All()) {
    const auto outcomes = ebb::graph::PreviewDelete(world, {id}, {});
    Require(!outcomes.empty(), "what is deleted has a fate", world.At(id).id.name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = ebb::fuzz::Text(data + 1, size - 1);
  const auto world = Read(text, std::max<std::size_t>(1, text.size()));
  const auto again = Read(text, 1 + data[0]);
  Require(world.ok() == again.ok(), "parts change nothing", text);
  if (!world.ok()) return 0;
  Require(world->size() == again->size(), "parts lose nothing", text);
  if (world->duplicates().empty()) CheckJudgements(*world);
  return 0;
}
