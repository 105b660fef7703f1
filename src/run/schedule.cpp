#include "run/schedule.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr double most_outputs = 1e8;

void need_few(std::string_view key, double interval, double count) {
  if (count > most_outputs)
    throw UsageError(fmt::format("{} = {} would mean {:.3g} outputs; at most {:g} are allowed", key, interval,
                                 count, most_outputs));
}

}  // namespace

Schedule::Schedule(std::string_view key, const Clock& clock, const Method& method, double interval,
                   const std::vector<double>& times, double t_end, std::string_view times_key)
    : method_(method) {
  const double start = clock.start;
  const auto meet = [&](double time, std::string_view asks) {
    try {
      return moment_at(clock, method, time);
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("{}: {}", asks, e.what()));
    }
  };
  if (!(interval >= 0)) throw UsageError(fmt::format("{} = {} must be >= 0", key, interval));
  moments_.push_back({.time = start});
  const Moment end = meet(t_end, "time.t_end");
  const double count = interval > 0 ? (t_end - start) / interval : 0;
  if (interval > 0) need_few(key, interval, count);
  // Multiples of whole steps are counted in steps.
  Moment first;
  if (interval > 0 && !method.adaptive) first = meet(start + interval, key);
  if (first.step > 0 && first.ahead == 0) {
    for (std::uint64_t k = 1; k <= end.step / first.step; ++k)
      moments_.push_back({.time = time_of_step(start, method.dt, k * first.step), .step = k * first.step});
  } else if (interval > 0) {
    if (method.exact_steps && !method.adaptive)
      throw UsageError(fmt::format("{} = {} is shorter than a step, {}", key, interval, method.dt));
    // A multiple that differs from t_end by rounding is the end.
    for (std::uint64_t k = 1; double(k) < count - 1e-12 * count; ++k)
      moments_.push_back(
          meet(method.adaptive ? start + double(k) * interval : time_of_step(start, interval, k), key));
  }
  for (const double t : times) {
    if (!(t >= start && t <= t_end))
      throw UsageError(fmt::format("{}: time {} is not in the run's {} to {}", times_key, t, start, t_end));
    moments_.push_back(meet(t, times_key));
  }
  moments_.push_back(end);
  std::ranges::sort(moments_, [this](const Moment& a, const Moment& b) { return before(a, b); });
  const auto same = [this](const Moment& a, const Moment& b) { return !before(a, b) && !before(b, a); };
  moments_.erase(std::unique(moments_.begin(), moments_.end(), same), moments_.end());
}

bool Schedule::due(const Moment& now) const {
  return std::ranges::binary_search(moments_, now,
                                    [this](const Moment& a, const Moment& b) { return before(a, b); });
}

std::size_t Schedule::to_come(const Moment& now) const {
  const auto coming = std::ranges::count_if(moments_, [&](const Moment& m) { return !before(m, now); });
  return static_cast<std::size_t>(coming) - (now.step > 0 && due(now) ? 1 : 0);
}

Moment Schedule::next_after(const Moment& now) const {
  const auto next = std::ranges::upper_bound(
      moments_, now, [this](const Moment& a, const Moment& b) { return before(a, b); });
  return next == moments_.end() ? moments_.back() : *next;
}

}  // namespace pleiad::run
