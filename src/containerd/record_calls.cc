#include "containerd/record_calls.h"

namespace ebb::containerd {

base::Result<images_api::Image> GetRecord(const Connection& connection, const std::string& name) {
  images_api::GetImageRequest request;
  request.set_name(name);
  auto got = rpc::Call(connection.To("Images.Get", kCriSpace), connection.images(),
                       &images_api::Images::Stub::Get, request);
  if (!got.ok()) return got.error();
  return std::move(*got->mutable_image());
}

base::Result<bool> CreateRecord(const Connection& connection, const images_api::Image& record) {
  images_api::CreateImageRequest request;
  *request.mutable_image() = record;
  const rpc::Method method = connection.To("Images.Create", kCriSpace);
  grpc::ClientContext context;
  rpc::Prepare(context, method);
  images_api::CreateImageResponse response;
  const grpc::Status status = connection.images().Create(&context, request, &response);
  if (status.ok()) return true;
  if (status.error_code() == grpc::StatusCode::ALREADY_EXISTS) return false;
  return rpc::ToError(status, method).In("bring back " + record.name());
}

}  // namespace ebb::containerd
