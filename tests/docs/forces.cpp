/// What stands around the second program of docs/library.md.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/pleiad.hpp>

#include <cmath>
#include <vector>

int main() {
  const auto bodies = pleiad::model("plummer", {{"n", 4000}}, 7).bodies;
  const auto &x = bodies.x, &y = bodies.y, &z = bodies.z, &mass = bodies.mass;
  std::vector<double> ax(x.size()), ay(x.size()), az(x.size());
  // the snippet
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(mass[i] * ax[i]);
  return sum > 0.01 && std::isfinite(sum) ? 0 : 1;
}
