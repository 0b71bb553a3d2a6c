// Random worlds: the preview is what server and collector really do, in whatever order things
// become known.
#include <map>
#include <random>

#include "graph/graph_test.h"
#include "graph/preview.h"

namespace ebb::graph {
namespace {

Kinds AllKinds() {
  Kinds kinds;
  for (const char* kind : {"Pod", "ConfigMap"}) kinds.Serve("v1", kind, true);
  kinds.Serve("v1", "Node", false);
  kinds.Serve("v2", "Pod", true);
  return kinds;
}

class RandomWorld {
 public:
  explicit RandomWorld(unsigned seed) : random_(seed) {}

  std::vector<Object> Make() {
    std::vector<Object> objects;
    const int count = 2 + Upto(Upto(1) == 0 ? 8 : 58);
    objects.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) objects.push_back(Thing(i));
    for (Object& object : objects) {
      for (int owners = Upto(2); owners > 0; --owners) object.owners.push_back(Owner(objects));
      if (Upto(15) == 0) object.finalizers.emplace_back("x/y");
    }
    return objects;
  }
  int Upto(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  template <class Items>
  void Shuffle(Items& items) {
    std::ranges::shuffle(items, random_);
  }

 private:
  Object Thing(int number) {
    const bool cluster = Upto(9) == 0;
    const std::string ns = cluster ? "" : "ns" + std::to_string(Upto(Upto(9) == 0 ? 1 : 0));
    const char* const kind = cluster ? "Node" : Upto(1) == 0 ? "Pod" : "ConfigMap";
    return Of("v1", kind, "o" + std::to_string(number), ns);
  }
  // Mostly right; now and then of another version, kind or name, or of nobody.
  OwnerReference Owner(const std::vector<Object>& objects) {
    OwnerReference owner = To(objects[static_cast<std::size_t>(Upto(std::ssize(objects) - 1))]);
    owner.block = Upto(1) == 0 ? std::nullopt : std::optional(Upto(1) == 0);
    switch (Upto(24)) {
      case 0: owner.api_version = "v2"; break;
      case 1: owner.kind = "ConfigMap"; break;
      case 2: owner.name += "-else"; break;
      case 3: owner.uid += "-else"; break;
      case 4: owner.api_version = "unserved/v1"; break;
      default: break;
    }
    return owner;
  }
  int Upto(std::ptrdiff_t most) { return Upto(static_cast<int>(most)); }

  std::mt19937 random_;
};

// The real thing: everything at once, events and work in any order.
class Reality {
 public:
  Reality(std::vector<Object> objects, RandomWorld& random) : random_(random) {
    server_.SetKinds(AllKinds());
    random_.Shuffle(objects);
    std::vector<Event> seen;
    server_.tell = [&](const Event& event) { seen.push_back(event); };
    for (const Object& object : objects) server_.Put(object);
    random_.Shuffle(seen);
    for (Event& event : seen) collector_.Tell(std::move(event));
    server_.tell = [this](const Event& event) { collector_.Tell(event); };
    Settle();
  }

  void Settle() {
    for (int idle = 0; idle < 200;) {
      const auto before = server_.version();
      const auto events = collector_.events();
      switch (random_.Upto(2)) {
        case 0:
          if (collector_.TakeEvent()) ExpectInvariant(collector_.knowledge().graph);
          break;
        case 1: (void)collector_.TryDelete(); break;
        default: (void)collector_.TryOrphan(); break;
      }
      const bool moved = server_.version() != before || collector_.events() != events;
      idle = moved ? 0 : idle + 1;
    }
  }
  void Delete(const Coordinates& id, Policy policy) {
    (void)server_.Delete(id, {.policy = policy});
    Settle();
  }
  std::map<std::string, Object> Left() const {
    std::map<std::string, Object> left;
    for (Object& object : server_.All()) left.emplace(object.id.uid, std::move(object));
    return left;
  }

 private:
  RandomWorld& random_;
  SimServer server_;
  Collector collector_{server_};
};

void ExpectAsForeseen(const Outcome& outcome, const std::map<std::string, Object>& before,
                      const std::map<std::string, Object>& after) {
  const std::string& uid = outcome.object.id.uid;
  const auto now = after.find(uid);
  EXPECT_EQ(!before.contains(uid), outcome.fate == Fate::kGarbage) << uid;
  const bool gone = outcome.fate == Fate::kDeleted || outcome.fate == Fate::kGarbage;
  EXPECT_EQ(now == after.end(), gone) << uid << " " << Code(outcome.fate);
  if (now == after.end()) return;
  EXPECT_EQ(now->second.deleting, outcome.fate == Fate::kStuck) << uid;
  const bool released = !now->second.deleting && now->second.owners != outcome.object.owners;
  EXPECT_EQ(released, outcome.fate == Fate::kReleased) << uid;
}

void ExpectForeseen(unsigned seed) {
  SCOPED_TRACE(seed);
  RandomWorld random(seed);
  const std::vector<Object> objects = random.Make();
  const auto last = static_cast<int>(objects.size()) - 1;
  const Coordinates target = objects[static_cast<std::size_t>(random.Upto(last))].id;
  const auto policy = static_cast<Policy>(random.Upto(2));
  World world;
  world.kinds = AllKinds();
  for (const Object& object : objects) world.Add(object);
  const auto outcomes = PreviewDelete(world, {world.Find(target.uid)}, policy);
  Reality reality(objects, random);
  const auto before = reality.Left();
  reality.Delete(target, policy);
  const auto after = reality.Left();
  for (const Outcome& outcome : outcomes) ExpectAsForeseen(outcome, before, after);
  for (const auto& [uid, object] : before) {
    const bool foreseen = std::ranges::any_of(
        outcomes, [&](const Outcome& each) { return each.object.id.uid == uid; });
    EXPECT_TRUE(foreseen || after.contains(uid)) << uid << " went and was not foreseen";
  }
}

TEST(Property, OX22ThePreviewIsWhatHappens) {
  for (unsigned seed = 0; seed < 1000 && !HasFailure(); ++seed) ExpectForeseen(seed);
}

// Worlds in which it once was not.
TEST(Property, OX22WhatWasOnceForeseenWrongIsNot) {
  for (const unsigned seed : {10105U, 10215U, 48818U}) ExpectForeseen(seed);
}

}  // namespace
}  // namespace ebb::graph
