#include "daemon/endpoints.h"

#include "report/metrics.h"
#include "report/pressure.h"
#include "report/status.h"

namespace ebb::daemon {
namespace {

// Twice the longest time between two looks, and a minute for the look itself.
constexpr base::Duration kFresh = std::chrono::minutes(11);

http::Response Text(int status, const std::string& text) {
  return {.status = status, .body = text + "\n"};
}

}  // namespace

http::Response Endpoints::Answer(const http::Request& request) const {
  if (request.path == "/metrics") return Metrics();
  if (request.path == "/healthz") return Healthy();
  if (request.path == "/readyz") return Ready();
  if (request.path == "/status") return Status(request);
  return Text(404, "there are /metrics, /healthz, /readyz and /status");
}

http::Response Endpoints::Metrics() const {
  const Shown shown = board_.Read();
  report::NodeMetrics metrics{.version = version_,
                              .enforcing = shown.enforcing,
                              .paused = shown.paused,
                              .config_reloaded = shown.config_in_force,
                              .config_time = shown.config_time,
                              .outlooks = shown.outlooks,
                              .totals = shown.totals};
  image::Observation now;
  if (shown.view) {
    // The disk as it is, not as it was at the last look.
    now = shown.view->seen;
    if (!shown.disk.empty()) now.filesystems = shown.disk;
    metrics.seen = &now;
    metrics.plan = &shown.view->plan;
    metrics.dead = &shown.view->dead;
    metrics.observation_age = clock_.Elapsed() - shown.view->at;
  }
  return {.content_type = std::string(report::kMetricsContentType),
          .body = report::NodeMetricsText(metrics)};
}

http::Response Endpoints::Healthy() const {
  if (clock_.Elapsed() <= board_.Read().alive_until) return Text(200, "ok");
  return Text(503, "the loop is stuck");
}

http::Response Endpoints::Ready() const {
  const Shown shown = board_.Read();
  if (!shown.trouble.empty()) return Text(503, shown.trouble);
  if (!shown.view) return Text(503, "the node has not been looked at yet");
  if (clock_.Elapsed() - shown.view->at > kFresh) return Text(503, "the last look is too old");
  return Text(200, "ok");
}

http::Response Endpoints::Status(const http::Request& request) const {
  const Shown shown = board_.Read();
  if (!shown.view) {
    return Text(503, shown.trouble.empty() ? "the node has not been looked at yet" : shown.trouble);
  }
  const auto output = request.query.find("output");
  const report::Style style{.format = output == request.query.end()
                                          ? report::Format::kJson
                                          : report::ParseFormat(output->second)};
  const View& view = *shown.view;
  const bool json = style.format == report::Format::kJson;
  return {.content_type = json ? "application/json" : "text/plain; charset=utf-8",
          .body = request.query.contains("pressure")
                      ? report::RenderPressure(view.seen, view.policy, style)
                      : report::RenderStatus(view.seen, view.policy, view.plan, style)};
}

}  // namespace ebb::daemon
