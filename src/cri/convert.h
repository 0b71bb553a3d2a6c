// CRI messages in the words of image/ and engine/. Pure.
#pragma once

#include <vector>

#include "base/result.h"
#include "cri.pb.h"
#include "engine/ports.h"
#include "image/image.h"
#include "image/workload.h"

namespace ebb::cri {

namespace api = ::runtime::v1;

// Entries stay as listed, also those with the same ID. Docker's "<none>" names are no names.
image::Image ToImage(const api::Image& listed);
// A state of a later CRI than ours is unknown.
image::ContainerState ToState(api::ContainerState state);
image::Container ToContainer(const api::Container& listed);
image::Sandbox ToSandbox(const api::PodSandbox& listed);

// The same for lists, appended to `out`: a stream brings a list in pieces.
void Append(const google::protobuf::RepeatedPtrField<api::Image>& listed,
            std::vector<image::Image>& out);
void Append(const google::protobuf::RepeatedPtrField<api::Container>& listed,
            std::vector<image::Container>& out);
void Append(const google::protobuf::RepeatedPtrField<api::PodSandbox>& listed,
            std::vector<image::Sandbox>& out);

// One entry per mount point, in the order first named; entries without one are left out.
std::vector<engine::StoragePath> ToStorage(const api::ImageFsInfoResponse& info);

// References of the images a container mounts. kInternal if an image is mounted that the runtime
// does not name: it could be any.
base::Result<std::vector<std::string>> ToVolumes(const api::ContainerStatus& status);

}  // namespace ebb::cri
