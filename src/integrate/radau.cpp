#include "integrate/radau.hpp"

namespace pleiad::radau {
namespace {

using Real = long double;

struct Value {
  Real value = 0, slope = 0;
};

/// P7 + P8 and its derivative, by Bonnet's recursion (n + 1) P(n+1) = (2 n + 1) x P(n) - n P(n-1).
Value legendre_sum(Real x) {
  Value before{1, 0}, now{x, 1};
  for (int n = 1; n < 7; ++n) {
    const Value next{((2 * n + 1) * x * now.value - n * before.value) / (n + 1),
                     ((2 * n + 1) * (now.value + x * now.slope) - n * before.slope) / (n + 1)};
    before = now, now = next;
  }
  const Value eighth{(15 * x * now.value - 7 * before.value) / 8,
                     (15 * (now.value + x * now.slope) - 7 * before.slope) / 8};
  return {now.value + eighth.value, now.slope + eighth.slope};
}

/// The roots between -1, which is one itself, and 1, in ascending order: a scan in steps far below the
/// distance of two roots brackets each, and Newton's method ends at it.
std::array<Real, order> roots() {
  constexpr int steps = 1000;
  std::array<Real, order> found{};
  std::size_t count = 0;
  const auto at = [](int k) { return -1 + (2 * k + 1) / Real(steps); };
  for (int k = 0; k + 1 < steps && count < order; ++k) {
    if ((legendre_sum(at(k)).value > 0) == (legendre_sum(at(k + 1)).value > 0)) continue;
    Real x = (at(k) + at(k + 1)) / 2;
    for (int i = 0; i < 10; ++i) {
      const auto f = legendre_sum(x);
      x -= f.value / f.slope;
    }
    found[count++] = x;
  }
  return found;
}

Constants computed() {
  Constants c;
  std::array<Real, order> h{};
  const auto x = roots();
  for (std::size_t n = 0; n < order; ++n) h[n] = (x[n] + 1) / 2, c.node[n] = double(h[n]);
  std::array<std::array<Real, order>, order> power{}, newton{};
  for (std::size_t n = 0; n < order; ++n) {
    c.inverse[n][0] = double(1 / h[n]);
    for (std::size_t k = 1; k <= n; ++k) c.inverse[n][k] = double(1 / (h[n] - h[k - 1]));
    // Newton's polynomial n is polynomial n - 1 times (s - h), and s^n is s^(n-1) times (s - h) + h.
    for (std::size_t k = 0; k <= n; ++k) {
      if (n == 0) {
        power[0][0] = newton[0][0] = 1;
        continue;
      }
      const Real lower = k > 0 ? power[n - 1][k - 1] : 0, lower_newton = k > 0 ? newton[n - 1][k - 1] : 0;
      power[n][k] = lower - (k < n ? h[n - 1] * power[n - 1][k] : 0);
      newton[n][k] = lower_newton + (k < n ? h[k] * newton[n - 1][k] : 0);
    }
    for (std::size_t k = 0; k <= n; ++k)
      c.power[n][k] = double(power[n][k]), c.newton[n][k] = double(newton[n][k]);
  }
  return c;
}

}  // namespace

const Constants& constants() {
  static const Constants c = computed();
  return c;
}

double mean(double at_start, const std::array<double, order>& at_nodes) {
  const auto& c = constants();
  std::array<double, order> g{};
  double mean = at_start;
  for (std::size_t n = 0; n < order; ++n) {
    g[n] = (at_nodes[n] - at_start) * c.inverse[n][0];
    for (std::size_t k = 0; k < n; ++k) g[n] = (g[n] - g[k]) * c.inverse[n][k + 1];
    for (std::size_t k = 0; k <= n; ++k) mean += c.power[n][k] * g[n] / double(k + 2);
  }
  return mean;
}

}  // namespace pleiad::radau
