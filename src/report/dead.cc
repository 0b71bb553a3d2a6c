#include "report/dead.h"

#include <algorithm>
#include <array>
#include <vector>

#include "report/json.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

namespace ebb::report {
namespace {

using image::DeadPlan;
using image::DeadThing;
using image::DeadVerdict;
using image::Observation;

constexpr std::size_t kMost = 50;

bool MayGo(const DeadThing& thing) {
  return thing.verdict == DeadVerdict::kGoes || thing.verdict == DeadVerdict::kWouldGo;
}

// What goes, then what stays, then what is alive.
std::vector<const DeadThing*> Sorted(const DeadPlan& plan, bool alive_too) {
  std::vector<const DeadThing*> things;
  things.reserve(plan.things.size());
  for (const DeadThing& thing : plan.things) {
    if (alive_too || thing.verdict != DeadVerdict::kAlive) things.push_back(&thing);
  }
  std::ranges::stable_sort(things, std::ranges::greater(), &DeadThing::verdict);
  return things;
}

// "1 log directory", "2 log directories".
std::string Counted(std::size_t number, DeadThing::Kind kind) {
  const auto count = [&](const char* one, const char* many) {
    return std::to_string(number) + (number == 1 ? one : many);
  };
  switch (kind) {
    case DeadThing::Kind::kContainer: return count(" container", " containers");
    case DeadThing::Kind::kSandbox: return count(" sandbox", " sandboxes");
    case DeadThing::Kind::kLogDirectory: return count(" log directory", " log directories");
    case DeadThing::Kind::kLogLink: return count(" dangling link", " dangling links");
  }
  return "";
}

template <class Where>
std::string Sum(const DeadPlan& plan, Where where) {
  constexpr std::array kKinds = {DeadThing::Kind::kContainer, DeadThing::Kind::kSandbox,
                                 DeadThing::Kind::kLogDirectory, DeadThing::Kind::kLogLink};
  std::string text;
  for (const DeadThing::Kind kind : kKinds) {
    const auto number = static_cast<std::size_t>(std::ranges::count_if(
        plan.things, [&](const DeadThing& thing) { return thing.kind == kind && where(thing); }));
    if (number == 0) continue;
    text += (text.empty() ? "" : ", ") + Counted(number, kind);
  }
  return text.empty() ? "nothing" : text;
}

std::string PodName(const DeadThing& thing) {
  if (thing.pod_name.empty()) return Clean(thing.pod_uid.empty() ? thing.id : thing.pod_uid);
  return Clean(thing.pod_namespace) + "/" + Clean(thing.pod_name);
}

std::vector<Cell> RowFor(const DeadThing& thing, base::TimePoint now, const Style& style) {
  std::vector<Cell> row = {
      {std::string(image::Code(thing.kind))},
      {PodName(thing)},
      {thing.container.empty() ? "-" : Clean(thing.container)},
      {Ago(thing.since, now)},
      {std::string(image::Code(thing.verdict)), MayGo(thing) ? Color::kYellow : Color::kPlain},
      {std::string(image::Code(thing.reason))}};
  if (style.format != Format::kWide) return row;
  const bool named = thing.kind >= DeadThing::Kind::kLogDirectory;
  row.push_back({Clean(named ? thing.id : ShortId(thing.id, style))});
  row.push_back({thing.pod_uid.empty() ? "-" : Clean(thing.pod_uid)});
  return row;
}

std::string DeadTable(const Observation& seen, const DeadPlan& plan, const Style& style) {
  std::vector<Column> columns = {{"KIND"},
                                 {"POD", Align::kLeft, Cut::kKeepTail},
                                 {"CONTAINER", Align::kLeft, Cut::kKeepHead},
                                 {"AGE", Align::kRight},
                                 {"VERDICT"},
                                 {"WHY"}};
  const bool wide = style.format == Format::kWide;
  if (wide) {
    columns.push_back({"ID"});
    columns.push_back({"UID"});
  }
  Table table(std::move(columns));
  const auto things = Sorted(plan, wide);
  const std::size_t shown = wide ? things.size() : std::min(things.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) table.Add(RowFor(*things[i], seen.taken_at, style));
  if (shown < things.size()) {
    table.AddRule("and " + std::to_string(things.size() - shown) + " more: -o wide");
  }
  return table.Render(style);
}

// Each reason that occurs, once, with what it means.
std::string Meanings(const DeadPlan& plan, const Style& style) {
  std::string text;
  for (const image::DeadReason reason : image::AllDeadReasons()) {
    const bool occurs = std::ranges::any_of(plan.things, [&](const DeadThing& thing) {
      return thing.reason == reason && thing.verdict != DeadVerdict::kAlive;
    });
    if (!occurs) continue;
    text += Line(style, text.empty() ? "why" : "",
                 std::string(image::Code(reason)) + ": " + std::string(image::Meaning(reason)));
  }
  return text;
}

std::string Summary(const DeadPlan& plan, const Style& style) {
  std::string text =
      Line(style, "dead",
           Sum(plan, [](const DeadThing& thing) { return thing.verdict != DeadVerdict::kAlive; }));
  const auto has = [&](DeadVerdict verdict) {
    return std::ranges::any_of(plan.things, [&](const auto& t) { return t.verdict == verdict; });
  };
  if (has(DeadVerdict::kWouldGo)) {
    text += Line(style, "would go", Sum(plan, MayGo) + ", if deadContainers were remove");
  } else {
    text += Line(style, "goes", Sum(plan, MayGo));
  }
  std::vector<std::string> silent;
  silent.reserve(plan.not_answered.size());
  for (const std::string& source : plan.not_answered) silent.push_back(Clean(source));
  if (!silent.empty()) text += Line(style, "no answer", Listed(silent, silent.size()));
  return text;
}

Json DeadDocument(const Observation& seen, const DeadPlan& plan) {
  JsonObject document = Document("DeadThings");
  document["takenAt"] = ToJson(seen.taken_at);
  document["podSourcesAsked"] = plan.asked;
  document["podSourcesNotAnswered"] = ToJson(plan.not_answered);
  JsonArray& things = document["things"].emplace_array();
  for (const DeadThing* thing : Sorted(plan, true)) {
    things.push_back({{"kind", image::Code(thing->kind)},
                      {"id", thing->id},
                      {"namespace", OrNull(thing->pod_namespace)},
                      {"pod", OrNull(thing->pod_name)},
                      {"uid", OrNull(thing->pod_uid)},
                      {"container", OrNull(thing->container)},
                      {"since", ToJson(thing->since)},
                      {"verdict", image::Code(thing->verdict)},
                      {"reason", image::Code(thing->reason)}});
  }
  AddTrust(document, seen);
  return document;
}

}  // namespace

std::string RenderDead(const Observation& seen, const DeadPlan& plan, const Style& style) {
  if (IsDocument(style)) return Write(DeadDocument(seen, plan), style.format);
  std::string text;
  if (style.format == Format::kName) {
    for (const DeadThing* thing : Sorted(plan, false)) {
      if (MayGo(*thing)) text += Clean(thing->id) + "\n";
    }
    return text;
  }
  const std::string table = DeadTable(seen, plan, style);
  if (!table.empty()) text += table + "\n";
  return text + Summary(plan, style) + Meanings(plan, style);
}

}  // namespace ebb::report
