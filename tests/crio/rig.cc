#include "crio/rig.h"

#include <fcntl.h>

#include "base/unique_fd.h"

namespace ebb::node {

void CrioRig::SetUp() {
  NodeTest::SetUp();
  if (HasFatalFailure() || IsSkipped()) return;
  ASSERT_TRUE(Installed("skopeo")) << "install skopeo";
}

void CrioRig::Start(Filesystem kind) {
  auto volume = Volume::Mount(directory_ / "v", {.size = {std::int64_t{300} << 20}, .kind = kind});
  ASSERT_TRUE(volume.ok()) << volume.error().message;
  volume_ = std::move(*volume);
  reader_ = crio::MakeStoreReader(
      {.configs = {}, .image_path = Root() + "/overlay-images", .container_path = {}});
}

std::string CrioRig::Reference(const std::string& name) const {
  return "containers-storage:[overlay@" + volume_->directory() + "/" + root_ + "+" +
         volume_->directory() + "/run" + driver_ + "]" + name;
}

std::string CrioRig::Copy(const ImageSpec& spec, const std::string& name) {
  const std::string path = directory_ / "image.tar";
  const base::UniqueFd file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const auto made = WriteImages(file.get(), std::span(&spec, 1));
  if (!made.ok()) {
    ADD_FAILURE() << made.error().message;
    return {};
  }
  const auto ran = node::Run({"skopeo", "--insecure-policy", "--tmpdir", directory_.path(), "copy",
                              "oci-archive:" + path, Reference(name)});
  EXPECT_TRUE(ran.ok()) << ran.error().message;
  return made->front().id.substr(std::string("sha256:").size());
}

base::Result<std::string> CrioRig::TryToDelete(const std::string& name) const {
  return node::Run(
      {"skopeo", "--insecure-policy", "--tmpdir", directory_.path(), "delete", Reference(name)});
}

void CrioRig::Delete(const std::string& name) {
  const auto ran = TryToDelete(name);
  EXPECT_TRUE(ran.ok()) << ran.error().message;
}

image::Store CrioRig::Read() {
  auto store = reader_->Read(facts_);
  if (store.ok()) return std::move(*store);
  ADD_FAILURE() << store.error().message;
  return {};
}

std::int64_t CrioRig::Predict(const Ids& ids) {
  const image::Store store = Read();
  EXPECT_THAT(store.unknown, ::testing::IsEmpty());
  std::vector<image::Image> images;
  std::vector<std::size_t> removed;
  for (const std::string& id : ids) {
    removed.push_back(images.size());
    images.emplace_back().id.value = id;
  }
  const image::ExactGraph exact = image::MakeExactGraph(store, images);
  EXPECT_EQ(exact.graph.accounting(), image::Accounting::kExact);
  return exact.graph.Freed(removed).count;
}

std::int64_t CrioRig::DeleteAndCompare(const std::string& id, const std::string& name) {
  const std::int64_t predicted = Predict({id});
  const std::int64_t before = DiskUsage(Root(), ".json");
  Delete(name);
  EXPECT_EQ(before - DiskUsage(Root(), ".json"), predicted) << name;
  return predicted;
}

}  // namespace ebb::node
