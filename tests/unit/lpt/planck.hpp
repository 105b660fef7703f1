/// The universe of the tests.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"

namespace pleiad::lpt {

/// Flat, with the densities of the Planck Collaboration (2020), and no radiation.
inline cosmology::Cosmology planck() {
  return cosmology::flat({.omega_m = 0.3111, .omega_b = 0.049, .h = 0.6766});
}

}  // namespace pleiad::lpt
