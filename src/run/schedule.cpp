#include "run/schedule.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::run {

Schedule::Schedule(std::string_view key, const Clock& clock, const Method& method, double interval,
                   const std::vector<double>& times, double t_end) {
  const double start = clock.start, dt = method.dt;
  const bool fixed = !method.adaptive;
  const auto meet = [&](double time) {
    try {
      return fixed ? start + static_cast<double>(whole_steps(start, dt, time)) * dt : time;
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("{}: {}", key, e.what()));
    }
  };
  if (interval < 0) throw UsageError(fmt::format("{} = {} must be >= 0", key, interval));
  const double count = interval > 0 ? (t_end - start) / interval : 0;
  if (count > 1e8)
    throw UsageError(
        fmt::format("{} = {} would mean {:.3g} outputs; at most 1e8 are allowed", key, interval, count));
  if (interval > 0) meet(start + interval);
  times_.push_back(start);
  for (double k = 1; k <= count * (1 + 1e-12); ++k) times_.push_back(meet(start + k * interval));
  for (const double t : times) {
    if (!(t >= start && t <= t_end))
      throw UsageError(fmt::format("{}: time {} is not in the run's {} to {}", key, t, start, t_end));
    times_.push_back(meet(t));
  }
  times_.push_back(meet(t_end));
  std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  // An interval's last multiple and t_end may differ by rounding in an adaptive run.
  if (times_.size() > 1 && times_.back() - times_[times_.size() - 2] <= 1e-12 * interval)
    times_.erase(times_.end() - 2);
}

bool Schedule::due(double time) const { return std::binary_search(times_.begin(), times_.end(), time); }

double Schedule::next_after(double time) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  return next == times_.end() ? times_.back() : *next;
}

std::size_t Schedule::index(double time) const {
  return static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
}

}  // namespace pleiad::run
