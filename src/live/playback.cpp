#include "live/playback.hpp"

#include "core/clock.hpp"
#include "core/text.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace pleiad::live {

Playback::Playback(const Timeline& timeline, ViewServer& view_server)
    : timeline_(timeline), view_server_(view_server) {
  view_server_.open(timeline_.setting);
  for (const auto& row : timeline_.rows) view_server_.tell(row);
  status_.end = timeline_.setting.list.back().time;
  status_.device = "from disk";
  show(0);
}

void Playback::show(std::size_t k) {
  const std::size_t which = std::min(k, timeline_.setting.list.size() - 1);
  auto snapshot = timeline_.read(which);
  shown_ = which;
  status_.step = snapshot.step, status_.time = snapshot.time;
  view_server_.give([snapshot = std::move(snapshot)](Snapshot& s) mutable { s = std::move(snapshot); });
  tell();
}

/// A snapshot that cannot be read is reported, and the one shown before stays.
void Playback::show_if_whole(std::size_t k) {
  try {
    show(k);
  } catch (const Error& e) {
    playing_ = false;
    tell();
    view_server_.complain(one_line(e.what()));
  }
}

void Playback::tell() {
  status_.index = shown_;
  status_.state = playing_ ? "running" : "paused";
  status_.steps_per_second = playing_ ? rate_ : 0;
  view_server_.tell(status_);
}

void Playback::obey(const Demand& demand) {
  if (const auto* asked = std::get_if<Show>(&demand)) return show_if_whole(asked->index);
  const auto* play = std::get_if<Play>(&demand);
  if (play == nullptr) return;
  // Once more from the beginning, where it has come to its end.
  if (play->on && !playing_ && shown_ + 1 == timeline_.setting.list.size()) show_if_whole(0);
  playing_ = play->on, rate_ = play->rate, next_at_ = seconds() + 1 / rate_;
  tell();
}

void Playback::attend(double longest) {
  const double now = seconds();
  view_server_.await_demand(playing_ ? std::clamp(next_at_ - now, 0.0, longest) : longest);
  // Of many places of a slider that is drawn along, the last counts.
  auto demands = view_server_.demands();
  for (std::size_t k = 0; k < demands.size(); ++k)
    if (k + 1 == demands.size() || !std::holds_alternative<Show>(demands[k]) ||
        !std::holds_alternative<Show>(demands[k + 1]))
      obey(demands[k]);
  if (!playing_ || seconds() < next_at_) return;
  next_at_ = std::max(next_at_ + 1 / rate_, seconds());
  playing_ = shown_ + 2 < timeline_.setting.list.size();
  show_if_whole(shown_ + 1);
}

}  // namespace pleiad::live
