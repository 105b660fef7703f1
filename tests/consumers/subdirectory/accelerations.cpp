/// Two bodies at a distance of 2 pull each other as Newton says.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/forces.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> x{0, 2}, y{0, 0}, z{0, 0}, mass{1, 3};
  const auto field = pleiad::accelerations({x, y, z}, mass, {.potential = true});
  for (int i = 0; i < 2; ++i)
    std::printf("a = %g, potential %g\n", field.accelerations[i].x, field.potentials[i]);
  const bool right = std::abs(field.accelerations[0].x - 0.75) < 1e-6 &&
                     std::abs(field.accelerations[1].x + 0.25) < 1e-6 &&
                     std::abs(field.potentials[0] + 1.5) < 1e-6;
  return right ? 0 : 1;
}
