// What a hold remembers, as labels of its lease: a crash of ours needs nothing but containerd.
#pragma once

#include <optional>

#include "hold.pb.h"
#include "leases.pb.h"

namespace ebb::containerd {

using WireLabels = google::protobuf::RepeatedPtrField<::containerd::types::Label>;

// Labels of at most 4096 bytes with their keys, which is all that containerd takes.
void Remember(const held::Held& held, WireLabels& labels);

// nullopt for labels that were not written by Remember(), or by a newer one.
std::optional<held::Held> Recall(const WireLabels& labels);

}  // namespace ebb::containerd
