#include "containerd/records.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "containerd/labels.h"
#include "containerd/lease.h"
#include "containerd/record_calls.h"

namespace ebb::containerd {
namespace {

using image::Record;

constexpr std::string_view kPrefix = "ebb-guard-";

image::Labels ToLabels(const WireLabels& wire) {
  image::Labels labels;
  for (const auto& label : wire) labels[label.key()] = label.value();
  return labels;
}

void FromLabels(const image::Labels& labels, WireLabels& wire) {
  for (const auto& [key, value] : labels) AddLabel(wire, key, value);
}

Record ToRecord(const images_api::Image& wire) {
  const auto& target = wire.target();
  return {wire.name(),
          {target.media_type(), target.digest(), target.size(), ToLabels(target.annotations())},
          ToLabels(wire.labels())};
}

images_api::Image FromRecord(const Record& record) {
  images_api::Image wire;
  wire.set_name(record.name);
  wire.mutable_target()->set_media_type(record.target.media_type);
  wire.mutable_target()->set_digest(record.target.digest);
  wire.mutable_target()->set_size(record.target.size);
  FromLabels(record.target.annotations, *wire.mutable_target()->mutable_annotations());
  FromLabels(record.labels, *wire.mutable_labels());
  return wire;
}

std::string_view ValueOf(const WireLabels& labels, std::string_view key) {
  const auto at = std::ranges::find(labels, key, [](const auto& label) { return label.key(); });
  return at == labels.end() ? std::string_view{} : std::string_view(at->value());
}

class Records final : public engine::ImageRecords {
 public:
  Records(std::shared_ptr<Connection> connection, std::string owner)
      : connection_(std::move(connection)), owner_(std::move(owner)) {}

  base::Result<std::vector<Record>> List() override {
    const auto listed = rpc::Call(To("Images.List"), connection_->images(),
                                  &images_api::Images::Stub::List, images_api::ListImagesRequest());
    if (!listed.ok()) return listed.error();
    std::vector<Record> records;
    records.reserve(static_cast<std::size_t>(listed->images_size()));
    for (const auto& image : listed->images()) records.push_back(ToRecord(image));
    return records;
  }

  // containerd takes dots in a key for steps of a path everywhere but behind "labels.".
  base::Status Label(const image::Relabel& change) override {
    images_api::UpdateImageRequest request;
    request.mutable_image()->set_name(change.record);
    FromLabels(change.labels, *request.mutable_image()->mutable_labels());
    for (const auto& [key, value] : change.labels) {
      request.mutable_update_mask()->add_paths("labels." + key);
    }
    const auto updated = rpc::Call(To("Images.Update"), connection_->images(),
                                   &images_api::Images::Stub::Update, request);
    if (!updated.ok()) return updated.error().In("label " + change.record);
    return base::Done{};
  }

  base::Result<std::vector<std::string>> BringBack(std::span<const Record> records) override {
    std::vector<std::string> made;
    for (const Record& record : records) {
      const auto created = CreateRecord(*connection_, FromRecord(record));
      if (!created.ok()) return created.error();
      if (*created) made.push_back(record.name);
    }
    return made;
  }

  base::Result<bool> HasContent(const std::set<std::string>& digests) override {
    for (const std::string& digest : digests) {
      content_api::InfoRequest request;
      request.set_digest(digest);
      const auto info = rpc::Call(To("Content.Info"), connection_->content(),
                                  &content_api::Content::Stub::Info, request);
      if (info.ok()) continue;
      if (info.error().code == base::ErrorCode::kNotFound) return false;
      return info.error();
    }
    return true;
  }

  base::Result<std::vector<image::GuardLease>> Leases(Whose whose) override {
    leases_api::ListRequest request;
    request.add_filters(std::string("labels.\"").append(kGuardLabel) + "\"");
    const auto listed = rpc::Call(To("Leases.List"), connection_->leases(),
                                  &leases_api::Leases::Stub::List, request);
    if (!listed.ok()) return listed.error();
    std::vector<image::GuardLease> leases;
    for (const auto& lease : listed->leases()) {
      const bool ours = ValueOf(lease.labels(), kOwnerLabel) == owner_;
      if (!ours && whose == Whose::kOurs) continue;
      auto read = Read(lease);
      if (!read.ok()) return read.error();
      leases.push_back(std::move(*read));
    }
    return leases;
  }

  base::Status MakeLease(std::span<const std::string> digests, base::Duration life) override {
    const std::string lease = NewLeaseId(kPrefix);
    LeaseTerms terms{.life = life, .owner = owner_, .labels = {}};
    AddLabel(terms.labels, kGuardLabel, "1");
    auto made = CreateLease(*connection_, lease, std::move(terms));
    if (made.ok()) made = AddContent(*connection_, lease, digests);
    if (made.ok()) return made;
    (void)DeleteLease(*connection_, lease, false);
    return made.error().In("hold guarded images");
  }

  base::Status DropLease(const std::string& id) override {
    auto dropped = DeleteLease(*connection_, id, false);
    if (dropped.ok() || dropped.error().code == base::ErrorCode::kNotFound) return base::Done{};
    return dropped.error().In("give up the lease " + id);
  }

 private:
  // A lease that goes meanwhile has no resources.
  base::Result<image::GuardLease> Read(const leases_api::Lease& wire) const {
    image::GuardLease lease{.id = wire.id(), .until = base::kNever, .digests = {}};
    const auto until = base::ParseTime(ValueOf(wire.labels(), "containerd.io/gc.expire"));
    if (until.ok()) lease.until = *until;
    leases_api::ListResourcesRequest request;
    request.set_id(wire.id());
    const auto resources = rpc::Call(To("Leases.ListResources"), connection_->leases(),
                                     &leases_api::Leases::Stub::ListResources, request);
    if (!resources.ok() && resources.error().code == base::ErrorCode::kNotFound) return lease;
    if (!resources.ok()) return resources.error();
    for (const auto& resource : resources->resources()) lease.digests.insert(resource.id());
    return lease;
  }

  rpc::Method To(std::string_view name) const { return connection_->To(name, kCriSpace); }

  std::shared_ptr<Connection> connection_;
  std::string owner_;
};

}  // namespace

std::unique_ptr<engine::ImageRecords> MakeImageRecords(std::shared_ptr<Connection> connection,
                                                       std::string owner) {
  return std::make_unique<Records>(std::move(connection), std::move(owner));
}

}  // namespace ebb::containerd
