// The records and leases of a FakeNode, with faults on demand; and a guard's memory.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/records.h"
#include "testing/fake_node.h"

namespace ebb::testing {

// Every name of an image is a record, and so is its ID. A lease holds content on the node, as long
// as any lease names it.
class FakeRecords : public engine::ImageRecords {
 public:
  FakeRecords(FakeNode& node, engine::Clock& clock) : node_(node), clock_(clock) {}

  // Set: every call that reads, or changes, anything answers this.
  std::optional<base::Error> fail_reading;
  std::optional<base::Error> fail_changing;
  // Run before records are brought back.
  std::function<void()> before_bring_back;
  int changes = 0;  // calls that changed something

  static std::string TargetOf(const image::ImageId& id) {
    return "sha256:" + HexDigest("target of " + id.value);
  }
  std::string LabelOf(const std::string& record, std::string_view key) const;
  void SetLabel(const std::string& record, std::string_view key, std::string_view value);
  std::size_t leases() const { return leases_.size(); }
  // Somebody deletes all leases, with a collection.
  void LoseLeases();

  base::Result<std::vector<image::Record>> List() override;
  base::Status Label(const image::Relabel& change) override;
  base::Result<std::vector<std::string>> BringBack(std::span<const image::Record> records) override;
  base::Result<bool> HasContent(const std::set<std::string>& digests) override;
  base::Result<std::vector<image::GuardLease>> Leases(Whose whose) override;
  base::Status MakeLease(std::span<const std::string> digests, base::Duration life) override;
  base::Status DropLease(const std::string& id) override;

 private:
  std::optional<image::ImageId> Standing(const std::string& digest) const;
  void Repin();

  FakeNode& node_;
  engine::Clock& clock_;
  std::map<std::string, image::Labels> labels_;  // by record
  std::map<std::string, image::GuardLease> leases_;
  std::map<std::string, int> holds_;  // by digest
  int next_ = 0;
};

class MemoryGuard : public engine::GuardMemory {
 public:
  image::GuardSet set;
  std::optional<base::Error> fail_load;
  std::optional<base::Error> fail_save;
  bool standing_by = false;
  int saves = 0;

  base::Result<image::GuardSet> Load() override {
    if (fail_load) return *fail_load;
    return set;
  }
  base::Status Save(const image::GuardSet& now) override {
    if (fail_save) return *fail_save;
    set = now;
    ++saves;
    return base::Done{};
  }
  base::Result<std::unique_ptr<Lock>> Change() override { return std::make_unique<Lock>(); }
  base::Result<std::unique_ptr<Lock>> StandBy() override {
    if (standing_by) return base::Error{base::ErrorCode::kRefused, "another ebb stands by"};
    return std::make_unique<Standing>(*this);
  }
  bool SomebodyStandsBy() override { return standing_by; }

 private:
  class Standing : public Lock {
   public:
    explicit Standing(MemoryGuard& owner) : owner_(owner) { owner_.standing_by = true; }
    ~Standing() override { owner_.standing_by = false; }
    Standing(const Standing&) = delete;
    Standing& operator=(const Standing&) = delete;

   private:
    MemoryGuard& owner_;
  };
};

}  // namespace ebb::testing
