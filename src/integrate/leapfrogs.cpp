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

// S. Blanes & P. C. Moan, J. Comput. Appl. Math. 142 (2002) 313, the scheme S6 of order 4. Its published
// digits leave two conditions of order 3 at 4e-17; these are the nearest numbers that meet them. A drift
// comes first: begun with a kick, the same numbers have four to five times the energy error on Kepler orbits.
constexpr double bm_a1 = 0.07920369643119566943, bm_a2 = 0.35317290604977398848,
                 bm_a3 = -0.04206508035771953537, bm_b1 = 0.20951510661336202127,
                 bm_b2 = -0.14385177317981800828;
constexpr double bm_a4 = 1 - 2 * (bm_a1 + bm_a2 + bm_a3), bm_b3 = 0.5 - (bm_b1 + bm_b2);
constexpr std::array blanes_moan4_kick{0.0, bm_b1, bm_b2, bm_b3, bm_b3, bm_b2, bm_b1, 0.0};
constexpr std::array blanes_moan4_drift{bm_a1, bm_a2, bm_a3, bm_a4, bm_a3, bm_a2, bm_a1};

// W. Kahan & R.-C. Li, Math. Comp. 66 (1997) 1089, 17 stages; digits solved for from the conditions of order
// 8 with the first one as published.
constexpr double kl1 = 0.13020248308889008087881763, kl2 = 0.56116298177510838456196441,
                 kl3 = -0.38947496264484728640807859, kl4 = 0.15884190655515560089621075,
                 kl5 = -0.39590389413323757733623154, kl6 = 0.18453964097831570709183254,
                 kl7 = 0.25837438768632204729397911, kl8 = 0.29501172360931029887096624;
constexpr double kl9 = 1 - 2 * (kl1 + kl2 + kl3 + kl4 + kl5 + kl6 + kl7 + kl8);
constexpr std::array kahan_li8_drift{kl1, kl2, kl3, kl4, kl5, kl6, kl7, kl8, kl9,
                                     kl8, kl7, kl6, kl5, kl4, kl3, kl2, kl1};
constexpr auto kahan_li8_kick = merged_kicks(kahan_li8_drift);

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

extern const Integrator integrator_blanes_moan4{
    .name = "blanes-moan4",
    .idea = "six kicks with small errors (Blanes & Moan 2002, S6)",
    .order = 4,
    .evaluations = 6,
    .splitting = {blanes_moan4_kick, blanes_moan4_drift},
    .make = make_splitting};

extern const Integrator integrator_yoshida6{.name = "yoshida6",
                                            .idea = "seven leapfrogs (Yoshida 1990, solution A)",
                                            .order = 6,
                                            .evaluations = 7,
                                            .splitting = {yoshida6_kick, yoshida6_drift},
                                            .make = make_splitting};

extern const Integrator integrator_kahan_li8{
    .name = "kahan-li8",
    .idea = "seventeen leapfrogs (Kahan & Li 1997); for few bodies and small errors",
    .order = 8,
    .evaluations = 17,
    .splitting = {kahan_li8_kick, kahan_li8_drift},
    .make = make_splitting};

}  // namespace pleiad
