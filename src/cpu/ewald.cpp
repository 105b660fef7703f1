#include "cpu/ewald.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::cpu {
namespace {

constexpr double pi = std::numbers::pi;

/// The integral over [low, high] by Gauss and Legendre's rule of ten points, exact to degree 19.
template <class Function>
double integral(double low, double high, const Function& f) {
  constexpr std::array points{0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                              0.9739065285171717};
  constexpr std::array weights{0.2955242247147529, 0.2692667193099964, 0.2190863625159820, 0.1494513491505806,
                               0.0666713443086881};
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  double sum = 0;
  for (std::size_t k = 0; k < points.size(); ++k)
    sum += weights[k] * (f(middle - half * points[k]) + f(middle + half * points[k]));
  return half * sum;
}

/// Exponential integral of order two, E_2(x) = int_0^1 exp(-x / v) dv, for x >= 0: by parts from E_1, which
/// is a series below 1 and a continued fraction (Lentz) above (Abramowitz and Stegun 5.1.11, 5.1.14, 5.1.22).
double exponential_integral(double x) {
  if (x == 0) return 1;
  if (x < 1) {
    double sum = -std::numbers::egamma - std::log(x), term = -1;
    for (int k = 1; k < 30; ++k) {
      term *= -x / k;
      sum += term / k;
    }
    return std::exp(-x) - x * sum;
  }
  double b = x + 1, c = 1e300, d = 1 / b, h = d;
  for (int k = 1; k < 300; ++k) {
    const double a = -double(k) * k;
    b += 2;
    d = 1 / (a * d + b), c = b + a / c;
    h *= c * d;
  }
  return std::exp(-x) * (1 - x * h);
}

/// H_0 or H_1 of x >= 0: sums of positive terms,
///   erf(z) = 2 / sqrt(pi) exp(-z^2) sum_k 2^k z^(2k+1) / (2k+1)!!.
double smooth_of(int which, double x) {
  double term = which == 0 ? 1 : 2.0 / 3, sum = 0;
  for (int k = which; k < 400 && term > 1e-18 * sum; ++k) {
    sum += term;
    term *= 2 * x / (2 * k + 3);
  }
  return 2 / std::sqrt(pi) * std::exp(-x) * sum;
}

EwaldWaves waves_of(Vec3<double> length, double greatest, EwaldSplit& split) {
  EwaldWaves waves;
  const Vec3<double> unit{2 * pi / length.x, 2 * pi / length.y, 2 * pi / length.z};
  waves.most = {int(greatest / unit.x), int(greatest / unit.y), int(greatest / unit.z)};
  for (int a = 0; a <= waves.most[0]; ++a)
    for (int b = a == 0 ? 0 : -waves.most[1]; b <= waves.most[1]; ++b) {
      const double x = a * unit.x, y = b * unit.y, left = greatest * greatest - x * x - y * y;
      if (left < 0) continue;
      const int last = int(std::sqrt(left) / unit.z);
      const std::size_t at = waves.amplitude.size();
      waves.rows.push_back({a, b, last, at});
      waves.amplitude.resize(at + (std::size_t(last) + 8) / 8 * 8);
      for (int c = a == 0 && b == 0 ? 1 : 0; c <= last; ++c) {
        const double z = c * unit.z;
        waves.amplitude[at + std::size_t(c)] = 2 * split.amplitude(x * x + y * y + z * z);
      }
    }
  return waves;
}

}  // namespace

EwaldSplit::EwaldSplit(Vec3<double> length, double eps, double alpha)
    : alpha_(alpha),
      eps2_(eps * eps),
      volume_(length.x * length.y * length.z),
      mean_(pi / (alpha * alpha * volume_) * exponential_integral(alpha * alpha * eps * eps)),
      own_(smooth(eps * eps)) {}

double EwaldSplit::amplitude(double k2) {
  const auto [at, is_new] = known_.try_emplace(k2);
  if (!is_new) return at->second;
  double softened = 1;
  if (eps2_ > 0) {
    const double from = 1 / (alpha_ * alpha_), slope = 4 / k2;
    const auto f = [&](double w) { return std::exp(-w - eps2_ / (from + slope * w)); };
    // The second exponential changes over lengths of from / slope, or eps2 / slope if that is longer.
    double low = 0, high = std::min(1.0, 0.25 * from / slope);
    softened = 0;
    while (low < 45) {
      softened += integral(low, high, f);
      low = high;
      high = std::min(1.5 * low, low + 2);
    }
  }
  return at->second = 4 * pi / (volume_ * k2) * std::exp(-k2 / (4 * alpha_ * alpha_)) * softened;
}

double EwaldSplit::smooth(double s2) const {
  const double x = alpha_ * alpha_ * s2;
  return x < 1 ? alpha_ * smooth_of(0, x) : std::erf(std::sqrt(x)) / std::sqrt(s2);
}

std::shared_ptr<const Ewald> ewald_of(Vec3<double> length, double eps, double narrow) {
  struct Kept {
    Vec3<double> length;
    double eps, narrow;
    std::shared_ptr<const Ewald> what;
  };
  static std::mutex mutex;
  static std::vector<Kept> kept;
  const std::lock_guard lock(mutex);
  for (const auto& k : kept)
    if (k.length == length && k.eps == eps && k.narrow == narrow) return k.what;
  auto made = std::make_shared<Ewald>();
  made->cut = 0.5 * std::min({length.x, length.y, length.z});
  made->narrow = narrow;
  const double alpha = narrow / made->cut;
  EwaldSplit split(length, eps, alpha);
  made->mean = split.mean(), made->own = split.own();
  // exp(-k^2 / 4 alpha^2) as small as exp(-alpha^2 cut^2).
  made->waves = waves_of(length, 2 * alpha * narrow, split);
  constexpr std::size_t most = 4;
  if (kept.size() == most) kept.erase(kept.begin());
  kept.push_back({length, eps, narrow, made});
  return made;
}

void need_box_for_all_images(const Boundary& boundary) {
  const auto& l = boundary.length;
  const double least = std::min({l.x, l.y, l.z}), most = std::max({l.x, l.y, l.z});
  if (!(least > 0 && std::isfinite(most)))
    throw UsageError(
        fmt::format("gravity.images = \"all\" (Ewald summation) needs a box with three sides, not {} x {} x "
                    "{}; use gravity.images = \"nearest\"",
                    l.x, l.y, l.z));
  if (most > 8 * least)
    throw UsageError(
        fmt::format("all images: the sides {} x {} x {} of the box differ by more than a factor of 8; take a "
                    "box nearer to a cube, or gravity.images = \"nearest\"",
                    l.x, l.y, l.z));
}

std::vector<double> smooth_polynomial(int which, double narrow, int n) {
  const auto m = static_cast<std::size_t>(n) + 1;
  std::vector<double> coefficients(m), before(m), now(m), next(m);
  now[0] = 1;
  for (std::size_t a = 0; a < m; ++a) {
    double c = 0;
    for (std::size_t i = 0; i < m; ++i) {
      const double t = pi * (double(i) + 0.5) / double(m), x = 0.5 * narrow * narrow * (1 + std::cos(t));
      c += smooth_of(which, x) * std::cos(double(a) * t);
    }
    c *= (a == 0 ? 1.0 : 2.0) / double(m);
    for (std::size_t i = 0; i < m; ++i) coefficients[i] += c * now[i];
    // Chebyshev's T_(a+1) = 2 u T_a - T_(a-1), and T_1 = u.
    for (std::size_t i = 0; i < m; ++i) next[i] = (i > 0 ? (a == 0 ? 1 : 2) * now[i - 1] : 0) - before[i];
    before = now, now = next;
  }
  return coefficients;
}

}  // namespace pleiad::cpu
