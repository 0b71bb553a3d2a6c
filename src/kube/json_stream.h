// JSON of any size, read in parts: one document behind the other, and lists item by item.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "kube/json.h"

namespace ebb::kube {

class JsonStream {
 public:
  struct Takers {
    // Every object or list in the list `items` of a document. An error ends the reading.
    std::function<base::Status(const Json&)> item;
    // A document without its items, once it is complete.
    std::function<base::Status(const Json&)> document;
  };

  // What stands below a key that is not in `keys` is read over. `keys` must outlive this.
  JsonStream(std::span<const std::string_view> keys, Takers takers);
  ~JsonStream();

  // The next part. No JSON, nested deeper than 256 levels: kInternal, with the byte at which. After
  // an error there is no next part.
  base::Status Feed(std::string_view part);
  // There is no more. kInternal if the last document is not complete.
  base::Status End() const;

 private:
  class Parser;
  base::Status Parse(std::string_view& part);

  Takers takers_;
  base::Status refused_;  // by a taker
  std::unique_ptr<Parser> parser_;
  bool inside_ = false;   // of a document
  std::size_t read_ = 0;  // bytes
};

}  // namespace ebb::kube
