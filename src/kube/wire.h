// The wire format of protobuf, read field by field without generated code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::kube {

// One message. Fields that nobody asks for are stepped over, of whatever type they are; a message
// that is cut off or is none ends early and is not ok().
class Wire {
 public:
  explicit Wire(std::string_view message) : rest_(message) {}

  // The next field; false at the end.
  bool Next();
  std::uint64_t field() const { return field_; }
  // Its value: of a text or a message the bytes, of anything else the number. Asked for the other
  // one, the message is not ok().
  std::string_view Bytes();
  std::string Text() { return std::string(Bytes()); }
  std::uint64_t Number();

  bool ok() const { return ok_; }

 private:
  bool Fail();
  std::optional<std::uint64_t> Varint();
  std::optional<std::string_view> Take(std::uint64_t size);

  std::string_view rest_;
  std::uint64_t field_ = 0;
  std::optional<std::string_view> bytes_;
  std::optional<std::uint64_t> number_;
  bool ok_ = true;
};

}  // namespace ebb::kube
