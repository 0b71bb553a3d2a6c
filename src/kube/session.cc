#include "kube/session.h"

#include <array>

#include "base/text.h"
#include "kube/files.h"
#include "kube/json.h"

namespace ebb::kube {
namespace {

constexpr auto kKeys = std::to_array<std::string_view>({"message"});

base::Result<std::string> Load(const Material& material) {
  return material.file.empty() ? material.data : ReadFile(material.file);
}

std::string Trimmed(std::string text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

bool Same(const http::Tls& a, const http::Tls& b) {
  return a.ca == b.ca && a.certificate == b.certificate && a.key == b.key;
}

base::ErrorCode CodeOf(int status) {
  if (status == 410) return base::ErrorCode::kConflict;
  return status == 429 || status >= 500 ? base::ErrorCode::kUnavailable
                                        : base::ErrorCode::kInternal;
}

// What the server says in words: the message of a Status, or the beginning of its text.
std::string WordsOf(const http::Response& answer) {
  constexpr std::size_t kEnough = 200;
  const auto document = ReadJson(answer.body, kKeys);
  std::string words = answer.body;
  if (document.ok()) words = Fields(*document, "").Text("message");
  return base::OneLine(Trimmed(words.substr(0, kEnough)));
}

base::Error Refused(const std::string& server, const http::Response& answer) {
  std::string message = server + ": ";
  if (answer.status == 401) message += "our credentials are not accepted";
  if (answer.status == 403) message += "we may not read this";
  message += (answer.status == 401 || answer.status == 403) ? " (" : "it answers ";
  message += std::to_string(answer.status);
  if (answer.status == 401 || answer.status == 403) message += ")";
  const std::string words = WordsOf(answer);
  if (!words.empty()) message += ": " + words;
  return {CodeOf(answer.status), message};
}

}  // namespace

base::Result<std::string> Session::Get(const std::string& target) {
  auto answer = Ask(target);
  // What a plugin gave may be revoked before it expires: one more time with something fresh.
  if (answer.ok() && answer->status == 401 && credential_) {
    credential_.reset();
    answer = Ask(target);
  }
  if (!answer.ok()) return answer.error();
  if (answer->status != 200) return Refused(access_.server, *answer);
  return std::move(answer->body);
}

base::Result<http::Response> Session::Ask(const std::string& target) {
  http::Tls tls{.server_name = access_.server_name, .insecure = access_.insecure};
  const auto token = TokenAndTls(tls);
  if (!token.ok()) return token.error();
  if (!client_ || !Same(tls, tls_)) {
    if (auto connected = Connect(std::move(tls)); !connected.ok()) return connected.error();
  }
  return client_->Get(target, *token);
}

base::Result<std::string> Session::TokenAndTls(http::Tls& tls) {
  const std::array<std::pair<const Material*, std::string*>, 3> parts{
      {{&access_.ca, &tls.ca}, {&access_.certificate, &tls.certificate}, {&access_.key, &tls.key}}};
  for (const auto& [material, text] : parts) {
    auto loaded = Load(*material);
    if (!loaded.ok()) return loaded.error();
    *text = std::move(*loaded);
  }
  auto token = Load(access_.token);
  if (!token.ok()) return token.error();
  if (!access_.plugin) return Trimmed(std::move(*token));
  if (auto asked = AskPlugin(); !asked.ok()) return asked.error();
  if (!credential_->key.empty()) {
    tls.certificate = credential_->certificate;
    tls.key = credential_->key;
  }
  return Trimmed(credential_->token);
}

base::Status Session::AskPlugin() {
  const bool expired = credential_ && credential_->expires && *credential_->expires <= clock_.Now();
  if (credential_ && !expired) return base::Done{};
  auto credential = RunPlugin(access_);
  if (!credential.ok()) return credential.error();
  credential_ = std::move(*credential);
  return base::Done{};
}

base::Status Session::Connect(http::Tls tls) {
  auto client = http::Client::Make({.url = access_.server, .tls = tls});
  if (!client.ok()) return client.error().In(access_.server);
  client_ = std::move(*client);
  tls_ = std::move(tls);
  return base::Done{};
}

}  // namespace ebb::kube
