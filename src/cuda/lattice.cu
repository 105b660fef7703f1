/// A thread for each body, which reads and writes all of its state once: 256 bytes, some microseconds for a
/// million bodies beside milliseconds of forces.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/lattice.hpp"

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;

Grid grid_for(std::size_t n) { return {.blocks = unsigned((n + threads - 1) / threads), .threads = threads}; }

__global__ void update_lattice_bodies(Update<double> u, lattice::Units units, OnLattice bodies,
                                      Destinations<double> to, int* left) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bodies.n) return;
  auto x = bodies.x[bodies.first + i];
  auto v = bodies.v[i];
  auto* const low = reinterpret_cast<double*>(bodies.low + i);
  const auto pulls = u.kicks > 0 ? bodies.sums[i] : Vec4<double>{};
  bool out = false;
  lattice::update_body(u, units, x, v, low, pulls, out);
  bodies.v[i] = v;
  if (u.drifts)
    for (int d = 0; d < to.count; ++d) to.bodies[d][bodies.first + i] = x;
  if (out) *left = 1;
}

__global__ void reverse_low_parts(std::array<double, 6>* low, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto* const of_velocity = reinterpret_cast<double*>(low + i) + 3;
  for (int k = 0; k < 3; ++k) of_velocity[k] = -of_velocity[k];
}

}  // namespace

void update_on_lattice(const Update<double>& update, const lattice::Units& units, const OnLattice& bodies,
                       const Destinations<double>& to, int* left, void* stream) {
  launch("update on a lattice", update_lattice_bodies, grid_for(bodies.n), stream, update, units, bodies, to,
         left);
}
void reverse_low(std::array<double, 6>* low, std::size_t n, void* stream) {
  launch("reverse low parts", reverse_low_parts, grid_for(n), stream, low, n);
}

}  // namespace pleiad::cuda
