#include "containerd/usage.h"

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "containerd/lists.h"
#include "rpc/pipeline.h"

namespace ebb::containerd {
namespace {

// A snapshot to ask about, and the key of the fact.
struct Question {
  SnapshotEntry* snapshot;
  std::string fact;
};

std::string FactOf(const Space& space, const SnapshotEntry& snapshot) {
  return space.name + "/" + snapshot.snapshotter + "/" + snapshot.key + "@" + snapshot.created;
}

bool Measurable(const SnapshotEntry& snapshot) {
  return snapshot.kind == SnapshotEntry::Kind::kCommitted &&
         IsPlainSnapshotter(snapshot.snapshotter);
}

base::Status Ask(const Connection& connection, const Space& space,
                 const std::vector<Question>& questions, engine::FactBook& facts) {
  const rpc::Batch batch{connection.To("Snapshots.Usage", space.name), questions.size(),
                         connection.options().in_flight};
  return rpc::AskEach(
      batch, connection.snapshots(), &snapshots_api::Snapshots::Stub::AsyncUsage,
      [&](std::size_t i) {
        snapshots_api::UsageRequest request;
        request.set_snapshotter(questions[i].snapshot->snapshotter);
        request.set_key(questions[i].snapshot->key);
        return request;
      },
      [&](std::size_t i, const grpc::Status& status, const snapshots_api::UsageResponse& answer) {
        if (status.ok()) {
          questions[i].snapshot->usage = base::Bytes{answer.size()};
          facts.Learn(&engine::Facts::snapshots, questions[i].fact, answer.size());
        }
        return base::Status(base::Done{});
      });
}

}  // namespace

base::Status FillUsage(const Connection& connection, Listing& listing, engine::FactBook& facts) {
  std::unordered_set<std::string> present;
  for (Space& space : listing.spaces) {
    std::vector<Question> questions;
    questions.reserve(space.snapshots.size());
    for (SnapshotEntry& snapshot : space.snapshots) {
      if (!Measurable(snapshot)) continue;
      std::string fact = FactOf(space, snapshot);
      const auto known = facts.all.snapshots.find(fact);
      if (known != facts.all.snapshots.end()) {
        snapshot.usage = base::Bytes{known->second};
      } else {
        questions.push_back({&snapshot, fact});
      }
      present.insert(std::move(fact));
    }
    if (const auto asked = Ask(connection, space, questions, facts); !asked.ok()) return asked;
  }
  std::erase_if(facts.all.snapshots,
                [&](const auto& fact) { return !present.contains(fact.first); });
  return base::Done{};
}

}  // namespace ebb::containerd
