#include "host/kubelet_pulls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace ebb::host {
namespace {

using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Kubelet {
 public:
  Kubelet() { std::filesystem::create_directories(pulling()); }
  std::filesystem::path pulling() const { return dir_ / "image_manager/pulling"; }
  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(pulling() / name, std::ios::binary) << content;
  }
  base::Result<std::vector<image::Claim>> Read() const { return KubeletPulls(dir_.path()).Read(); }

 private:
  testing::TempDir dir_;
};

std::string IntentOf(const std::string& image) {
  return R"({"kind":"ImagePullIntent","apiVersion":"kubelet.config.k8s.io/v1beta1","image":")" +
         image + R"("})";
}

TEST(KubeletPulls, EachFileIsAnImageThatIsBeingPulled) {
  const Kubelet kubelet;
  kubelet.Write("sha256-1", IntentOf("registry.example/a:1"));
  kubelet.Write("sha256-2", IntentOf("registry.example/b:1"));
  EXPECT_THAT(*kubelet.Read(),
              UnorderedElementsAre(Field(&image::Claim::image, "registry.example/a:1"),
                                   Field(&image::Claim::image, "registry.example/b:1")));
}

TEST(KubeletPulls, WithoutAnyNothingIsPulled) {
  EXPECT_THAT(*Kubelet().Read(), IsEmpty());
}

TEST(KubeletPulls, AFileThatIsNoSuchRecordClaimsNothing) {
  const Kubelet kubelet;
  kubelet.Write("empty", "");
  kubelet.Write("half", R"({"image":"registry.exam)");
  kubelet.Write("number", R"({"image":1})");
  kubelet.Write("nobody", IntentOf(""));
  EXPECT_THAT(*kubelet.Read(), IsEmpty());
}

TEST(KubeletPulls, AKubeletThatKeepsNoneDoesNotTell) {
  const testing::TempDir dir;
  const auto read = KubeletPulls(dir.path()).Read();
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ebb::host
