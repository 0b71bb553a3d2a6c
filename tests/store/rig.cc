#include "store/rig.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/unique_fd.h"
#include "cri/connect.h"

namespace ebb::node {

namespace ctd = containerd;
namespace leases = containerd::leases_api;

void StoreRig::Start(Filesystem kind, base::Bytes block) {
  node_ = MakeNode({.volume = {.size = {std::int64_t{600} << 20}, .kind = kind, .block = block}});
  ASSERT_NE(node_, nullptr);
  ConnectTo(node_->endpoint());
  ASSERT_TRUE(ctd::Probe(*connection_).ok());
  auto cri = cri::Connect({.runtime = node_->endpoint(), .image = ""});
  ASSERT_TRUE(cri.ok()) << cri.error().message;
  runtime_ = cri::MakeRuntime(*cri);
}

void StoreRig::ConnectTo(const std::string& endpoint) {
  auto connection = ctd::Connect(endpoint);
  ASSERT_TRUE(connection.ok()) << connection.error().message;
  connection_ = *connection;
  reader_ = ctd::MakeStoreReader(connection_);
}

void StoreRig::Ctr(const Words& words, const std::string& space, int input) {
  Words command{"ctr", "--address", node_->socket(), "--namespace", space};
  command.insert(command.end(), words.begin(), words.end());
  const auto ran = node::Run(command, input);
  ASSERT_TRUE(ran.ok()) << ran.error().message;
}

std::vector<MadeImage> StoreRig::Import(const std::vector<ImageSpec>& specs, const Words& flags,
                                        const std::string& space) {
  const base::UniqueFd file(::memfd_create("images", MFD_CLOEXEC));
  auto made = WriteImages(file.get(), specs);
  EXPECT_TRUE(made.ok()) << made.error().message;
  ::lseek(file.get(), 0, SEEK_SET);
  Words words{"images", "import"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.emplace_back("-");
  Ctr(words, space, file.get());
  if (space != "k8s.io") return *made;
  for (const MadeImage& image : *made) {
    for (const std::string& name : image.names) {
      const auto listed = node_->pods().WaitForImage(name);
      EXPECT_TRUE(listed.ok()) << listed.error().message;
    }
  }
  return *made;
}

void StoreRig::Lease(const std::string& id, const std::string& type, const std::string& resource,
                     const std::map<std::string, std::string>& labels) {
  leases::CreateRequest request;
  request.set_id(id);
  for (const auto& [key, value] : labels) {
    auto* label = request.add_labels();
    label->set_key(key);
    label->set_value(value);
  }
  const auto created = rpc::Call(connection_->To("Create", "k8s.io"), connection_->leases(),
                                 &leases::Leases::Stub::Create, request);
  ASSERT_TRUE(created.ok()) << created.error().message;
  if (resource.empty()) return;
  leases::AddResourceRequest add;
  add.set_id(id);
  add.mutable_resource()->set_type(type);
  add.mutable_resource()->set_id(resource);
  const auto added = rpc::Call(connection_->To("AddResource", "k8s.io"), connection_->leases(),
                               &leases::Leases::Stub::AddResource, add);
  ASSERT_TRUE(added.ok()) << added.error().message;
}

void StoreRig::Unlease(const std::string& id) {
  leases::DeleteRequest request;
  request.set_id(id);
  request.set_sync(true);
  const auto deleted = rpc::Call(connection_->To("Delete", "k8s.io"), connection_->leases(),
                                 &leases::Leases::Stub::Delete, request);
  ASSERT_TRUE(deleted.ok()) << deleted.error().message;
}

void StoreRig::Collect() {
  Lease("collect", "", "");
  Unlease("collect");
}

void StoreRig::WaitForConnection() {
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries && !ctd::Probe(*connection_).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

image::Store StoreRig::Read() {
  auto store = reader_->Read(facts_);
  EXPECT_TRUE(store.ok()) << store.error().message;
  return store.ok() ? *std::move(store) : image::Store{};
}

std::vector<image::Image> StoreRig::Images() {
  auto listed = runtime_->List();
  EXPECT_TRUE(listed.ok()) << listed.error().message;
  if (!listed.ok()) return {};
  return image::MergeById(std::move(listed->images));
}

std::int64_t StoreRig::Predict(const Ids& ids) {
  const auto images = Images();
  const image::ExactGraph exact = image::MakeExactGraph(Read(), images);
  EXPECT_EQ(exact.graph.accounting(), image::Accounting::kExact);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (std::ranges::find(ids, images[i].id.value) != ids.end()) chosen.push_back(i);
  }
  EXPECT_EQ(chosen.size(), ids.size());
  return exact.graph.Freed(chosen).count;
}

std::int64_t StoreRig::RemoveAndCompare(const Ids& ids) {
  Collect();
  const std::int64_t predicted = Predict(ids);
  const std::int64_t before = Used();
  for (const std::string& id : ids) EXPECT_TRUE(node_->pods().RemoveImage(id).ok());
  EXPECT_EQ(before - Used(), predicted);
  return predicted;
}

}  // namespace ebb::node
