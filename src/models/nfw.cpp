/// Halo of Navarro, Frenk & White (ApJ 490, 493, 1997), ended smoothly, in equilibrium.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/isotropic.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_nfw{
    bodies_parameter(10000),
    ModelParameter{"mass", 1, 1e-9, 1e15, "total mass"},
    ModelParameter{"scale", 1, 1e-9, 1e9, "scale radius r_s of rho ~ 1 / (r (r + r_s)^2)"},
    ModelParameter{
        "cut", 10, 1, 1e6,
        "the density is multiplied by sech(r / (cut * scale)): the mass is finite; about the concentration"},
};

}  // namespace

constinit const Model model_nfw{
    .name = "nfw",
    .idea =
        "NFW dark halo (Navarro, Frenk & White), smoothly truncated, in equilibrium (Eddington's formula)",
    .parameters = parameters_of_nfw,
    .origin = origin::profile,
    .suggested_softening = 0.02,
    .make = [](const ModelRequest& request) { return isotropic_sphere("nfw", 3, request); }};

}  // namespace pleiad
