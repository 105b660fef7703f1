#include "live/access_control.hpp"

#include "live/token.hpp"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>
#include <fmt/format.h>

namespace pleiad::live {
namespace {

/// A host name, and the port after it, ":PORT" or nothing.
struct HostParts {
  std::string_view name, port;
};

HostParts parts_of(std::string_view host) {
  const auto end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (end == host.npos) return {host, ""};
  const auto length = host.starts_with('[') ? end + 1 : end;
  return {host.substr(0, length), host.substr(length)};
}

bool is_port(std::string_view text) {
  if (text.empty()) return true;
  if (!text.starts_with(':')) return false;
  text.remove_prefix(1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port > 0 && port < 65536;
}

bool is_numeric(std::string_view name) {
  unsigned char address[16];
  const bool v6 = name.starts_with('[') && name.ends_with(']');
  const std::string text(v6 ? name.substr(1, name.size() - 2) : name);
  return inet_pton(v6 ? AF_INET6 : AF_INET, text.c_str(), address) == 1;
}

/// Any port will do: a tunnel may have another one than the server.
bool is_ours(std::string_view host, const AccessControl& access) {
  const auto [name, port] = parts_of(host);
  if (!is_port(port)) return false;
  return std::ranges::find(access.names, name) != access.names.end() ||
         (access.any_address && is_numeric(name));
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  constexpr std::string_view scheme = "http://";
  return origin.starts_with(scheme) && origin.substr(scheme.size()) == host;
}

/// The token in a query that has nothing else.
std::string_view token_in(std::string_view target) {
  constexpr std::string_view start = "/?token=";
  return target.starts_with(start) ? target.substr(start.size()) : std::string_view{};
}

Verdict refused(unsigned status, std::string_view why) { return {.status = status, .why = why}; }

}  // namespace

std::string AccessControl::cookie_name() const { return fmt::format("pleiad-{}", port); }

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const auto end = std::min(cookies.find(';'), cookies.size());
    auto one = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return one.substr(name.size() + 1);
  }
  return {};
}

Verdict judge(const Asked& asked, const AccessControl& access) {
  if (asked.target.size() > 2048) return refused(414, "The address is too long.");
  if (!is_ours(asked.host, access)) return refused(403, "This is not a name of this server.");
  if (asked.has_origin && !is_same_origin(asked.origin, asked.host))
    return refused(403, "The request comes from a page of another site.");
  if (const auto token = token_in(asked.target); !token.empty()) {
    if (!same_token(token, access.token)) return refused(403, "The token is not that of this run.");
    if (asked.method != "GET" || asked.upgrade) return refused(405, "Only GET is answered.");
    return {.status = 303, .sets_cookie = true};
  }
  const bool by_header = same_token(asked.token, access.token);
  if (!by_header && !same_token(cookie_value(asked.cookie, access.cookie_name()), access.token))
    return refused(asked.token.empty() ? 401 : 403,
                   "Open the address with the token that pleiad has printed.");
  if (asked.method != "GET") return refused(405, "Only GET is answered.");
  if (asked.upgrade) {
    if (asked.target != "/live") return refused(404, "There is nothing at this address.");
    if (!asked.has_origin && !by_header) return refused(403, "A browser must say its origin.");
    return {.status = 101, .socket = true};
  }
  for (const auto& asset : assets())
    if (asset.path == asked.target) return {.status = 200, .asset = &asset};
  return refused(404, "There is nothing at this address.");
}

}  // namespace pleiad::live
