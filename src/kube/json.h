// JSON of others, of which few fields matter. Only sources of this folder include it.
#pragma once

#include <boost/json/value.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::kube {

using Json = boost::json::value;
using JsonObject = boost::json::object;

// The document without whatever stands below a key that is not in `keys`: what nobody asks for is
// read over and takes no memory. Not one whole JSON document, nested deeper than 64 levels or a
// number out of range: kInternal.
base::Result<Json> ReadJson(std::string_view text, std::span<const std::string_view> keys);

// One YAML (or JSON) document of at most 1 MiB as JSON whose scalars are all texts, null aside. Of
// several documents the first is read. Merge keys, keys that are no text, nesting deeper than 64
// levels, and more than 100,000 values with every alias written out: kInternal.
base::Result<Json> ReadYaml(std::string_view text);

// Every document of a YAML stream, the same way, without whatever stands below a key that is not in
// `keys`; of any size, and of at most 10,000,000 values. An empty document is null.
base::Result<std::vector<Json>> ReadYamlAll(std::string_view text,
                                            std::span<const std::string_view> keys);

// Reads the fields of one object, and remembers the first that is not of the type it must have. A
// field that is null is none.
class Fields {
 public:
  // `value` stands at `path` of its document: "items[3].spec". Both must outlive this.
  Fields(const Json& value, std::string path);

  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  std::string Text(std::string_view key);
  std::vector<std::string> Texts(std::string_view key);  // of a list
  bool Flag(std::string_view key);                       // also "true" in text, as YAML gives it
  Fields Object(std::string_view key);
  // each(Fields) for every object of a list; stops at the first problem.
  template <class Each>
  void ForEach(std::string_view key, Each each) {
    const boost::json::array* list = List(key);
    for (std::size_t i = 0; list != nullptr && i < list->size() && problem_.empty(); ++i) {
      Fields item((*list)[i], path_ + std::string(key) + "[" + std::to_string(i) + "]");
      each(item);
      Adopt(item);
    }
  }

  // The object lacks what it must have.
  void Miss(std::string_view what);
  // Takes over the problem of a part of this object.
  void Adopt(const Fields& part);
  const std::string& problem() const { return problem_; }  // "items[3].spec: is no object"

 private:
  const Json* Find(std::string_view key) const;
  const boost::json::array* List(std::string_view key);
  void Wrong(std::string_view key, std::string_view what);

  const JsonObject* object_ = nullptr;  // null: there is none, and no field either
  std::string path_;                    // "" or with a dot at the end
  std::string problem_;
};

}  // namespace ebb::kube
