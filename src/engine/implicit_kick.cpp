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

}  // namespace

/// Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, section II.7.
const GaussTable& gauss_table(int stages) {
  static const auto tables = [] {
    const double third = std::sqrt(3.0) / 6, fifth = std::sqrt(15.0);
    std::array<GaussTable, 3> all{};
    all[0] = {.a = {{{0.5}}}, .b = {1}, .c = {0.5}};
    all[1] = {.a = {{{0.25, 0.25 - third}, {0.25 + third, 0.25}}},
              .b = {0.5, 0.5},
              .c = {0.5 - third, 0.5 + third}};
    all[2] = {.a = {{{5.0 / 36, 2.0 / 9 - fifth / 15, 5.0 / 36 - fifth / 30},
                     {5.0 / 36 + fifth / 24, 2.0 / 9, 5.0 / 36 - fifth / 24},
                     {5.0 / 36 + fifth / 30, 2.0 / 9 + fifth / 15, 5.0 / 36}}},
              .b = {5.0 / 18, 4.0 / 9, 5.0 / 18},
              .c = {0.5 - fifth / 10, 0.5, 0.5 + fifth / 10}};
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

/// One iteration. Returns the largest change relative to the velocities.
double ImplicitKick::iterate(int stages, double time, std::span<const Vec3<double>> v,
                             std::span<const Vec3<double>> g, const Force& force) {
  const auto& table = gauss_table(stages);
  double largest = 0;
  for (int i = 0; i < stages; ++i) {
    for_each_index(v.size(), [&](std::size_t k) {
      auto sum = table.c[i] * g[k];
      for (int j = 0; j < stages; ++j) sum += table.a[i][j] * f_[j][k].xyz();
      stage_[k] = v[k] + time * sum;
    });
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
