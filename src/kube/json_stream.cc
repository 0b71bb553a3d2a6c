#include "kube/json_stream.h"

#include <boost/json/basic_parser_impl.hpp>
#include <exception>
#include <string>
#include <utility>

#include "kube/pruner.h"

namespace ebb::kube {
namespace {

constexpr std::size_t kMaxDepth = 256;

boost::json::parse_options Options() {
  boost::json::parse_options options;
  options.max_depth = kMaxDepth;
  return options;
}

base::Error NoJson(const std::string& why, std::size_t at) {
  return {base::ErrorCode::kInternal,
          "it is no JSON (" + why + " at byte " + std::to_string(at) + ")"};
}

}  // namespace

class JsonStream::Parser : public boost::json::basic_parser<Pruner> {
 public:
  using basic_parser::basic_parser;
};

JsonStream::JsonStream(std::span<const std::string_view> keys, Takers takers)
    : takers_(std::move(takers)),
      parser_(std::make_unique<Parser>(Options(), keys, [this](const Json& item) {
        refused_ = takers_.item(item);
        return refused_.ok();
      })) {}

JsonStream::~JsonStream() = default;

base::Status JsonStream::Feed(std::string_view part) {
  try {
    while (!part.empty()) {
      if (!inside_) {
        const auto begin = std::min(part.find_first_not_of(" \t\r\n"), part.size());
        part.remove_prefix(begin);
        read_ += begin;
        if (part.empty()) break;
        inside_ = true;
      }
      if (auto parsed = Parse(part); !parsed.ok()) return parsed;
    }
    return base::Done{};
  } catch (const std::exception& failure) {
    return NoJson(failure.what(), read_);
  }
}

base::Status JsonStream::Parse(std::string_view& part) {
  boost::json::error_code error;
  const std::size_t used = parser_->write_some(true, part.data(), part.size(), error);
  read_ += used;
  if (!refused_.ok()) return refused_;
  if (error) return NoJson(error.message(), read_);
  part.remove_prefix(used);
  if (!parser_->done()) return base::Done{};
  inside_ = false;
  const Json document = parser_->handler().Take();
  parser_->reset();
  return takers_.document(document);
}

base::Status JsonStream::End() const {
  if (inside_) return NoJson("it ends too early", read_);
  return base::Done{};
}

}  // namespace ebb::kube
