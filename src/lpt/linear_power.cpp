#include "lpt/linear_power.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace pleiad::lpt {
namespace {

/// Transform of a sphere of radius 1 with the mean 1.
double sphere(double x) {
  // The series, where the difference below would lose digits: its next term is x^6 / 15120.
  if (x < 0.02) return 1 - x * x / 10 + x * x * x * x / 280;
  return 3 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
}

}  // namespace

LinearPower LinearPower::times(double factor) const {
  return {[at = at, factor](double k) { return factor * at(k); }, range, source};
}

LinearPower power_law(const std::function<double(double)>& transfer, double n_s, std::string source) {
  return {[transfer, n_s](double k) {
            const double t = transfer(k);
            return std::pow(k, n_s) * t * t;
          },
          {0, std::numeric_limits<double>::infinity()},
          std::move(source)};
}

double sigma(const LinearPower& power, double radius) {
  if (!(power.range.low * radius <= 0.016 && power.range.high * radius >= 40))
    throw UsageError(
        fmt::format("{} has k = {:g} to {:g} h/Mpc; the variance in spheres of {:g} Mpc/h needs {:g} to {:g}",
                    power.source, power.range.low, power.range.high, radius, 0.016 / radius, 40 / radius));
  // Of a smooth integrand in ln k, that falls as k^(n_s + 3) and k^-5 (with the mean of the oscillations);
  // panels are 2e-3, so that the shortest oscillation, with the period pi in x <= 200, has eight places.
  const double low = std::log(std::max(power.range.low, 1e-7 / radius)),
               high = std::log(std::min(power.range.high, 200 / radius));
  const auto panels = std::size_t(std::ceil((high - low) / 2e-3));
  const double step = (high - low) / double(panels);
  const auto integrand = [&](double log_k) {
    const double k = std::exp(log_k), w = sphere(k * radius);
    return k * k * k * power.at(k) * w * w;
  };
  // Simpson's rule in each panel.
  const double sum = blocked_sum<double>(panels, [&](std::size_t begin, std::size_t end) {
    double part = 0;
    for (std::size_t p = begin; p < end; ++p) {
      const double at = low + double(p) * step;
      part += (integrand(at) + 4 * integrand(at + step / 2) + integrand(std::min(at + step, high))) / 6;
    }
    return part;
  });
  return std::sqrt(sum * step / (2 * std::numbers::pi * std::numbers::pi));
}

LinearPower with_sigma8(const LinearPower& power, double sigma8) {
  const double ratio = sigma8 / sigma(power, 8);
  return power.times(ratio * ratio);
}

double amplitude_of(double a_s, double n_s, double omega_m, double h, double growth) {
  constexpr double pivot = 0.05, light_km_s = 299792.458;
  // delta = (2/5) (k c / H0)^2 / omega_m R T D; P_R = 2 pi^2 / k^3 A_s (k / pivot)^(n_s - 1).
  const double hubble = 100 / light_km_s;  // h/Mpc
  const double factor = 0.4 * growth / (omega_m * hubble * hubble);
  return 2 * std::numbers::pi * std::numbers::pi * a_s * factor * factor * std::pow(pivot / h, 1 - n_s);
}

}  // namespace pleiad::lpt
