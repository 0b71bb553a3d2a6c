#include "http/url.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace ebb::http {
namespace {

bool IsPort(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port > 0 && port < 65536;
}

bool IsHost(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_' || c == ':';
  });
}

bool IsPrefix(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < '\x7f' && std::string_view("?#@\\\"<>").find(c) == std::string::npos;
  });
}

// Takes "host:port" apart; false if it is none.
bool SplitAuthority(std::string_view text, Url& url) {
  const bool bracketed = text.starts_with('[');
  const auto end = bracketed ? text.find(']') : text.rfind(':');
  if (bracketed && end == std::string_view::npos) return false;
  url.host = text.substr(bracketed ? 1 : 0, bracketed ? end - 1 : end);
  if (!bracketed && url.host.find(':') != std::string::npos) return false;
  const auto rest = end == std::string_view::npos ? "" : text.substr(bracketed ? end + 1 : end);
  if (!IsHost(url.host)) return false;
  if (rest.empty()) return true;
  url.port = rest.substr(1);
  return rest.front() == ':' && IsPort(url.port);
}

}  // namespace

base::Result<Url> ParseUrl(std::string_view text) {
  const base::Error wrong{
      base::ErrorCode::kUsage,
      "'" + base::OneLine(text) + "' is no server: write https://HOST:PORT or http://HOST:PORT"};
  Url url;
  std::string_view rest = text;
  url.tls = rest.starts_with("https://");
  if (!url.tls && !rest.starts_with("http://")) return wrong;
  url.port = url.tls ? "443" : "80";
  rest.remove_prefix(rest.find("//") + 2);
  const auto slash = std::min(rest.find('/'), rest.size());
  url.prefix = rest.substr(slash);
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  if (!SplitAuthority(rest.substr(0, slash), url) || !IsPrefix(url.prefix)) return wrong;
  return url;
}

bool IsAddress(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool IsLoopback(std::string_view text) {
  const auto url = ParseUrl(text);
  if (!url.ok()) return false;
  return url->host == "localhost" || url->host == "::1" ||
         (IsAddress(url->host) && url->host.starts_with("127."));
}

}  // namespace ebb::http
