#include "live/audience.hpp"

#include "live/picture.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace pleiad::live {
namespace {

constexpr std::size_t most_rows = 10'000, most_picks = 64, most_remembered = 64;
constexpr double longest_interval = 0.25;  ///< for which points are saved up
constexpr double never = std::numeric_limits<double>::infinity();

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

std::optional<Wish> Audience::hear(Client client, const std::string& text) {
  const auto found = seats_.find(client);
  if (found == seats_.end()) return std::nullopt;
  const auto command = command_of(text);
  if (command) return obey(client, found->second, *command);
  tell(client, error_text("The page has sent what is no command."));
  outlet_.send_away(client);
  return std::nullopt;
}

std::optional<Wish> Audience::obey(Client client, Seat& seat, const Command& command) {
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
    seat.refresh = seat.refresh || (setting_ && setting_->bodies > most_as_points);
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

void Audience::pick(Client client, Seat& seat, const Pick& pick) {
  const auto frame =
      std::ranges::find_if(seat.sent, [&](const Sent& sent) { return sent.sequence == pick.sequence; });
  const auto order = frame == seat.sent.end() ? orders_.end() : orders_.find(frame->generation);
  if (order == orders_.end())
    return tell(client, error_text("That frame is too old to pick a body from it."));
  const std::size_t at = std::size_t{pick.index} * frame->stride;
  if (at >= order->second.order->size()) return tell(client, error_text("That frame has no such point."));
  const std::size_t body = (*order->second.order)[at];
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

/// As many points as the budget has bytes for until the next frame. A new stride takes all positions in
/// full, so it is changed only for a good reason.
std::uint16_t Audience::stride_of(const Seat& seat) const {
  const double interval = std::max(1 / seat.frames_per_second, std::min(interval_, longest_interval)),
               points = seat.bytes_per_second * interval / double(PointCoder::bytes_per_point(seat.colour));
  const std::size_t bodies = scene_.order->size();
  const auto best = stride_for(bodies, static_cast<std::size_t>(std::min(points, 1e9)));
  if (seat.sent.empty()) return best;
  const double present = seat.sent.back().stride, change = best / present;
  return change > 1.5 || change < 0.67 ? best : seat.sent.back().stride;
}

void Audience::send_frame(Client client, Seat& seat, double now) {
  const bool picture = scene_.order->size() > most_as_points;
  const auto stride = stride_of(seat);
  const auto sequence = ++seat.sequence;
  auto frame = picture ? encode_picture(scene_, sequence, seat.camera.value_or(camera_for(scene_.box)))
                       : seat.coder.encode(scene_, sequence, stride, seat.colour, seat.key);
  seat.refresh = seat.key = false;
  seat.scene = scenes_;
  seat.room_from =
      now + std::max(1 / seat.frames_per_second, static_cast<double>(frame.size()) / seat.bytes_per_second);
  if (client != recorder) seat.unseen.push_back(sequence);
  seat.sent.push_back({sequence, scene_.generation, stride});
  if (seat.sent.size() > most_remembered) seat.sent.pop_front();
  outlet_.show(client, std::make_shared<const std::string>(std::move(frame)));
  if (const auto body = seat.followed ? seat.picks.find(*seat.followed) : seat.picks.end();
      body != seat.picks.end())
    tell(client, picked_text(body->first, *scene_.snapshot, body->second));
}

}  // namespace pleiad::live
