#include "sim/kdk_error_term.hpp"

#include "core/threads.hpp"

#include <cmath>
#include <cstddef>

namespace pleiad {
namespace {

/// Sums over the bodies of a block: of m V'' and of m a^2, without the powers of G.
struct Parts {
  double second = 0, pulls = 0;
  Parts& operator+=(const Parts& o) {
    second += o.second, pulls += o.pulls;
    return *this;
  }
};

}  // namespace

double kdk_error_term(const Bodies& b, double G, double eps) {
  const auto sum = blocked_sum<Parts>(b.size(), [&](std::size_t begin, std::size_t end) {
    Parts parts;
    for (std::size_t i = begin; i < end; ++i) {
      Vec3<double> a{};
      double second = 0;
      const auto x = b.position(i), v = b.velocity(i);
      for (std::size_t j = 0; j < b.size(); ++j) {
        const auto d = b.position(j) - x, u = b.velocity(j) - v;
        const double r2 = dot(d, d) + eps * eps;
        if (j == i || r2 == 0) continue;
        const double w = b.mass[j] / (r2 * std::sqrt(r2)), along = dot(d, u);
        a += w * d;
        second += w * (dot(u, u) - 3 * along * along / r2);
      }
      parts.second += 0.5 * b.mass[i] * second;  // each pair is met twice
      parts.pulls += b.mass[i] * dot(a, a);
    }
    return parts;
  });
  return G * sum.second / 12 - G * G * sum.pulls / 24;
}

}  // namespace pleiad
