#include "kube/session.h"

#include <algorithm>
#include <array>
#include <utility>

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
  if (status == 403) return base::ErrorCode::kUnsupported;
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

}  // namespace

base::Error Session::Refusal(const http::Response& answer) const {
  std::string message = access_.server + ": ";
  if (answer.status == 401) message += "our credentials are not accepted";
  if (answer.status == 403) message += "we may not read this";
  const bool ours = answer.status == 401 || answer.status == 403;
  message += ours ? " (" : "it answers ";
  message += std::to_string(answer.status);
  if (ours) message += ")";
  const std::string words = WordsOf(answer);
  if (!words.empty()) message += ": " + words;
  return {CodeOf(answer.status), message};
}

base::Result<std::string> Session::Get(const std::string& target) {
  auto answer = Ask(target, "application/json");
  if (!answer.ok()) return answer.error();
  if (answer->status != 200) return Refusal(*answer);
  return std::move(answer->body);
}

base::Result<http::Response> Session::Ask(const std::string& target, const std::string& accept) {
  constexpr int kTries = 6;
  constexpr base::Duration kLongest = std::chrono::seconds(10);
  bool renewed = false;
  for (int tries = 1;; ++tries) {
    auto answer = AskOnce(target, accept);
    if (!answer.ok()) return answer;
    // What a plugin gave may be revoked before it expires: one more time with something fresh.
    if (answer->status == 401 && !std::exchange(renewed, true) && Forget()) continue;
    const bool later = (answer->status == 429 || answer->status == 503) && answer->retry_after;
    if (!later || tries == kTries) return answer;
    clock_.SleepFor(std::min(*answer->retry_after, kLongest));
  }
}

base::Result<http::Response> Session::AskOnce(const std::string& target,
                                              const std::string& accept) {
  auto line = TakeLine();
  if (!line.ok()) return line.error();
  line->headers.emplace_back("Accept", accept);
  auto answer = line->client->Get(target, line->headers);
  GiveBack(std::move(*line));
  return answer;
}

base::Result<Session::Line> Session::TakeLine() {
  Line line;
  {
    const base::MutexLock lock(mutex_);
    if (auto ready = Authorize(line); !ready.ok()) return ready.error();
    if (!Same(line.tls, tls_)) waiting_.clear();
    tls_ = line.tls;
    if (!waiting_.empty()) {
      line.client = std::move(waiting_.back());
      waiting_.pop_back();
      return line;
    }
  }
  auto client = http::Client::Make({.url = access_.server, .tls = line.tls, .timeout = timeout_});
  if (!client.ok()) return client.error().In(access_.server);
  line.client = std::move(*client);
  return line;
}

void Session::GiveBack(Line line) {
  const base::MutexLock lock(mutex_);
  if (Same(line.tls, tls_)) waiting_.push_back(std::move(line.client));
}

base::Status Session::Authorize(Line& line) {
  line.tls.server_name = access_.server_name;
  line.tls.insecure = access_.insecure;
  const std::array<std::pair<const Material*, std::string*>, 3> parts{
      {{&access_.ca, &line.tls.ca},
       {&access_.certificate, &line.tls.certificate},
       {&access_.key, &line.tls.key}}};
  for (const auto& [material, text] : parts) {
    auto loaded = Load(*material);
    if (!loaded.ok()) return loaded.error();
    *text = std::move(*loaded);
  }
  const auto token = Token(line.tls);
  if (!token.ok()) return token.error();
  line.headers = access_.headers;
  if (!token->empty()) line.headers.emplace_back("Authorization", "Bearer " + *token);
  return base::Done{};
}

base::Result<std::string> Session::Token(http::Tls& tls) {
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

bool Session::Forget() {
  const base::MutexLock lock(mutex_);
  return std::exchange(credential_, std::nullopt).has_value();
}

}  // namespace ebb::kube
