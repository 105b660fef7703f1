/// Hernquist's sphere in equilibrium (ApJ 356, 359, 1990).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/isotropic.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_hernquist{
    bodies_parameter(10000),
    ModelParameter{"mass", 1, 1e-9, 1e15, "total mass"},
    ModelParameter{"scale", 1, 1e-9, 1e9, "scale radius a of rho ~ 1 / (r (r + a)^3)"},
    ModelParameter{"cut", 50, 0, 1e6,
                   "the density is multiplied by sech(r / (cut * scale)); 0: not truncated"},
};

}  // namespace

constinit const Model model_hernquist{
    .name = "hernquist",
    .idea = "Hernquist sphere (galaxies, bulges) in equilibrium: velocities from its distribution function",
    .parameters = parameters_of_hernquist,
    .origin = origin::profile,
    .suggested_softening = 0.02,
    .make = [](const ModelRequest& request) { return isotropic_sphere("hernquist", 4, request); }};

}  // namespace pleiad
