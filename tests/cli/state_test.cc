// A usage history that is damaged, locked, of another version or without room: it lives on the very
// disk that fills up, and never stops a removal.
#include <sqlite3.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/hanging_disk.h"
#include "cli/rig.h"
#include "testing/ci.h"

namespace ebb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class State : public Cli {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"status"}).code, 0); }

  std::string Database() const { return dir_ / "state/history.db"; }

  // An open connection; it ends with what it has begun.
  std::shared_ptr<sqlite3> Execute(const std::string& sql) const {
    sqlite3* opened = nullptr;
    EXPECT_EQ(sqlite3_open(Database().c_str(), &opened), SQLITE_OK);
    std::shared_ptr<sqlite3> connection(opened, sqlite3_close);
    EXPECT_EQ(sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    return connection;
  }

  int Version() const {
    int version = 0;
    const auto read = [](void* to, int, char** values, char**) {
      *static_cast<int*>(to) = std::stoi(*values);
      return 0;
    };
    const auto connection = Execute("PRAGMA query_only = 1");
    (void)sqlite3_exec(connection.get(), "PRAGMA user_version", read, &version, nullptr);
    return version;
  }

  void ExpectThatEverythingUnusedGoes(const std::string& warning) {
    const Ran ran = CollectAll();
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(warning)) << ran.out;
    EXPECT_EQ(IdleLeft(), 0U);
    EXPECT_TRUE(node_.Has(ids_.at(3)));
    EXPECT_TRUE(node_.Has(pause_));
  }
};

// The kubelet counts ages anew after every restart of its own.
TEST_F(State, KE1AnImagesAgeOutlivesEveryProcessThatCountsIt) {
  const std::string config = dir_ / "config.yaml";
  std::ofstream(config) << "apiVersion: ebb/v1alpha1\nkind: NodeConfiguration\n"
                           "imageMaximumGCAge: 1h\n";
  EXPECT_THAT(Run({"plan"}, {"--config", config}).out, Not(HasSubstr("unused-for")));
  const std::int64_t two_hours = std::chrono::nanoseconds(std::chrono::hours(2)).count();
  Execute("UPDATE usage SET first_seen = first_seen - " + std::to_string(two_hours) +
          " WHERE name LIKE '%idle%'");
  EXPECT_THAT(Run({"plan"}, {"--config", config}).out,
              HasSubstr("goes:        3 images: unused-for 3"));
}

TEST_F(State, DamagedIsSetAsideAndToldOnce) {
  std::ofstream(Database(), std::ios::trunc) << std::string(8192, 'x');
  const Ran ran = Run({"images"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("was damaged"));
  EXPECT_THAT(ran.err, HasSubstr("history.db.corrupt-"));
  EXPECT_THAT(Run({"images"}).err, Not(HasSubstr("damaged")));
  EXPECT_EQ(CollectAll().code, 0);
}

TEST_F(State, OfANewerVersionIsLeftAloneAndRemovalGoesOn) {
  Execute("PRAGMA user_version = 999");
  ExpectThatEverythingUnusedGoes("newer");
  EXPECT_EQ(Version(), 999);
}

TEST_F(State, LockedForLongIsAWarningAndRemovalGoesOn) {
  const auto holder = Execute("BEGIN IMMEDIATE");
  ExpectThatEverythingUnusedGoes("locked");
}

TEST_F(State, OnAFullDiskIsAWarningAndRemovalGoesOn) {
  const auto own = OwnMounts();
  const std::string full = dir_ / "state";
  std::filesystem::remove_all(full);
  std::filesystem::create_directory(full);
  if (!own.ok() || ::mount("full", full.c_str(), "tmpfs", 0, "size=64k") != 0) {
    if (testing::InCi()) FAIL() << "a small filesystem could not be mounted";
    GTEST_SKIP() << "a small filesystem could not be mounted: this test needs root";
  }
  std::ofstream(full + "/filler") << std::string(100'000, 'x') << std::flush;
  ExpectThatEverythingUnusedGoes("history");
  EXPECT_EQ(::umount2(full.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace ebb::cli
