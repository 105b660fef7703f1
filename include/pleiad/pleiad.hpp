/// The complete library.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/added_force.hpp>
#include <pleiad/bodies.hpp>
#include <pleiad/checkpoint.hpp>
#include <pleiad/context.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/encounters.hpp>
#include <pleiad/ensemble.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/radii.hpp>
#include <pleiad/rng.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/units.hpp>
#include <pleiad/vec.hpp>
#include <pleiad/vectors.hpp>
