#include "models/mass_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pleiad {

double MassFunction::Part::density(double m) const {
  if (!(width > 0)) return factor * std::pow(m, -slope);
  const double t = (std::log10(m) - centre) / width;
  return factor * std::exp(-0.5 * t * t) / m;
}

double MassFunction::Part::integral(double to, int power) const {
  if (!(width > 0)) {
    const double p = 1 + power - slope;
    return factor * (std::pow(to, p) - std::pow(low, p)) / p;
  }
  // In x = log10 m: m^power = exp(c x), which moves the centre of the normal distribution by c width^2.
  const double c = power * std::numbers::ln10, moved = centre + c * width * width;
  const auto part = [&](double m) {
    return std::erf((std::log10(m) - moved) / (width * std::numbers::sqrt2));
  };
  return factor * std::numbers::ln10 * std::exp(c * centre + 0.5 * c * c * width * width) * width *
         std::sqrt(std::numbers::pi / 2) * (part(to) - part(low));
}

/// The mass below which the part u of the stars is.
double MassFunction::Part::inverse(double u) const {
  if (!(width > 0)) {
    const double p = 1 - slope, from = std::pow(low, p);
    return std::clamp(std::pow(from + u * (std::pow(high, p) - from), 1 / p), low, high);
  }
  const double number = u * integral(high, 0);
  double from = std::log10(low), to = std::log10(high);
  for (int k = 0; k < 52; ++k) {
    const double middle = (from + to) / 2;
    (integral(std::pow(10, middle), 0) < number ? from : to) = middle;
  }
  return std::clamp(std::pow(10, (from + to) / 2), low, high);
}

/// Appends what is between the limits, joined to the part before.
void MassFunction::add(const Part& part) {
  Part p = part;
  p.low = std::max(p.low, low_), p.high = std::min(p.high, high_);
  if (!(p.low < p.high)) return;
  if (!parts_.empty()) p.factor = parts_.back().density(p.low) / p.density(p.low);
  parts_.push_back(p);
  upto_.push_back((upto_.empty() ? 0 : upto_.back()) + p.integral(p.high, 0));
}

MassFunction::MassFunction(Law law, double low, double high) : low_(low), high_(high) {
  constexpr double least = 0, most = std::numeric_limits<double>::infinity();
  switch (law) {
    case Law::kroupa:
      add({.low = least, .high = 0.08, .slope = 0.3});
      add({.low = 0.08, .high = 0.5, .slope = 1.3});
      add({.low = 0.5, .high = most, .slope = 2.3});
      break;
    case Law::salpeter:
      add({.low = least, .high = most, .slope = 2.35});
      break;
    case Law::chabrier:
    case Law::chabrier_system: {
      const bool systems = law == Law::chabrier_system;
      add({.low = least,
           .high = 1,
           .slope = 0,
           .centre = std::log10(systems ? 0.22 : 0.079),
           .width = systems ? 0.57 : 0.69});
      add({.low = 1, .high = most, .slope = 2.3});
      break;
    }
  }
}

double MassFunction::draw(Random& random) const {
  const double u = random.uniform();
  if (parts_.empty() || !(upto_.back() > 0)) return low_;  // limits that are the same, or nearly so
  const double number = u * upto_.back();
  const auto k =
      static_cast<std::size_t>(std::upper_bound(upto_.begin(), upto_.end() - 1, number) - upto_.begin());
  const double before = k == 0 ? 0 : upto_[k - 1];
  return parts_[k].inverse((number - before) / (upto_[k] - before));
}

double MassFunction::mean() const {
  if (parts_.empty() || !(upto_.back() > 0)) return low_;
  double mass = 0;
  for (const Part& part : parts_) mass += part.integral(part.high, 1);
  return std::clamp(mass / upto_.back(), low_, high_);  // between limits that nearly agree digits are lost
}

}  // namespace pleiad
