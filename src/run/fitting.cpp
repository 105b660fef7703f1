#include "run/fitting.hpp"

#include "run/analysis.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Lengths this much apart, relative to the largest of them, are one.
constexpr double same_length = 1e-9;

/// Euclid's; 0 when it comes to less than `least`.
double common_measure(double a, double b, double least) {
  const double scale = std::max(a, b);
  while (b > least) {
    double rest = std::fmod(a, b);
    if (rest <= same_length * scale || b - rest <= same_length * scale) rest = 0;
    a = std::exchange(b, rest);
  }
  return b == 0 ? a : 0;
}

/// A requested time of the run, from its start, and its key.
struct Asked {
  std::string_view key;
  double time, length;
  bool single = false;  ///< not that of an interval, nor the end
};

std::vector<Asked> asked_of(const Options& o, double start) {
  std::vector<Asked> all;
  if (o.time.t_end != open_end) all.push_back({"time.t_end", o.time.t_end, o.time.t_end - start});
  std::vector<Asked> times;
  for (const auto* analysis : analyses()) {
    if (analysis->times == nullptr) continue;
    const auto t = analysis->times(o);
    if (!t.on) continue;
    if (t.interval > 0) all.push_back({t.key, start + t.interval, t.interval});
    for (const double time : t.times) times.push_back({t.times_key, time, time - start, true});
  }
  all.insert(all.end(), times.begin(), times.end());
  return all;
}

/// Text of a number with the fewest digits that give the same value.
std::string digits_of(double dt) {
  for (int digits = 1; digits < 17; ++digits)
    if (auto text = fmt::format("{:.{}g}", dt, digits);
        std::abs(std::strtod(text.c_str(), nullptr) - dt) <= 1e-13 * dt)
      return text;
  return fmt::format("{:.17g}", dt);
}

bool fits(const std::vector<Asked>& asked, double start, double dt) try {
  for (const auto& a : asked) (void)whole_steps(start, dt, a.time);
  return true;
} catch (const UsageError&) {
  return false;
}

std::string proposal(const std::vector<Asked>& asked, double start, double dt) {
  std::vector<double> lengths;
  for (const auto& a : asked) lengths.push_back(a.length);
  const double step = common_step(lengths, dt);
  const auto written = digits_of(step);
  if (!(step > 0) || !fits(asked, start, std::strtod(written.c_str(), nullptr)))
    return "no step fits the end and all outputs: change one of these times";
  return fmt::format("time.dt = {} would fit {}", written,
                     asked.size() > 1 ? "the end and all outputs" : "the end");
}

}  // namespace

double common_step(std::span<const double> lengths, double dt) {
  double measure = 0;
  for (const double length : lengths) {
    if (!(length > 0)) continue;
    measure = measure == 0 ? length : common_measure(measure, length, 1e-6 * std::min(dt, length));
    if (measure == 0) return 0;
  }
  if (measure == 0) return 0;
  return measure / std::max(1.0, std::ceil(measure / dt * (1 - same_length)));
}

double common_multiple(std::span<const double> steps, double most) {
  double multiple = 0;
  for (const double step : steps) {
    if (multiple == 0) {
      multiple = step;
      continue;
    }
    const double measure = common_measure(multiple, step, 1e-6 * std::min(multiple, step));
    if (!(measure > 0)) return 0;
    multiple *= std::nearbyint(step / measure);
    if (!(multiple <= most * (1 + same_length))) return 0;
  }
  return multiple;
}

void need_fitting_steps(const Options& o, double start) {
  if (o.time.meets_times())
    return need_above_rounding(start, o.time.dt, o.time.t_end == open_end ? start : o.time.t_end);
  const bool ensemble = o.ensemble.active();
  const Method method{.dt = o.time.dt, .exact_steps = o.time.exact_steps || ensemble};
  const auto asked = asked_of(o, start);
  for (const auto& a : asked) {
    if (!(a.time >= start)) {
      if (!a.single) continue;  // the check of the end reports this itself
      throw UsageError(
          fmt::format("{}: time {} is not in the run's {} to {}", a.key, a.time, start, o.time.t_end));
    }
    const double steps = a.length / o.time.dt;
    const double rounding = 2.3e-16 * (std::abs(start) + std::abs(a.time)) / o.time.dt;
    try {
      (void)moment_at({.start = start, .time = start}, method, a.time);
    } catch (const UsageError& e) {
      const bool uneven = rounding <= 0.1 && steps < 0x1p62;
      throw UsageError(uneven ? fmt::format("{} = {} is {:.9g} steps of time.dt = {}, which must be a whole "
                                            "number {}; {}",
                                            a.key, a.key.ends_with("interval") ? a.length : a.time, steps,
                                            o.time.dt,
                                            ensemble ? "in an ensemble" : "with time.exact_steps = true",
                                            proposal(asked, start, o.time.dt))
                              : fmt::format("{}: {}", a.key, e.what()));
    }
  }
}

void need_fitting_end(const Options& o, const Clock& clock, const Method& method) {
  const double end = o.time.t_end, steps = (end - clock.start) / method.dt;
  if (method.adaptive || !method.exact_steps || !(steps > double(clock.step)) || !(steps < 0x1p53)) return;
  try {
    (void)moment_at(clock, method, end);
  } catch (const UsageError&) {
    const auto at = [&](double step) {
      return time_of_step(clock.start, method.dt, static_cast<std::uint64_t>(step));
    };
    throw UsageError(
        fmt::format("time.t_end = {} is {:.9g} steps of time.dt = {}, which a resumed run keeps: {} or "
                    "{} would be right",
                    end, steps, method.dt, at(std::floor(steps)), at(std::ceil(steps))));
  }
}

}  // namespace pleiad::run
