#include "crio/storage_conf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ebb::crio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(StorageConf, SaysWhereThingsAre) {
  const auto conf = ParseStorageConf(R"(# ours
[storage]   # of this node
driver = "overlay"
graphroot='/data/storage'
runroot = "/run/other" # until boot
imagestore = ""
rootless_storage_path = "$HOME/x"

[storage.options]
size = ""
additionalimagestores = [
  "/usr/lib/images", # of the system
  '/mnt/nfs',
]
pull_options = {enable_partial_images = "false"}
[storage.options.overlay]
mountopt = "nodev"
imagestore = "/images"
[other]
graphroot = 5
)");
  ASSERT_TRUE(conf.ok()) << conf.error().message;
  EXPECT_EQ(conf->driver, "overlay");
  EXPECT_EQ(conf->graphroot, "/data/storage");
  EXPECT_EQ(conf->runroot, "/run/other");
  EXPECT_EQ(conf->imagestore, "/images");
  EXPECT_THAT(conf->additionalimagestores, ElementsAre("/usr/lib/images", "/mnt/nfs"));
  EXPECT_FALSE(conf->additional_layers);
}

TEST(StorageConf, WithoutAWordIsTheDefault) {
  const auto conf = ParseStorageConf("");
  ASSERT_TRUE(conf.ok());
  EXPECT_EQ(conf->graphroot, "/var/lib/containers/storage");
  EXPECT_EQ(conf->driver, "");
  EXPECT_THAT(conf->additionalimagestores, IsEmpty());
}

TEST(StorageConf, NamesStoresOfLayers) {
  const auto conf = ParseStorageConf("[storage.options]\nadditionallayerstores = [\"/x:ref\"]");
  ASSERT_TRUE(conf.ok());
  EXPECT_TRUE(conf->additional_layers);
}

TEST(StorageConf, ThatIsNotUnderstoodIsAnErrorWithItsLine) {
  for (const char* value : {"5", "/data", "\"/data", "[\"/a\", \"/b\"]", "\"\\u0041\"", "", "[1]",
                            "[\"/a\" \"/b\"]", "[\"/a\",", "{}"}) {
    const auto conf = ParseStorageConf(std::string("[storage]\n\ngraphroot = ") + value);
    ASSERT_FALSE(conf.ok()) << value;
    EXPECT_EQ(conf.error().code, base::ErrorCode::kUsage);
    EXPECT_THAT(conf.error().message, HasSubstr("line 3: the value of graphroot")) << value;
  }
}

TEST(StorageConf, CountsLessThanWhatTheRuntimeSays) {
  const StorageConf plain{.graphroot = "/g"};
  EXPECT_THAT(RootsOf(plain, {}), ElementsAre("/g"));
  EXPECT_THAT(RootsOf(plain, {.images = "/g", .containers = "/g"}), ElementsAre("/g"));
  EXPECT_THAT(RootsOf(plain, {.images = "/crio", .containers = {}}), ElementsAre("/crio"));
  EXPECT_THAT(RootsOf(plain, {.images = "/i", .containers = "/g"}), ElementsAre("/i", "/g"));
}

TEST(StorageConf, HasTheRootOfImagesFirst) {
  const StorageConf split{.graphroot = "/g", .imagestore = "/i"};
  EXPECT_THAT(RootsOf(split, {}), ElementsAre("/i", "/g"));
  EXPECT_THAT(RootsOf(split, {.images = "/i", .containers = {}}), ElementsAre("/i", "/g"));
  EXPECT_THAT(RootsOf(split, {.images = "/crio", .containers = {}}), ElementsAre("/crio"));
  EXPECT_THAT(RootsOf({.graphroot = "/g", .imagestore = "/g"}, {}), ElementsAre("/g"));
}

}  // namespace
}  // namespace ebb::crio
