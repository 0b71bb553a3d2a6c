// A store that skopeo fills and empties, read from its disk and measured there.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "crio/store.h"
#include "image/exact_graph.h"
#include "node/image_maker.h"
#include "node/node_fixture.h"
#include "node/process.h"
#include "node/volume.h"
#include "testing/temp_dir.h"

namespace ebb::node {

using Ids = std::vector<std::string>;

class CrioRig : public NodeTest {
 protected:
  void SetUp() override;
  void Start(Filesystem kind);

  // Copies a new image into the store, and returns its ID as CRI-O would list it.
  std::string Copy(const ImageSpec& spec, const std::string& name);
  void Delete(const std::string& name);
  base::Result<std::string> TryToDelete(const std::string& name) const;

  std::string Root() const { return volume_->directory() + "/root"; }
  image::Store Read();
  // What the whole chain, from the lists to the graph, says a removal of these images frees.
  std::int64_t Predict(const Ids& ids);
  // Deletes an image and fails unless that frees what was predicted, to the byte. Returns it.
  std::int64_t DeleteAndCompare(const std::string& id, const std::string& name);

  testing::TempDir directory_;
  std::unique_ptr<Volume> volume_;
  std::unique_ptr<engine::StoreReader> reader_;
  engine::FactBook facts_;
  std::string root_ = "root";  // where skopeo writes, below the volume
  std::string driver_;         // options of skopeo's driver, each after a colon

 private:
  std::string Reference(const std::string& name) const;
};

}  // namespace ebb::node
