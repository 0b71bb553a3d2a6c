// Which images a real containerd is in the middle of pulling.
#include "image/claim.h"
#include "image/protection.h"
#include "store/rig.h"

namespace ebb::node {
namespace {

using ::testing::IsEmpty;

class Pulls : public StoreRig {
 protected:
  void SetUp() override {
    StoreRig::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    Start(Filesystem::kTmpfs);
    made_ = Import({AppImage("localhost/app:1", {900'000}), AppImage("localhost/other:1", {5000})});
  }
  std::vector<image::Claim> Claims() { return image::PullsIn(Read()); }

  std::vector<MadeImage> made_;
};

TEST_F(Pulls, OfAnImportThatIsOverNothingIsLeft) {
  EXPECT_THAT(Claims(), IsEmpty());
}

// A pull holds what it fetches, and what of it was there already, by a lease of its own.
TEST_F(Pulls, AYoungLeaseOnItsManifestShowsAnImageAsBeingPulledUntilItGoes) {
  Lease("a-pull", "content", made_[0].digest);
  image::Observation seen;
  seen.images = Images();
  seen.pulls = Claims();
  const image::Protection protection = image::Protect(seen, {});
  for (std::size_t i = 0; i < seen.images.size(); ++i) {
    const auto& shield = protection.shields[i];
    const bool pulled = shield && shield->reason == image::Reason::kPulling;
    EXPECT_EQ(pulled, seen.images[i].id.value == made_[0].id) << seen.images[i].id.value;
  }
  Unlease("a-pull");
  EXPECT_THAT(Claims(), IsEmpty());
}

// Layers are shared: a pull of one image must not keep every other that stands on its base.
TEST_F(Pulls, AYoungLeaseOnALayerAloneShowsNone) {
  const image::Store store = Read();
  for (const image::StoreObject& object : store.objects) {
    if (object.kind != image::StoreObject::Kind::kEntry || object.keeps.size() != 1) continue;
    Lease("a-layer", "content", object.name.substr(object.name.find('/') + 1));
    EXPECT_THAT(Claims(), IsEmpty()) << object.name;
    return;
  }
  FAIL() << "no layer was listed";
}

}  // namespace
}  // namespace ebb::node
