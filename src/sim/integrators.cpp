/// The integrators: each one a table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <array>
#include <string>
#include <vector>

namespace pleiad {
namespace {

constexpr std::array euler_kick{1.0};
constexpr std::array euler_drift{1.0};
constexpr std::array kdk_kick{0.5, 0.5};
constexpr std::array kdk_drift{1.0};
constexpr std::array dkd_kick{0.0, 1.0, 0.0};
constexpr std::array dkd_drift{0.5, 0.5};

/// A palindrome of KDK leapfrogs of lengths w[0] dt, w[1] dt, ...: neighbouring half kicks merge.
template <std::size_t n>
constexpr std::array<double, n + 1> merged_kicks(const std::array<double, n>& w) {
  std::array<double, n + 1> kick{};
  for (std::size_t i = 0; i < n; ++i) {
    kick[i] += w[i] / 2;
    kick[i + 1] += w[i] / 2;
  }
  return kick;
}

// 1 / (2 - 2^(1/3)) and its complement. Forest & Ruth, Physica D 43 (1990) 105; Yoshida, Phys. Lett. A 150
// (1990) 262.
constexpr double fr = 1.3512071919596576340;
constexpr std::array forest_ruth_drift{fr, 1 - 2 * fr, fr};
constexpr auto forest_ruth_kick = merged_kicks(forest_ruth_drift);

// Yoshida's 6th order solution A, digits from Hairer, Lubich & Wanner, Geometric Numerical Integration,
// V.3.2.
constexpr double y1 = 0.78451361047755726382, y2 = 0.23557321335935813368, y3 = -1.17767998417887100695;
constexpr std::array yoshida6_drift{y1, y2, y3, 1 - 2 * (y1 + y2 + y3), y3, y2, y1};
constexpr auto yoshida6_kick = merged_kicks(yoshida6_drift);

const std::array table{
    Integrator{.name = "euler",
               .idea = "semi-implicit Euler: kick, then drift with the new velocity; takes a damping factor",
               .order = 1,
               .time_reversible = false,
               .splitting = {euler_kick, euler_drift}},
    Integrator{.name = "kdk",
               .idea = "leapfrog, kick-drift-kick (velocity Verlet); the default",
               .order = 2,
               .splitting = {kdk_kick, kdk_drift}},
    Integrator{.name = "dkd",
               .idea = "leapfrog, drift-kick-drift (position Verlet)",
               .order = 2,
               .splitting = {dkd_kick, dkd_drift}},
    Integrator{.name = "forest-ruth",
               .idea = "three leapfrogs with one backward step (Forest & Ruth 1990, Yoshida 1990)",
               .order = 4,
               .splitting = {forest_ruth_kick, forest_ruth_drift},
               .evaluations = 3},
    Integrator{.name = "yoshida6",
               .idea = "seven leapfrogs (Yoshida 1990, solution A)",
               .order = 6,
               .splitting = {yoshida6_kick, yoshida6_drift},
               .evaluations = 7},
    Integrator{.name = "hermite4",
               .idea = "Hermite predictor-corrector with the jerk (Makino & Aarseth 1992), one correction "
                       "and a fresh evaluation; for "
                       "close encounters, best with an adaptive step",
               .order = 4,
               .symplectic = false,
               .time_reversible = false,
               .hermite = true,
               .evaluations = 2},
};

}  // namespace

std::span<const Integrator> integrators() { return table; }

const Integrator& integrator_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& i : table) {
    if (i.name == name) return i;
    names.push_back(i.name);
  }
  std::string all;
  for (const auto n : names) all += (all.empty() ? "" : ", ") + std::string(n);
  throw UsageError("no integrator '" + std::string(name) + "': it is one of " + all +
                   did_you_mean(name, names));
}

}  // namespace pleiad
