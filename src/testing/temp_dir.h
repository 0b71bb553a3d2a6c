// A directory of its own for one test, gone with everything in it at the end.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace ebb::testing {

class TempDir {
 public:
  TempDir() {
    std::string path = std::filesystem::temp_directory_path() / "ebb-test-XXXXXX";
    // Without one a test would write into the folder it was started in.
    if (::mkdtemp(path.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "mkdtemp " + path);
    }
    path_ = path;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  // Short enough for the 107 bytes of a unix socket's name.
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace ebb::testing
