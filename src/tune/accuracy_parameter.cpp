#include "tune/accuracy_parameter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

double& parameter(TreeSettings& s) { return s.mac == Mac::error ? s.tolerance : s.theta; }

/// The error goes about as this power of the accuracy parameter, or a higher one.
double power_of(const TreeSettings& s) { return s.mac == Mac::error ? 0.5 : s.order; }

double within(const TreeSettings& s, double value) { return rounded(std::clamp(value, 1e-9, widest(s))); }

}  // namespace

double rounded(double value) { return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr); }
double accuracy_parameter(const TreeSettings& s) { return s.mac == Mac::error ? s.tolerance : s.theta; }
double widest(const TreeSettings& s) { return s.mac == Mac::error ? 0.99 : 1; }

ParameterSearch::ParameterSearch(const TreeSettings& first, double accuracy)
    : settings_(first), accuracy_(accuracy), power_(1.3 * power_of(first)) {}

void ParameterSearch::found(double error) {
  const double now = accuracy_parameter(settings_), usual = power_of(settings_);
  const bool known = std::isfinite(error) && error > 0;
  if (error <= enough * accuracy_) accurate_ = std::max(accurate_, now);
  else rough_ = std::min(rough_, now);
  if (known && last_error_ > 0 && last_parameter_ != now)
    power_ =
        std::clamp(std::log(error / last_error_) / std::log(now / last_parameter_), 0.4 * usual, 3 * usual);
  if (known) last_parameter_ = now, last_error_ = error;
  // The largest factor in one step: a larger one would be a guess.
  constexpr double farthest = 16;
  const double by = !(error > 0) ? farthest : known ? std::pow(aim * accuracy_ / error, 1 / power_) : 0;
  double next = now * std::clamp(by, 1 / farthest, farthest);
  // So near, another accuracy parameter gains less than other programs disturb.
  const double near = settings_.mac == Mac::error ? 1.25 : 1.025;
  if (accurate_ > 0 && std::isfinite(rough_)) {
    ended_ = rough_ < near * accurate_;
    const double gap = std::max(rough_ / accurate_, 1.0);
    next = std::clamp(next, accurate_ * std::pow(gap, 0.2), accurate_ * std::pow(gap, 0.8));
  } else if (accurate_ > 0) {
    ended_ = accurate_ >= widest(settings_);
    next = std::max(next, near * accurate_);
  } else {
    next = std::min(next, rough_ / near);
  }
  parameter(settings_) = within(settings_, next);
  if (accuracy_parameter(settings_) == now) ended_ = true;
}

TreeSettings loosened(TreeSettings s) {
  parameter(s) = std::min(within(s, parameter(s) * (s.mac == Mac::error ? 1.35 : 1.04)), widest(s));
  return s;
}

TreeSettings tightened(TreeSettings s, double measured, double accuracy) {
  const double before = parameter(s), found = std::isfinite(measured) ? measured : 10 * accuracy;
  const double by = found > 0 ? std::pow(aim * accuracy / found, 1 / power_of(s)) : 0.9;
  parameter(s) = std::min(within(s, before * std::clamp(by, 0.02, 1.0)), rounded(0.9 * before));
  return s;
}

}  // namespace pleiad::tune
