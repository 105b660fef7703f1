#include "live/audience.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace pleiad::live {
namespace {

constexpr std::size_t most_rows = 10'000, most_picks = 64, most_remembered = 64;
constexpr std::size_t most_pictures_remembered = 4;
constexpr double most_near_points = 100'000, bytes_per_near_point = 8;
constexpr double longest_interval = 0.25;  ///< for which points are saved up

}  // namespace

void Audience::tell(Client client, std::string text) {
  outlet_.tell(client, std::make_shared<const std::string>(std::move(text)));
}

void Audience::tell_all(std::string text) {
  const auto message = std::make_shared<const std::string>(std::move(text));
  for (const auto& [client, seat] : seats_) outlet_.tell(client, message);
}

void Audience::open(Setting setting) {
  setting_ = std::move(setting);
  tell_all(hello_text(*setting_));
}

void Audience::admit(Client client) {
  auto& seat = seats_[client];
  if (client == recorder)
    seat.bytes_per_second = recorded_bytes_per_second, seat.frames_per_second = recorded_frames_per_second;
  if (setting_) tell(client, hello_text(*setting_));
  if (!rows_.empty()) tell(client, rows_text(rows_));
  if (!status_.empty()) tell(client, status_);
}

/// Of very many rows every second one is kept, again and again.
void Audience::tell(const Diagnostics& row) {
  tell_all(row_text(row));
  if (rows_seen_++ % every_row_ != 0) return;
  rows_.push_back(row);
  if (rows_.size() < most_rows) return;
  for (std::size_t k = 0; 2 * k < rows_.size(); ++k) rows_[k] = rows_[2 * k];
  rows_.resize((rows_.size() + 1) / 2);
  every_row_ *= 2;
}

void Audience::tell(const Status& status) { tell_all(status_ = status_text(status)); }

void Audience::complain(const std::string& message) {
  for (const auto& [client, seat] : seats_)
    if (client != recorder) tell(client, error_text(message));
}

std::optional<Demand> Audience::hear(Client client, const std::string& text) {
  const auto found = seats_.find(client);
  if (found == seats_.end()) return std::nullopt;
  const auto command = command_of(text);
  if (command) return obey(client, found->second, *command);
  tell(client, error_text("The page has sent what is no command."));
  outlet_.send_away(client);
  return std::nullopt;
}

std::optional<Demand> Audience::obey(Client client, Seat& seat, const Command& command) {
  if (const auto* budget = std::get_if<Budget>(&command)) {
    seat.bytes_per_second = budget->bytes_per_second.value_or(seat.bytes_per_second);
    seat.frames_per_second = std::min(budget->frames_per_second.value_or(seat.frames_per_second), 120.0);
  } else if (const auto* seen = std::get_if<Seen>(&command)) {
    while (!seat.unseen.empty() && seat.unseen.front() <= seen->sequence) seat.unseen.pop_front();
  } else if (std::holds_alternative<NeedKey>(command)) {
    seat.refresh = seat.key = true;
    seat.unseen.clear();
  } else if (const auto* colour = std::get_if<ColourBy>(&command)) {
    seat.refresh = seat.refresh || seat.colour != colour->colour;
    seat.colour = colour->colour;
  } else if (const auto* camera = std::get_if<Camera>(&command)) {
    seat.camera = *camera;
    seat.refresh = seat.refresh || (setting_ && setting_->bodies > most_points_);
  } else if (const auto* asked = std::get_if<Pick>(&command)) {
    pick(client, seat, *asked);
  } else if (const auto* follow = std::get_if<Follow>(&command)) {
    seat.followed = follow->request;
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
std::optional<std::size_t> Audience::body_of(const Named& frame, const Pick& pick) const {
  if (frame.bodies) {  // no deltas follow it
    if (pick.sequence != frame.sequence || pick.index >= frame.bodies->size()) return std::nullopt;
    return (*frame.bodies)[pick.index];
  }
  const auto order = orders_.find(frame.generation);
  const std::size_t at = std::size_t{pick.index} * frame.stride;
  if (order == orders_.end() || at >= order->second.order->size()) return std::nullopt;
  return (*order->second.order)[at];
}

void Audience::pick(Client client, Seat& seat, const Pick& pick) {
  // The last key frame up to the one that is meant.
  const auto after =
      std::ranges::find_if(seat.named, [&](const Named& n) { return n.sequence > pick.sequence; });
  if (after == seat.named.begin() || pick.sequence > seat.sequence)
    return tell(client, no_body_text(pick.request));
  const auto found = body_of(*std::prev(after), pick);
  if (!found) return tell(client, no_body_text(pick.request));
  const std::size_t body = *found;
  seat.picks[pick.request] = body;
  if (seat.picks.size() > most_picks) seat.picks.erase(seat.picks.begin());
  tell(client, picked_text(pick.request, *scene_.snapshot, body));
}

void Audience::see(const Scene& scene, double now) {
  scene_ = scene;
  if (scenes_ > 0) interval_ = 0.7 * interval_ + 0.3 * (now - seen_at_);
  seen_at_ = now;
  ++scenes_;
  orders_[scene.generation] = {.order = scene.order, .generation = scene.generation};
  while (orders_.size() > 2) orders_.erase(orders_.begin());
}

void Audience::send(double now) {
  if (scenes_ == 0) return;
  for (auto& [client, seat] : seats_)
    if (waits(seat) && seat.room_from <= now && (seat.refresh || seat.scene != scenes_))
      send_frame(client, seat, now);
}

double Audience::wants_from() const {
  double from = never;
  for (const auto& [client, seat] : seats_)
    if (waits(seat)) from = std::min(from, seat.room_from);
  return from;
}

double Audience::sends_from() const {
  double from = never;
  if (scenes_ == 0) return from;
  for (const auto& [client, seat] : seats_)
    if (waits(seat) && (seat.refresh || seat.scene != scenes_)) from = std::min(from, seat.room_from);
  return from;
}

double Audience::bytes_until_next(const Seat& seat) const {
  return seat.bytes_per_second * std::max(1 / seat.frames_per_second, std::min(interval_, longest_interval));
}

/// As many points as the budget has bytes for until the next frame. A new stride takes all positions in
/// full, so it is changed only for a good reason.
std::uint16_t Audience::stride_of(const Seat& seat) const {
  const double points = bytes_until_next(seat) / double(PointCoder::bytes_per_point(seat.colour));
  const std::size_t bodies = scene_.order->size();
  const auto best = stride_for(bodies, static_cast<std::size_t>(std::min(points, 1e9)));
  if (seat.named.empty()) return best;
  const double present = seat.named.back().stride, change = best / present;
  return change > 1.5 || change < 0.67 ? best : seat.named.back().stride;
}

/// With points from what the budget has beside the light, or from a quarter of what that takes.
std::string Audience::picture_for(Seat& seat, std::uint32_t sequence) const {
  const auto camera = seat.camera.value_or(camera_for(scene_.box));
  const auto light = static_cast<double>(bytes_of_light(camera));
  const double points = std::max(bytes_until_next(seat) - light, 0.25 * light) / bytes_per_near_point;
  auto picture = encode_picture(scene_, sequence, camera,
                                static_cast<std::size_t>(std::min(points, most_near_points)), seat.colour);
  if (seat.named.size() >= most_pictures_remembered) seat.named.pop_front();
  seat.named.push_back(
      {.sequence = sequence,
       .generation = scene_.generation,
       .stride = 1,
       .bodies = std::make_shared<const std::vector<std::uint32_t>>(std::move(picture.bodies))});
  return std::move(picture.frame);
}

void Audience::send_frame(Client client, Seat& seat, double now) {
  const bool picture = scene_.order->size() > most_points_;
  const auto stride = stride_of(seat);
  const auto sequence = ++seat.sequence;
  auto frame = picture ? picture_for(seat, sequence)
                       : seat.coder.encode(scene_, sequence, stride, seat.colour, seat.key);
  seat.refresh = seat.key = false;
  seat.scene = scenes_;
  // What came late is made up for by the next one, no more.
  const double interval =
      std::max(1 / seat.frames_per_second, static_cast<double>(frame.size()) / seat.bytes_per_second);
  seat.room_from = std::max(seat.room_from, now - interval) + interval;
  if (client != recorder) seat.unseen.push_back(sequence);
  if (header_of(frame)->kind == FrameKind::key) seat.named.push_back({sequence, scene_.generation, stride});
  if (seat.named.size() > most_remembered) seat.named.pop_front();
  outlet_.show(client, std::make_shared<const std::string>(std::move(frame)));
  if (const auto body = seat.followed ? seat.picks.find(*seat.followed) : seat.picks.end();
      body != seat.picks.end())
    tell(client, picked_text(body->first, *scene_.snapshot, body->second));
}

}  // namespace pleiad::live
