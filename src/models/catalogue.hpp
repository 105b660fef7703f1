/// The list of models: a new one is one file, one line here and one in catalogue.cpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/models.hpp>

namespace pleiad {

extern const Model model_uniform_box, model_lattice, model_random, model_shell, model_expand,
    model_cold_sphere, model_plummer, model_king, model_cluster, model_hernquist, model_nfw, model_galaxy,
    model_encounter, model_rings, model_two_body, model_figure_eight, model_pythagorean, model_free_fall,
    model_solar_system;

}  // namespace pleiad
