#include "containerd/lease.h"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "rpc/pipeline.h"

namespace ebb::containerd {

using leases_api::Leases;
using Clock = std::chrono::system_clock;

std::string NewLeaseId(std::string_view prefix) {
  const auto now = Clock::now().time_since_epoch();
  return std::string(prefix) + std::to_string(std::chrono::nanoseconds(now).count()) + "-" +
         std::to_string(::getpid());
}

void AddLabel(WireLabels& labels, std::string_view key, std::string_view value) {
  auto& label = *labels.Add();
  label.set_key(std::string(key));
  label.set_value(std::string(value));
}

base::Status CreateLease(const Connection& connection, const std::string& lease, LeaseTerms terms) {
  leases_api::CreateRequest request;
  request.set_id(lease);
  *request.mutable_labels() = std::move(terms.labels);
  AddLabel(*request.mutable_labels(), "containerd.io/gc.expire",
           base::FormatTime(Clock::now() + terms.life));
  if (!terms.owner.empty()) AddLabel(*request.mutable_labels(), kOwnerLabel, terms.owner);
  const auto created = rpc::Call(connection.To("Leases.Create", kCriSpace), connection.leases(),
                                 &Leases::Stub::Create, request);
  if (!created.ok()) return created.error();
  return base::Done{};
}

base::Status AddContent(const Connection& connection, const std::string& lease,
                        std::span<const std::string> digests) {
  const rpc::Batch batch{connection.To("Leases.AddResource", kCriSpace), digests.size(),
                         connection.options().in_flight};
  return rpc::AskEach(
      batch, connection.leases(), &Leases::Stub::AsyncAddResource,
      [&](std::size_t i) {
        leases_api::AddResourceRequest request;
        request.set_id(lease);
        request.mutable_resource()->set_type("content");
        request.mutable_resource()->set_id(digests[i]);
        return request;
      },
      [&](std::size_t, const grpc::Status& status, const types_api::Empty&) -> base::Status {
        if (!status.ok()) return rpc::ToError(status, batch.method);
        return base::Done{};
      });
}

base::Status DeleteLease(const Connection& connection, const std::string& lease, bool sync) {
  leases_api::DeleteRequest request;
  request.set_id(lease);
  request.set_sync(sync);
  rpc::Method method = connection.To("Leases.Delete", kCriSpace);
  if (sync) method.timeout = connection.options().release_timeout;
  const auto deleted =
      rpc::Call(method, connection.leases(), &leases_api::Leases::Stub::Delete, request);
  if (!deleted.ok()) return deleted.error();
  return base::Done{};
}

}  // namespace ebb::containerd
