#include "engine/claims.h"

#include <algorithm>
#include <utility>

namespace ebb::engine {
namespace {

constexpr base::Duration kAnswerCounts = std::chrono::minutes(10);

}  // namespace

// Sources that are no longer asked are forgotten with what they said.
void PodBook::Ask(std::span<PodSource* const> sources, base::Duration now) {
  std::vector<Source> asked;
  asked.reserve(sources.size());
  for (PodSource* const source : sources) {
    const auto known = std::ranges::find(sources_, source->Name(), &Source::name);
    Source& entry = asked.emplace_back(known == sources_.end() ? Source{.name = source->Name()}
                                                               : std::move(*known));
    auto pods = source->Read();
    entry.failure = pods.ok() ? "" : pods.error().message;
    if (!pods.ok()) continue;
    entry.pods = std::move(*pods);
    entry.answered_at = now;
  }
  sources_ = std::move(asked);
  asked_at_ = now;
}

bool PodBook::Recent(base::Duration now) const {
  const bool all_answered =
      std::ranges::all_of(sources_, [](const Source& source) { return source.failure.empty(); });
  return all_answered && asked_at_ && now - *asked_at_ < kAnswerCounts;
}

image::KnownPods PodBook::Known(base::Duration now) const {
  image::KnownPods known;
  for (const Source& source : sources_) {
    const bool counts = source.answered_at && now - *source.answered_at <= kAnswerCounts;
    const std::string named = source.name + " (" + source.failure + ")";
    if (!source.failure.empty()) known.not_answered.push_back(named);
    if (!source.failure.empty() && !counts) known.silent.push_back(named);
    if (!counts) continue;
    if (!known.pods) known.pods.emplace();
    known.pods->insert(known.pods->end(), source.pods.begin(), source.pods.end());
  }
  return known;
}

void ReadClaims(const Ports& ports, PodBook& book, image::Observation& seen) {
  seen.not_checked.clear();
  const base::Duration now = ports.clock->Elapsed();
  if (!book.Recent(now)) book.Ask(ports.pods, now);
  seen.pods = book.Known(now);
  if (ports.pods.empty()) seen.not_checked.emplace_back("pods");

  seen.pulls = image::PullsIn(seen.objects);
  bool told = !seen.objects.roots.empty();
  if (ports.pulls != nullptr) {
    auto pulls = ports.pulls->Read();
    told = told || pulls.ok();
    if (pulls.ok()) std::ranges::move(*pulls, std::back_inserter(seen.pulls));
  }
  if (!told) seen.not_checked.emplace_back("pulls");
}

}  // namespace ebb::engine
