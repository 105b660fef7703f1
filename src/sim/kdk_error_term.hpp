/// The leading error term of the leapfrog kdk: what its energies show of the step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

namespace pleiad {

/// H2 = V''(v, v) / 12 - sum m a^2 / 24, in units of energy over time^2, of mutual gravity in open space with
/// one Plummer softening: by direct sums in double precision, O(N^2). V'' is the second derivative of the
/// potential energy along the velocities, - sum m v.j with the jerks j. The leapfrog kdk with a fixed step dt
/// keeps E + dt^2 H2 up to dt^4: its energy changes by -dt^2 (H2(t) - H2(0)) (Hairer, Lubich & Wanner,
/// section IX.3). The bits do not depend on the number of threads.
double kdk_error_term(const Bodies& bodies, double G, double eps);

}  // namespace pleiad
