// "Did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ebb::config {

// The name in `known` that `word` most likely is a misspelling of; empty if none is near. Case,
// '_' and '-' do not count: image_gc_high is near imageGCHigh.
std::string Nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace ebb::config
