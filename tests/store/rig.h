// A node whose storage is read through containerd's own API and measured on its disk.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "containerd/channel.h"
#include "containerd/store.h"
#include "cri/runtime.h"
#include "image/exact_graph.h"
#include "node/image_sets.h"
#include "node/node_fixture.h"

namespace ebb::node {

using Ids = std::vector<std::string>;

class StoreRig : public NodeTest {
 protected:
  void Start(Filesystem kind, base::Bytes block = {4096});
  // Containerd's own API at another socket than the node's.
  void ConnectTo(const std::string& endpoint);

  // Imports images into a namespace and waits for CRI if it is CRI's.
  std::vector<MadeImage> Import(const std::vector<ImageSpec>& specs, const Words& flags = {},
                                const std::string& space = "k8s.io");
  // Runs ctr in a namespace.
  void Ctr(const Words& words, const std::string& space = "k8s.io", int input = -1);

  // A lease on one thing; deleted with a collection.
  void Lease(const std::string& id, const std::string& type, const std::string& resource,
             const std::map<std::string, std::string>& labels = {});
  void Unlease(const std::string& id);
  // Has containerd collect what nobody keeps.
  void Collect();

  // A connection that failed meanwhile takes up to six seconds to notice a restart.
  void WaitForConnection();

  image::Store Read();
  std::vector<image::Image> Images();
  // What the whole chain, from the lists to the graph, says a removal of these images frees.
  std::int64_t Predict(const Ids& ids);
  // Removes these images and fails unless that frees what was predicted, to the byte. Returns it.
  std::int64_t RemoveAndCompare(const Ids& ids);
  std::int64_t Used() const { return DiskUsage(node_->directory() + "/root", ".db"); }

  std::unique_ptr<Node> node_;
  std::shared_ptr<containerd::Connection> connection_;
  std::unique_ptr<engine::StoreReader> reader_;
  std::unique_ptr<engine::Runtime> runtime_;
  engine::FactBook facts_;
};

}  // namespace ebb::node
