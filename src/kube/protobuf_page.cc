#include "kube/object_page.h"
#include "kube/wire.h"

// Field numbers are those of meta.k8s.io/v1 and of runtime.Unknown.
namespace ebb::kube {
namespace {

constexpr std::string_view kMagic("k8s\0", 4);

// Runs read(Wire&) for every field; false if the message is none.
template <class Read>
bool Each(std::string_view message, Read read) {
  Wire wire(message);
  while (wire.Next()) read(wire);
  return wire.ok();
}

bool ReadOwner(std::string_view message, graph::OwnerReference& owner) {
  return Each(message, [&](Wire& wire) {
    switch (wire.field()) {
      case 1: owner.kind = wire.Text(); break;
      case 3: owner.name = wire.Text(); break;
      case 4: owner.uid = wire.Text(); break;
      case 5: owner.api_version = wire.Text(); break;
      case 6: owner.controller = wire.Number() != 0; break;
      case 7: owner.block = wire.Number() != 0; break;
      default: break;
    }
  });
}

bool ReadMetadata(std::string_view message, graph::Object& object) {
  bool ok = true;
  const auto add_owner = [&](std::string_view bytes) {
    graph::OwnerReference owner;
    ok = ReadOwner(bytes, owner) && !owner.uid.empty() && ok;
    object.owners.push_back(std::move(owner));
  };
  const bool whole = Each(message, [&](Wire& wire) {
    switch (wire.field()) {
      case 1: object.id.name = wire.Text(); break;
      case 3: object.id.ns = wire.Text(); break;
      case 5: object.id.uid = wire.Text(); break;
      case 9: object.deleting = true; break;
      case 13: add_owner(wire.Bytes()); break;
      case 14: object.finalizers.push_back(wire.Text()); break;
      default: break;
    }
  });
  return whole && ok;
}

bool ReadItem(std::string_view message, ObjectPage& page) {
  graph::Object object;
  bool ok = true;
  const bool whole = Each(message, [&](Wire& wire) {
    if (wire.field() == 1) ok = ReadMetadata(wire.Bytes(), object) && ok;
  });
  if (!object.id.uid.empty()) page.objects.push_back(std::move(object));
  return whole && ok;
}

bool ReadList(std::string_view message, ObjectPage& page) {
  bool ok = true;
  const bool whole = Each(message, [&](Wire& wire) {
    if (wire.field() == 2) ok = ReadItem(wire.Bytes(), page) && ok;
    if (wire.field() != 1) return;
    ok = Each(wire.Bytes(),
              [&](Wire& metadata) {
                if (metadata.field() == 3) page.next = metadata.Text();
              }) &&
         ok;
  });
  return whole && ok;
}

base::Error Wrong(std::string what) {
  return {base::ErrorCode::kInternal, std::move(what)};
}

}  // namespace

base::Result<ObjectPage> ParseProtobufPage(std::string_view body) {
  if (!body.starts_with(kMagic)) return Wrong("it is no protobuf of Kubernetes");
  std::string_view raw;
  std::string kind;
  const bool whole = Each(body.substr(kMagic.size()), [&](Wire& unknown) {
    if (unknown.field() == 2) raw = unknown.Bytes();
    if (unknown.field() != 1) return;
    (void)Each(unknown.Bytes(), [&](Wire& type) {
      if (type.field() == 2) kind = type.Text();
    });
  });
  if (whole && kind != "PartialObjectMetadataList") {
    return Wrong("it is no PartialObjectMetadataList but '" + kind + "'");
  }
  ObjectPage page;
  if (!whole || !ReadList(raw, page)) {
    return Wrong("its protobuf is cut off or has fields of wrong types");
  }
  return page;
}

}  // namespace ebb::kube
