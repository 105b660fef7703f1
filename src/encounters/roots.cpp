#include "encounters/roots.hpp"

namespace pleiad::encounters {
namespace {

/// c[1] + 2 c[2] s + 3 c[3] s^2 + ...
double slope(std::span<const double> c, double s) {
  double sum = 0;
  for (std::size_t k = c.size() - 1; k > 0; --k) sum = sum * s + double(k) * c[k];
  return sum;
}

}  // namespace

double value(std::span<const double> c, double s) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * s + c[k];
  return sum;
}

/// Newton's method, and a bisection wherever it would leave the interval or shrinks it by less than half.
double sign_change(std::span<const double> c, double a, double b, bool rising) {
  double s = 0.5 * (a + b);
  for (int k = 0; k < 200 && a < s && s < b; ++k) {
    const double f = value(c, s), width = b - a;
    if (f == 0) return s;
    ((f < 0) == rising ? a : b) = s;
    const double newton = s - f / slope(c, s);
    const bool shrinks = b - a < 0.5 * width || (newton - s) * (newton - s) < 1e-4 * width * width;
    s = shrinks && newton > a && newton < b ? newton : 0.5 * (a + b);
  }
  return s;
}

Points sign_changes(std::span<const double> c) {
  Points found;
  if (c.size() < 2) return found;
  std::array<double, 5> derivative{};
  for (std::size_t k = 1; k < c.size(); ++k) derivative[k - 1] = double(k) * c[k];
  auto ends = sign_changes(std::span<const double>(derivative).first(c.size() - 1));
  double a = 0, at_a = value(c, 0);
  const auto part = [&](double b) {
    const double at_b = value(c, b);
    if ((at_a < 0) != (at_b < 0)) {
      const double s = sign_change(c, a, b, at_a < 0);
      if (s > 0 && s < 1) found.add(s);
    }
    a = b, at_a = at_b;
  };
  for (const double s : ends.all()) part(s);
  part(1);
  return found;
}

}  // namespace pleiad::encounters
