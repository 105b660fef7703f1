#include "live/client_sessions.hpp"

#include "structure/systems.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

namespace pleiad::live {
namespace {

constexpr std::size_t most_rows = 10'000, most_picks = 64, most_remembered = 64;
constexpr std::size_t most_pictures_remembered = 4;
constexpr double most_near_points = 100'000, bytes_per_near_point = 8;
/// Bodies among which bound systems are looked for: in more, a search for each frame takes too long.
constexpr std::size_t most_searched = 20'000;
constexpr double longest_interval = 0.25;  ///< for which points are saved up

}  // namespace

void ClientSessions::tell(Client client, std::string text) {
  sink_.tell(client, std::make_shared<const std::string>(std::move(text)));
}

void ClientSessions::tell_all(std::string text) {
  const auto message = std::make_shared<const std::string>(std::move(text));
  for (const auto& [client, state] : clients_) sink_.tell(client, message);
}

void ClientSessions::open(Setting setting) {
  setting_ = std::move(setting);
  tell_all(hello_text(*setting_));
}

void ClientSessions::admit(Client client) {
  auto& state = clients_[client];
  if (client == recorder)
    state.bytes_per_second = recorded_bytes_per_second, state.frames_per_second = recorded_frames_per_second;
  if (setting_) tell(client, hello_text(*setting_));
  if (!rows_.empty()) tell(client, rows_text(rows_));
  if (!status_.empty()) tell(client, status_);
}

/// If there are very many rows, every second one is dropped, repeatedly.
void ClientSessions::tell(const Diagnostics& row) {
  tell_all(row_text(row));
  if (rows_seen_++ % every_row_ != 0) return;
  rows_.push_back(row);
  if (rows_.size() < most_rows) return;
  for (std::size_t k = 0; 2 * k < rows_.size(); ++k) rows_[k] = rows_[2 * k];
  rows_.resize((rows_.size() + 1) / 2);
  every_row_ *= 2;
}

void ClientSessions::tell(const Status& status) { tell_all(status_ = status_text(status)); }

void ClientSessions::complain(const std::string& message) {
  for (const auto& [client, state] : clients_)
    if (client != recorder) tell(client, error_text(message));
}

std::optional<Demand> ClientSessions::hear(Client client, const std::string& text) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return std::nullopt;
  const auto command = command_of(text);
  if (command) return obey(client, found->second, *command);
  tell(client, error_text("The page has sent what is no command."));
  sink_.send_away(client);
  return std::nullopt;
}

std::optional<Demand> ClientSessions::obey(Client client, ClientState& state, const Command& command) {
  if (const auto* budget = std::get_if<Budget>(&command)) {
    state.bytes_per_second = budget->bytes_per_second.value_or(state.bytes_per_second);
    state.frames_per_second = std::min(budget->frames_per_second.value_or(state.frames_per_second), 120.0);
  } else if (const auto* seen = std::get_if<Seen>(&command)) {
    while (!state.unseen.empty() && state.unseen.front() <= seen->sequence) state.unseen.pop_front();
  } else if (std::holds_alternative<NeedKey>(command)) {
    state.refresh = state.key = true;
    state.unseen.clear();
  } else if (const auto* colour = std::get_if<ColourBy>(&command)) {
    state.refresh = state.refresh || state.colour != colour->colour;
    state.colour = colour->colour;
  } else if (const auto* camera = std::get_if<Camera>(&command)) {
    state.camera = *camera;
    state.refresh = state.refresh || (setting_ && setting_->bodies > most_points_);
  } else if (const auto* asked = std::get_if<Pick>(&command)) {
    pick(client, state, *asked);
  } else if (const auto* follow = std::get_if<Follow>(&command)) {
    state.followed = follow->request;
  } else if (const auto* binaries = std::get_if<Binaries>(&command)) {
    state.refresh = state.refresh || (binaries->on && !state.binaries);
    state.binaries = binaries->on;
  } else if (const auto* control = std::get_if<Control>(&command)) {
    if (setting_ && setting_->control) return *control;
    tell(client, error_text("This run was not started with --live-control."));
  } else if (setting_ && setting_->files) {
    if (const auto* show = std::get_if<Show>(&command)) return *show;
    return std::get<Play>(command);
  } else {
    tell(client, error_text("A run has no other times to show."));
  }
  return std::nullopt;
}

/// The number of the body that a point is.
std::optional<std::size_t> ClientSessions::body_of(const Named& frame, const Pick& pick) const {
  if (frame.bodies) {  // no deltas follow it
    if (pick.sequence != frame.sequence || pick.index >= frame.bodies->size()) return std::nullopt;
    return (*frame.bodies)[pick.index];
  }
  const auto order = orders_.find(frame.generation);
  const std::size_t at = std::size_t{pick.index} * frame.stride;
  if (order == orders_.end() || at >= order->second.order->size()) return std::nullopt;
  return (*order->second.order)[at];
}

void ClientSessions::pick(Client client, ClientState& state, const Pick& pick) {
  // The last key frame up to the one that is meant.
  const auto after =
      std::ranges::find_if(state.named, [&](const Named& n) { return n.sequence > pick.sequence; });
  if (after == state.named.begin() || pick.sequence > state.sequence)
    return tell(client, no_body_text(pick.request));
  const auto found = body_of(*std::prev(after), pick);
  if (!found) return tell(client, no_body_text(pick.request));
  const std::size_t body = *found;
  state.picks[pick.request] = body;
  if (state.picks.size() > most_picks) state.picks.erase(state.picks.begin());
  tell(client, picked_text(pick.request, *scene_.snapshot, body));
}

void ClientSessions::see(const Scene& scene, double now) {
  scene_ = scene;
  if (scenes_ > 0) interval_ = 0.7 * interval_ + 0.3 * (now - seen_at_);
  seen_at_ = now;
  ++scenes_;
  orders_[scene.generation] = {.order = scene.order, .generation = scene.generation};
  while (orders_.size() > 2) orders_.erase(orders_.begin());
}

void ClientSessions::send(double now) {
  if (scenes_ == 0) return;
  for (auto& [client, state] : clients_)
    if (waits(state) && state.room_from <= now && (state.refresh || state.scene != scenes_))
      send_frame(client, state, now);
}

double ClientSessions::wants_from() const {
  double from = never;
  for (const auto& [client, state] : clients_)
    if (waits(state)) from = std::min(from, state.room_from);
  return from;
}

double ClientSessions::sends_from() const {
  double from = never;
  if (scenes_ == 0) return from;
  for (const auto& [client, state] : clients_)
    if (waits(state) && (state.refresh || state.scene != scenes_)) from = std::min(from, state.room_from);
  return from;
}

double ClientSessions::bytes_until_next(const ClientState& state) const {
  return state.bytes_per_second *
         std::max(1 / state.frames_per_second, std::min(interval_, longest_interval));
}

/// As many points as the budget has bytes for until the next frame. A new stride takes all positions in
/// full, so it is changed only for a good reason.
std::uint16_t ClientSessions::stride_of(const ClientState& state) const {
  const double points = bytes_until_next(state) / double(PointCoder::bytes_per_point(state.colour));
  const std::size_t bodies = scene_.order->size();
  const auto best = stride_for(bodies, static_cast<std::size_t>(std::min(points, 1e9)));
  if (state.named.empty()) return best;
  const double present = state.named.back().stride, change = best / present;
  return change > 1.5 || change < 0.67 ? best : state.named.back().stride;
}

/// A picture, with points for the bytes of the budget that are left, or for a quarter of the bytes of the
/// picture.
std::string ClientSessions::picture_for(ClientState& state, std::uint32_t sequence) const {
  const auto camera = state.camera.value_or(camera_for(scene_.box));
  const auto light = static_cast<double>(bytes_of_light(camera));
  const double points = std::max(bytes_until_next(state) - light, 0.25 * light) / bytes_per_near_point;
  auto picture = encode_picture(scene_, sequence, camera,
                                static_cast<std::size_t>(std::min(points, most_near_points)), state.colour);
  if (state.named.size() >= most_pictures_remembered) state.named.pop_front();
  state.named.push_back(
      {.sequence = sequence,
       .generation = scene_.generation,
       .stride = 1,
       .bodies = std::make_shared<const std::vector<std::uint32_t>>(std::move(picture.bodies))});
  return std::move(picture.frame);
}

void ClientSessions::send_frame(Client client, ClientState& state, double now) {
  const bool picture = scene_.order->size() > most_points_;
  const auto stride = stride_of(state);
  const auto sequence = ++state.sequence;
  auto frame = picture ? picture_for(state, sequence)
                       : state.coder.encode(scene_, sequence, stride, state.colour, state.key);
  state.refresh = state.key = false;
  state.scene = scenes_;
  // The next frame makes up for a late one, but for no more than one.
  const double interval =
      std::max(1 / state.frames_per_second, static_cast<double>(frame.size()) / state.bytes_per_second);
  state.room_from = std::max(state.room_from, now - interval) + interval;
  if (client != recorder) state.unseen.push_back(sequence);
  if (header_of(frame)->kind == FrameKind::key) state.named.push_back({sequence, scene_.generation, stride});
  if (state.named.size() > most_remembered) state.named.pop_front();
  sink_.show(client, std::make_shared<const std::string>(std::move(frame)));
  if (const auto body = state.followed ? state.picks.find(*state.followed) : state.picks.end();
      body != state.picks.end())
    tell(client, picked_text(body->first, *scene_.snapshot, body->second));
  if (state.binaries) tell(client, binaries_now());
}

/// The message of the bound systems in this state of the scene, found once for all clients.
const std::string& ClientSessions::binaries_now() {
  if (binaries_of_ == scenes_) return binaries_;
  const auto& s = *scene_.snapshot;
  if (s.boundary.periodic || s.bodies.size() > most_searched) {
    binaries_ = no_binaries_text(s.time);
  } else {
    std::vector<std::size_t> all(s.bodies.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    binaries_ = binaries_text(s.time, structure::find_systems(s, all));
  }
  binaries_of_ = scenes_;
  return binaries_;
}

}  // namespace pleiad::live
