// A node in memory: images that share layers, containers, sandboxes and the disk that holds them,
// behaving as a Profile says. FakeRuntime shows it through the engine's ports, and a gRPC server
// can show it through CRI. Safe to use from several threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "engine/ports.h"
#include "testing/profile.h"

namespace ebb::testing {

struct Layer {
  std::string name;  // equal names are one layer, stored once
  base::Bytes bytes;
};

struct ImageSpec {
  std::string name;           // its first tag; the ID and the digest are made from it
  std::vector<Layer> layers;  // from the base up
  bool pinned = false;
  std::string handler;  // the runtime handler it was pulled for
};

struct ContainerSpec {
  std::string image;  // any name or ID; shown again as the container's image_name
  image::ContainerState state = image::ContainerState::kRunning;
  std::string sandbox;               // it has that one's pod; empty: one that is not listed
  std::vector<std::string> volumes;  // images mounted as volumes, as asked for
  bool anonymous = false;            // the runtime says nothing at all about its image
};

class FakeNode {
 public:
  explicit FakeNode(Profile profile, engine::Clock& clock);

  const Profile& profile() const { return profile_; }

  // --- Making a world.
  image::ImageId AddImage(const ImageSpec& spec);
  // One layer of its own.
  image::ImageId AddImage(std::string_view name, base::Bytes size);
  // Requires the image to be there. Returns the container's ID.
  std::string AddContainer(const ContainerSpec& spec);
  std::string AddContainer(std::string_view image,
                           image::ContainerState state = image::ContainerState::kRunning);
  // Of a pod of its own.
  std::string AddSandbox(std::string_view image);
  void SetState(const std::string& container, image::ContainerState state);
  void RemoveContainer(const std::string& id);
  // With all its containers, whether they run or not.
  void RemoveSandbox(const std::string& id);
  // By ID of a container or sandbox.
  std::string PodOf(std::string_view id) const;  // its UID
  std::optional<image::ContainerState> StateOf(std::string_view id) const;
  // Another name for the image; whichever image had it loses it, as after a pull.
  void Tag(const image::ImageId& id, std::string_view tag);
  void Untag(const image::ImageId& id);      // no tags any more; digests stay
  void DropNames(const image::ImageId& id);  // no tags and no digests
  void Pin(const image::ImageId& id, bool pinned = true);
  // What Status(verbose) names on runtimes that do.
  void SetSandboxImage(std::string_view name);

  // --- The disk. Used bytes are `other` and every stored layer once.
  void SetDisk(base::Bytes capacity, base::Bytes other = {});
  // Puts other bytes on the disk until it is used by at least so much.
  void FillTo(base::Percent used);
  base::Bytes capacity() const;
  base::Bytes Available() const;
  void SetLateBy(base::Duration late) { late_by_ = late; }
  // Bytes that a late runtime still owes come back now.
  void Settle();

  // --- Misbehaviour.
  void Refuse(const image::ImageId& id, base::Error error);  // for ever
  void Ignore(const image::ImageId& id);                     // says OK and removes nothing
  void ListTwice(const image::ImageId& id);                  // the second entry is not pinned
  void DieAfter(int removals);  // so many removals are carried out, then nobody answers
  void Revive();
  bool dead() const;
  // Run before a removal is carried out, with the reference as asked.
  std::function<void(const std::string&)> before_remove;
  // Run after the containers were listed.
  std::function<void()> after_list;

  // --- What a client of the runtime sees.
  std::vector<image::Image> ListImages() const;
  std::vector<image::Container> ListContainers() const;
  std::vector<image::Sandbox> ListSandboxes() const;
  // By ID (with or without "sha256:"), tag or digest.
  std::optional<image::Image> FindImage(std::string_view reference) const;
  image::LayerChain DiffIds(std::string_view reference) const;
  std::string sandbox_image() const;
  // nullopt: gone. Empty: this runtime does not tell.
  std::optional<std::string> ImageOfSandbox(std::string_view id) const;
  std::optional<std::vector<std::string>> VolumesOf(std::string_view container) const;
  std::vector<engine::StoragePath> Storage() const;
  // As CRI RemoveImage: absent is success, and so is an image that another runtime handler has;
  // kHeld carries the runtime's own words.
  base::Status RemoveImage(const std::string& reference, const std::string& handler = "");
  // From now on the bytes of these images stay when they are removed, and their names are kept.
  // Returns the number of the hold.
  int Hold(std::span<const image::ImageId> ids);
  std::vector<image::Image> HeldBy(int hold) const;
  void RestoreHeld(int hold, std::span<const image::ImageId> ids);
  void Release(int hold);
  std::vector<int> holds() const;
  // Every reference RemoveImage was ever called with, in order.
  std::vector<std::string> asked() const;
  void ForgetAsked();
  bool Has(const image::ImageId& id) const;

 private:
  struct Stored {
    std::string id;
    std::vector<std::string> tags;
    std::vector<std::string> digests;
    std::vector<std::string> layers;
    bool pinned = false;
    std::string handler;
  };
  struct User {  // a container or a sandbox
    image::Container shown;
    std::string image_id;
    std::vector<std::string> layers;
    std::vector<std::string> volumes;
    bool is_sandbox = false;
  };
  struct Debt {
    base::Duration due{};
    base::Bytes bytes;
  };

  using Images = std::vector<Stored>;
  Images::const_iterator Find(std::string_view reference) const EBB_REQUIRES(mutex_);
  Stored& At(const image::ImageId& id) EBB_REQUIRES(mutex_);
  image::Image Show(const Stored& stored) const EBB_REQUIRES(mutex_);
  User MakeUser(const ContainerSpec& spec) EBB_REQUIRES(mutex_);
  base::Bytes OnDisk() const EBB_REQUIRES(mutex_);
  base::Bytes SnapshotBytes() const EBB_REQUIRES(mutex_);
  base::Bytes ReportedUse() const EBB_REQUIRES(mutex_);
  base::Bytes Sum(const std::set<std::string>& layers, double factor) const EBB_REQUIRES(mutex_);
  base::Bytes Used() const EBB_REQUIRES(mutex_);
  bool Mounts(const User& user, const Stored& stored) const EBB_REQUIRES(mutex_);
  std::string WhoHolds(const Stored& stored) const EBB_REQUIRES(mutex_);
  base::Status CarryOut(const std::string& reference, const std::string& handler)
      EBB_REQUIRES(mutex_);
  void Erase(Images::const_iterator image) EBB_REQUIRES(mutex_);

  const Profile profile_;
  engine::Clock& clock_;
  base::Duration late_by_ = std::chrono::seconds(3);
  mutable base::Mutex mutex_;
  Images images_ EBB_GUARDED_BY(mutex_);
  std::map<std::string, base::Bytes, std::less<>> layers_ EBB_GUARDED_BY(mutex_);
  std::map<std::string, User, std::less<>> users_ EBB_GUARDED_BY(mutex_);
  std::vector<Debt> debts_ EBB_GUARDED_BY(mutex_);
  std::map<std::string, base::Error> refused_ EBB_GUARDED_BY(mutex_);
  std::set<std::string> ignored_ EBB_GUARDED_BY(mutex_);
  std::set<std::string> twice_ EBB_GUARDED_BY(mutex_);
  std::map<int, Images> held_ EBB_GUARDED_BY(mutex_);
  int next_hold_ EBB_GUARDED_BY(mutex_) = 0;
  std::vector<std::string> asked_ EBB_GUARDED_BY(mutex_);
  std::string sandbox_image_ EBB_GUARDED_BY(mutex_);
  base::Bytes capacity_ EBB_GUARDED_BY(mutex_) = {std::int64_t{1} << 40};
  base::Bytes other_ EBB_GUARDED_BY(mutex_);
  std::optional<int> removals_left_ EBB_GUARDED_BY(mutex_);
  int next_user_ EBB_GUARDED_BY(mutex_) = 0;
};

// 64 hex digits made from a text; the same text gives the same digits.
std::string HexDigest(std::string_view text);

}  // namespace ebb::testing
