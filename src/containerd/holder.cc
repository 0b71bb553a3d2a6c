#include "containerd/holder.h"

#include <unistd.h>

#include <chrono>
#include <set>
#include <utility>

#include "containerd/belong.h"
#include "containerd/hold.h"
#include "containerd/labels.h"
#include "containerd/lists.h"
#include "containerd/memory.h"
#include "rpc/pipeline.h"

namespace ebb::containerd {
namespace {

using leases_api::Leases;
using Clock = std::chrono::system_clock;

constexpr const char* kOwnerLabel = "ebb.dev/owner";

// No other process has this id, and this one never makes two within a nanosecond.
std::string NewLeaseId() {
  const auto now = Clock::now().time_since_epoch();
  return "ebb-" + std::to_string(std::chrono::nanoseconds(now).count()) + "-" +
         std::to_string(::getpid());
}

class LeaseHolder final : public engine::Holder {
 public:
  LeaseHolder(std::shared_ptr<Connection> connection, HolderOptions options)
      : connection_(std::move(connection)), options_(std::move(options)) {}

  base::Result<std::unique_ptr<engine::Hold>> Take(std::span<const image::ImageId> ids) override {
    auto held = Find(ids);
    if (!held.ok()) return held.error().In("hold images");
    const std::string lease = NewLeaseId();
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
      filter += std::string(",labels.\"") + kOwnerLabel + "\"==\"" + options_.owner + "\"";
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
    const std::string lease = NewLeaseId();
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
    leases_api::CreateRequest request;
    request.set_id(lease);
    auto& expire = *request.add_labels();
    expire.set_key("containerd.io/gc.expire");
    expire.set_value(base::FormatTime(Clock::now() + options_.lifetime));
    if (!options_.owner.empty()) {
      auto& owner = *request.add_labels();
      owner.set_key(kOwnerLabel);
      owner.set_value(options_.owner);
    }
    Remember(held, *request.mutable_labels());
    const auto created =
        rpc::Call(To("Leases.Create"), connection_->leases(), &Leases::Stub::Create, request);
    if (!created.ok()) return created.error();
    return base::Done{};
  }

  base::Status AddTargets(const std::string& lease, const held::Held& held) const {
    std::set<std::string> distinct;
    for (const auto& image : held.images()) {
      for (const auto& record : image.records()) distinct.insert(record.target().digest());
    }
    const std::vector<std::string> targets(distinct.begin(), distinct.end());
    const rpc::Batch batch{To("Leases.AddResource"), targets.size(),
                           connection_->options().in_flight};
    return rpc::AskEach(
        batch, connection_->leases(), &Leases::Stub::AsyncAddResource,
        [&](std::size_t i) {
          leases_api::AddResourceRequest request;
          request.set_id(lease);
          request.mutable_resource()->set_type("content");
          request.mutable_resource()->set_id(targets[i]);
          return request;
        },
        [&](std::size_t, const grpc::Status& status, const types_api::Empty&) -> base::Status {
          if (!status.ok()) return rpc::ToError(status, batch.method);
          return base::Done{};
        });
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
