/// The splittings: semi-implicit Euler, and leapfrogs of all orders.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/splitting.hpp"

#include <pleiad/integrator.hpp>

#include <array>

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

}  // namespace

extern const Integrator integrator_euler{
    .name = "euler",
    .idea = "semi-implicit Euler: kick, then drift with the new velocity; takes a damping factor",
    .order = 1,
    .time_reversible = false,
    .takes_damping = true,
    .splitting = {euler_kick, euler_drift},
    .make = make_splitting};

extern const Integrator integrator_kdk{.name = "kdk",
                                       .idea = "leapfrog, kick-drift-kick (velocity Verlet); the default",
                                       .order = 2,
                                       .splitting = {kdk_kick, kdk_drift},
                                       .make = make_splitting};

extern const Integrator integrator_dkd{.name = "dkd",
                                       .idea = "leapfrog, drift-kick-drift (position Verlet)",
                                       .order = 2,
                                       .splitting = {dkd_kick, dkd_drift},
                                       .make = make_splitting};

extern const Integrator integrator_forest_ruth{
    .name = "forest-ruth",
    .idea = "three leapfrogs with one backward step (Forest & Ruth 1990, Yoshida 1990)",
    .order = 4,
    .evaluations = 3,
    .splitting = {forest_ruth_kick, forest_ruth_drift},
    .make = make_splitting};

extern const Integrator integrator_yoshida6{.name = "yoshida6",
                                            .idea = "seven leapfrogs (Yoshida 1990, solution A)",
                                            .order = 6,
                                            .evaluations = 7,
                                            .splitting = {yoshida6_kick, yoshida6_drift},
                                            .make = make_splitting};

}  // namespace pleiad
