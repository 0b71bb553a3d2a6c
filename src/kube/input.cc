#include "kube/input.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace ebb::kube {
namespace {

constexpr unsigned kPart = 256U << 10U;

gzFile File(void* file) {
  return static_cast<gzFile>(file);
}

}  // namespace

void Input::Close::operator()(void* file) const {
  (void)gzclose(File(file));
}

base::Result<Input> Input::Open(const std::string& path) {
  const int descriptor =
      path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const auto code = errno == ENOENT ? base::ErrorCode::kNotFound : base::ErrorCode::kInternal;
    return base::Error{code, path + ": " + std::strerror(errno)};
  }
  gzFile file = gzdopen(descriptor, "rb");
  if (file == nullptr) {
    (void)::close(descriptor);
    return base::Error{base::ErrorCode::kInternal, path + ": no memory to read it"};
  }
  (void)gzbuffer(file, kPart);
  return Input(file);
}

base::Result<std::string_view> Input::Next() {
  part_.resize(kPart);
  const int read = gzread(File(file_.get()), part_.data(), kPart);
  int problem = Z_OK;
  const char* why = gzerror(File(file_.get()), &problem);
  if (read < 0 || (read == 0 && problem != Z_OK && problem != Z_STREAM_END)) {
    return base::Error{base::ErrorCode::kInternal, problem == Z_ERRNO ? std::strerror(errno)
                                                   : problem == Z_BUF_ERROR
                                                       ? "its gzip is cut off"
                                                       : std::string("its gzip is broken: ") + why};
  }
  return std::string_view(part_.data(), static_cast<std::size_t>(read));
}

}  // namespace ebb::kube
