#include "engine/implicit_kick.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr int most_iterations = 100;
/// Stages have settled when the rest would change a velocity by less than its rounding error.
constexpr double settled = std::numeric_limits<double>::epsilon() / 2;
/// Where roundings keep them from settling, a change that has stopped to fall may be this large.
constexpr double rounding = 1e-12;

/// Gauss's method of four stages: its nodes are the zeros of the Legendre polynomial of degree 4 on [0, 1],
/// and a row of `a` integrates the polynomial through the stages up to its node.
GaussTable four_stages() {
  constexpr long double half = 0.5L;
  const long double inner = half * std::sqrt((3 - 2 * std::sqrt(1.2L)) / 7),
                    outer = half * std::sqrt((3 + 2 * std::sqrt(1.2L)) / 7);
  const std::array c{half - outer, half - inner, half + inner, half + outer};
  GaussTable table;
  for (std::size_t j = 0; j < 4; ++j) {
    std::array<long double, 4> power{1};  // of the Lagrange polynomial that is 1 at node j
    std::size_t degree = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (k == j) continue;
      const long double scale = 1 / (c[j] - c[k]);
      ++degree;
      for (std::size_t p = degree; p > 0; --p) power[p] = (power[p - 1] - c[k] * power[p]) * scale;
      power[0] *= -c[k] * scale;
    }
    const auto integral = [&](long double to) {
      long double sum = 0;
      for (std::size_t p = 4; p-- > 0;) sum = (sum + power[p] / (p + 1)) * to;
      return static_cast<double>(sum);
    };
    for (std::size_t i = 0; i < 4; ++i) table.a[i][j] = integral(c[i]);
    table.b[j] = integral(1), table.c[j] = static_cast<double>(c[j]);
  }
  return table;
}

}  // namespace

/// Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, section II.7.
const GaussTable& gauss_table(int stages) {
  static const auto tables = [] {
    const double third = std::sqrt(3.0) / 6, fifth = std::sqrt(15.0);
    std::array<GaussTable, 4> all{};
    all[0] = {.a = {{{0.5}}}, .b = {1}, .c = {0.5}};
    all[1] = {.a = {{{0.25, 0.25 - third}, {0.25 + third, 0.25}}},
              .b = {0.5, 0.5},
              .c = {0.5 - third, 0.5 + third}};
    all[2] = {.a = {{{5.0 / 36, 2.0 / 9 - fifth / 15, 5.0 / 36 - fifth / 30},
                     {5.0 / 36 + fifth / 24, 2.0 / 9, 5.0 / 36 - fifth / 24},
                     {5.0 / 36 + fifth / 30, 2.0 / 9 + fifth / 15, 5.0 / 36}}},
              .b = {5.0 / 18, 4.0 / 9, 5.0 / 18},
              .c = {0.5 - fifth / 10, 0.5, 0.5 + fifth / 10}};
    all[3] = four_stages();
    return all;
  }();
  return tables[static_cast<std::size_t>(stages - 1)];
}

void iterate_until_settled(double time, const std::function<double()>& iterate) {
  double before = std::numeric_limits<double>::infinity();
  for (int k = 1;; ++k) {
    const double change = iterate();
    if (change <= settled || (change >= before && change <= rounding)) return;
    if (k == most_iterations)
      throw NumericalError(
          fmt::format("a kick of {:g} by forces that depend on velocities does not settle: they change "
                      "velocities faster than that; use a smaller time.dt",
                      time),
          Error::Code::inaccurate);
    before = change;
  }
}

/// The velocity of a body at a stage.
Vec3<double> ImplicitKick::stage(int i, int stages, double time, const Vec3<double>& v, const Vec3<double>& g,
                                 std::size_t body) const {
  const auto& table = gauss_table(stages);
  auto sum = table.c[i] * g;
  for (int j = 0; j < stages; ++j) sum += table.a[i][j] * f_[j][body].xyz();
  return v + time * sum;
}

double ImplicitKick::work(const ranks::Collective& all, int stages, double time,
                          std::span<const Vec3<double>> v, std::span<const Vec3<double>> g,
                          const Momentum& momentum) const {
  if (time == 0) return 0;
  const auto& table = gauss_table(stages);
  return time * all.blocked_sum<double>(v.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k)
      for (int i = 0; i < stages; ++i)
        sum += table.b[i] * dot(momentum(k, stage(i, stages, time, v[k], g[k], k)), f_[i][k].xyz());
    return sum;
  });
}

/// One iteration. Returns the largest change relative to the velocities.
double ImplicitKick::iterate(int stages, double time, std::span<const Vec3<double>> v,
                             std::span<const Vec3<double>> g, const Force& force) {
  double largest = 0;
  for (int i = 0; i < stages; ++i) {
    for_each_index(v.size(), [&](std::size_t k) { stage_[k] = stage(i, stages, time, v[k], g[k], k); });
    std::ranges::fill(next_[i], Vec4<double>{});
    force(stage_, next_[i]);
    for (std::size_t k = 0; k < v.size(); ++k) {
      const double change = norm(next_[i][k].xyz() - f_[i][k].xyz());
      const double scale = norm(v[k]) / std::abs(time) + norm(g[k]) + norm(next_[i][k].xyz());
      // A body that is lost, not finite, is reported by the run.
      if (change > largest * scale && std::isfinite(change / scale)) largest = change / scale;
    }
  }
  for (int i = 0; i < stages; ++i) f_[i].swap(next_[i]);
  return largest;
}

std::span<const Vec3<double>> ImplicitKick::changes(const ranks::Collective& all, int stages, double time,
                                                    std::span<const Vec3<double>> v,
                                                    std::span<const Vec3<double>> g, const Force& force) {
  const std::size_t n = v.size();
  stage_.resize(n), changes_.assign(n, {});
  if (time == 0) return changes_;
  for (int i = 0; i < stages; ++i) f_[i].assign(n, {}), next_[i].resize(n);
  iterate_until_settled(time, [&] { return all.max(iterate(stages, time, v, g, force)); });
  const auto& table = gauss_table(stages);
  for_each_index(n, [&](std::size_t k) {
    auto sum = g[k];
    for (int i = 0; i < stages; ++i) sum += table.b[i] * f_[i][k].xyz();
    changes_[k] = time * sum;
  });
  return changes_;
}

}  // namespace pleiad
