#include "run/progress.hpp"

#include "core/print.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::run {

void Bar::clear() {
  if (drawn_) write_err("\r\033[K");
  drawn_ = false;
}

void Bar::draw(const State& state) {
  last_ = Clock::now();
  const double done = t_end_ > start_time_ ? (state.time - start_time_) / (t_end_ - start_time_) : 1;
  const int full = static_cast<int>(done * 24);
  std::string bar(24, '-');
  for (int i = 0; i < full && i < 24; ++i) bar[static_cast<std::size_t>(i)] = '#';
  print_err("\r\033[K[{}] {:3.0f} %  t = {:.4g}  {}{}interactions/s  {} left{}", bar, 100 * done, state.time,
            state.before, metric(state.interactions / seconds()),
            done > 0 ? duration(seconds() / done * (1 - done)) : "?", state.after);
  drawn_ = true;
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  const auto s = static_cast<long long>(std::llround(seconds));
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  if (s < 48 * 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string metric(double value) {
  constexpr std::array<std::pair<double, const char*>, 4> scales{
      {{1e12, "T "}, {1e9, "G "}, {1e6, "M "}, {1e3, "k "}}};
  for (const auto& [scale, prefix] : scales)
    if (value >= scale) return fmt::format("{:.3g} {}", value / scale, prefix);
  return fmt::format("{:.3g} ", value);
}

}  // namespace pleiad::run
