#include "containerd/holder.h"

#include <set>
#include <utility>

#include "containerd/belong.h"
#include "containerd/hold.h"
#include "containerd/labels.h"
#include "containerd/lease.h"
#include "containerd/lists.h"
#include "containerd/memory.h"

namespace ebb::containerd {
namespace {

using leases_api::Leases;

constexpr std::string_view kPrefix = "ebb-";

class LeaseHolder final : public engine::Holder {
 public:
  LeaseHolder(std::shared_ptr<Connection> connection, HolderOptions options)
      : connection_(std::move(connection)), options_(std::move(options)) {}

  base::Result<std::unique_ptr<engine::Hold>> Take(std::span<const image::ImageId> ids) override {
    auto held = Find(ids);
    if (!held.ok()) return held.error().In("hold images");
    const std::string lease = NewLeaseId(kPrefix);
    auto made = MakeLease(lease, *held);
    if (made.ok()) made = AddTargets(lease, *held);
    if (!made.ok()) {
      // Whether or not it is there: it would end by itself.
      (void)DeleteLease(*connection_, lease, false);
      return made.error().In("hold images");
    }
    return std::make_unique<LeaseHold>(connection_, lease, std::move(*held));
  }

  base::Result<std::vector<std::unique_ptr<engine::Hold>>> Leftovers() override {
    leases_api::ListRequest request;
    std::string filter = std::string("labels.\"").append(kHoldLabel).append("\"");
    if (!options_.owner.empty()) {
      filter.append(",labels.\"").append(kOwnerLabel).append("\"==\"").append(options_.owner) +=
          '"';
    }
    request.add_filters(filter);
    const auto listed =
        rpc::Call(To("Leases.List"), connection_->leases(), &Leases::Stub::List, request);
    if (!listed.ok()) return listed.error();
    std::vector<std::unique_ptr<engine::Hold>> holds;
    holds.reserve(static_cast<std::size_t>(listed->leases_size()));
    for (const auto& lease : listed->leases()) {
      holds.push_back(std::make_unique<LeaseHold>(connection_, lease.id(),
                                                  Recall(lease.labels()).value_or(held::Held())));
    }
    return holds;
  }

  // containerd collects in all namespaces when a lease is deleted with `sync`, and only then at
  // once: so one is made for it.
  base::Status Sweep() override {
    const std::string lease = NewLeaseId(kPrefix);
    auto made = MakeLease(lease, {});
    if (!made.ok()) return made.error().In("sweep");
    auto deleted = DeleteLease(*connection_, lease, true);
    if (!deleted.ok()) return deleted.error().In("sweep");
    return deleted;
  }

 private:
  // The records of these images, whole.
  base::Result<held::Held> Find(std::span<const image::ImageId> ids) const {
    const auto listed = rpc::Call(To("Images.List"), connection_->images(),
                                  &images_api::Images::Stub::List, images_api::ListImagesRequest());
    if (!listed.ok()) return listed.error();
    const auto content = ListContent(*connection_, kCriSpace);
    if (!content.ok()) return content.error();
    std::vector<ImageRecord> records;
    records.reserve(static_cast<std::size_t>(listed->images_size()));
    for (const auto& image : listed->images()) {
      records.push_back({image.name(), image.target().digest(), {}});
    }
    const auto belonging = RecordsOf(ids, records, *content);
    held::Held held;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (belonging[i].empty()) continue;
      auto& image = *held.add_images();
      image.set_id(ids[i].value);
      for (const std::size_t record : belonging[i]) {
        *image.add_records() = listed->images(static_cast<int>(record));
      }
    }
    return held;
  }

  base::Status MakeLease(const std::string& lease, const held::Held& held) const {
    LeaseTerms terms{.life = options_.lifetime, .owner = options_.owner, .labels = {}};
    Remember(held, terms.labels);
    return CreateLease(*connection_, lease, std::move(terms));
  }

  base::Status AddTargets(const std::string& lease, const held::Held& held) const {
    std::set<std::string> distinct;
    for (const auto& image : held.images()) {
      for (const auto& record : image.records()) distinct.insert(record.target().digest());
    }
    const std::vector<std::string> targets(distinct.begin(), distinct.end());
    return AddContent(*connection_, lease, targets);
  }

  rpc::Method To(std::string_view name) const { return connection_->To(name, kCriSpace); }

  std::shared_ptr<Connection> connection_;
  HolderOptions options_;
};

}  // namespace

std::unique_ptr<engine::Holder> MakeHolder(std::shared_ptr<Connection> connection,
                                           HolderOptions options) {
  return std::make_unique<LeaseHolder>(std::move(connection), std::move(options));
}

}  // namespace ebb::containerd
