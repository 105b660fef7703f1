/// Massive neutrinos in the expansion.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"

namespace pleiad::cosmology {

/// Their density at a, over the critical density of today, and its derivative with respect to ln a.
struct NeutrinoDensity {
  double density = 0, slope = 0;
};
NeutrinoDensity massive_neutrinos(const Cosmology& cosmology, double a);
/// What they were as radiation, while all were fast: the limit of density a^4 for a = 0.
double neutrino_radiation(const Cosmology& cosmology);

}  // namespace pleiad::cosmology
