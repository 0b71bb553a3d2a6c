#include "kube/pages.h"

#include <algorithm>
#include <array>

#include "http/target.h"
#include "kube/json.h"
#include "kube/object_page.h"

namespace ebb::kube {
namespace {

// Protobuf where the server can, its own JSON where not; the last is for servers that know no
// metadata-only lists.
constexpr const char* kAcceptList =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
constexpr const char* kAcceptOne =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr const char* kLimit = "?limit=500";
constexpr auto kStatusKeys =
    std::to_array<std::string_view>({"kind", "reason", "metadata", "continue", "details", "name"});

base::Result<ObjectPage> Parse(const http::Response& answer) {
  const bool protobuf = answer.content_type.starts_with("application/vnd.kubernetes.protobuf");
  return protobuf ? ParseProtobufPage(answer.body) : ParseObjectPage(answer.body);
}

// Where an expired list may go on, with the state of now.
std::string LaterToken(const std::string& body) {
  const auto status = ReadJson(body, kStatusKeys);
  if (!status.ok()) return {};
  return Fields(*status, "").Object("metadata").Text("continue");
}

bool Proves(const std::string& body, const std::string& name) {
  const auto document = ReadJson(body, kStatusKeys);
  if (!document.ok()) return false;
  Fields status(*document, "");
  return status.Text("kind") == "Status" && status.Text("reason") == "NotFound" &&
         http::Escaped(status.Object("details").Text("name")) == name;
}

class List {
 public:
  List(Session& session, const std::string& path, const TakePage& take)
      : session_(session), path_(path), take_(take) {}

  base::Status Read() {
    do {
      if (auto read = ReadPage(); !read.ok()) return read;
    } while (!token_.empty() || again_);
    return base::Done{};
  }

 private:
  // The page of token_, which is then that of the next one.
  base::Status ReadPage() {
    const auto answer = session_.Ask(Target(), kAcceptList);
    if (!answer.ok()) return answer.error();
    again_ = answer->status == 410 && !token_.empty() && expired_ < kMaxExpired;
    if (again_) {
      token_ = ++expired_ > kNewBeginnings ? LaterToken(answer->body) : "";
      return base::Done{};
    }
    if (answer->status != 200) return session_.Refusal(*answer);
    auto page = Parse(*answer);
    if (!page.ok()) return page.error().In(session_.server() + path_);
    take_(page->objects);
    if (!page->next.empty() && page->next == token_) {
      return base::Error{base::ErrorCode::kInternal,
                         session_.server() + path_ + ": its list has no end"};
    }
    token_ = std::move(page->next);
    return base::Done{};
  }

  std::string Target() const {
    std::string target = path_ + kLimit;
    if (!token_.empty()) target.append("&continue=").append(http::Escaped(token_));
    return target;
  }

  static constexpr int kMaxExpired = 10;
  static constexpr int kNewBeginnings = 2;

  Session& session_;
  const std::string& path_;
  const TakePage& take_;
  std::string token_;
  int expired_ = 0;
  bool again_ = false;
};

}  // namespace

base::Status ReadPages(Session& session, const std::string& path, const TakePage& take) {
  return List(session, path, take).Read();
}

base::Result<std::optional<graph::Object>> ReadOne(Session& session, const std::string& path) {
  const auto answer = session.Ask(path, kAcceptOne);
  if (!answer.ok()) return answer.error();
  const std::string name = path.substr(path.rfind('/') + 1);
  if (answer->status == 404 && Proves(answer->body, name)) return std::optional<graph::Object>();
  if (answer->status != 200) return session.Refusal(*answer);
  auto object = ParseObject(answer->body);
  if (!object.ok()) return object.error().In(session.server() + path);
  return std::optional(std::move(*object));
}

}  // namespace ebb::kube
