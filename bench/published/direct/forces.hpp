/// Forces as they are written in a textbook, F_i = G m_i sum_j m_j d / r^3 in SI units, of bodies in separate
/// arrays of m, x, y and z: what the five rungs 23 to 27 share, which differ in how threads divide the work,
/// as the rungs 1 to 5 do.
///
/// A rung answers with pulls, sums without G and m_i: each thread divides its force by G m_i at the end.
/// G m_i is computed first, so that products of masses stay in the range of single precision from 1e-14 to
/// 2e24 kg.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/direct/body_arrays.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad::cuda {

/// m^3 / (kg s^2), in the publication's three digits.
inline constexpr float G = 6.67e-11f;

/// A body that is pulled, its mass times G. A massless body feels no force but has an acceleration: that of a
/// body of 1 kg.
__device__ inline Mass<float> target_of(Mass<float> body) {
  return {body.x, body.y, body.z, G * (body.m > 0 ? body.m : 1)};
}

/// Adds the force of one source to the target's.
struct AddForce {
  float eps2;

  __device__ void operator()(Vec4<float>& force, Mass<float> target, Mass<float> source) const {
    const auto f = pull<false>(source.position() - target.position(), target.m * source.m, eps2);
    force.x += f.x;
    force.y += f.y;
    force.z += f.z;
  }
};

/// The sum of pulls that a force on the target is.
__device__ inline Vec4<float> pulls_of(Vec4<float> force, Mass<float> target) {
  return {force.x / target.m, force.y / target.m, force.z / target.m, 0};
}

/// The bodies of a problem in arrays; copies of them, made by a launch of their own.
class BodiesInArrays {
 public:
  BodiesInArrays(const PairProblem<F32>& p, const char* rung)
      : memory_(4 * (p.sources.size() + (p.self < 0 ? p.targets.size() : 0)), p.stream) {
    sources = copied(p.sources, memory_.data(), p, rung);
    targets = p.self < 0 ? copied(p.targets, memory_.data() + 4 * p.sources.size(), p, rung)
                         : sources.from(static_cast<std::size_t>(p.self));
  }
  Arrays<float> sources{}, targets{};

 private:
  static Arrays<float> copied(std::span<const Mass<float>> bodies, float* memory, const PairProblem<F32>& p,
                              const char* rung) {
    const auto arrays = Arrays<float>::at(memory, bodies.size());
    launch(rung, pack<float>, {.blocks = ceil_div(bodies.size(), 256), .threads = 256}, p.stream,
           bodies.data(), bodies.size(), arrays);
    return arrays;
  }
  Buffer<float> memory_;
};

/// What the five kernels take.
using ForceKernel = void (*)(Arrays<float> targets, std::size_t n_targets, Arrays<float> sources,
                             std::size_t n_sources, Vec4<float>* __restrict__ sums, AddForce add);

/// Copies the bodies into arrays and launches `kernel` on `grid`.
inline void launch_forces(const char* rung, ForceKernel kernel, const Grid& grid, const PairProblem<F32>& p) {
  need_plain(p, rung);
  if (p.targets.empty()) return;
  const BodiesInArrays bodies(p, rung);
  launch(rung, kernel, grid, p.stream, bodies.targets, p.targets.size(), bodies.sources, p.sources.size(),
         p.sums.data(), AddForce{Pair<F32, false, false>(p).eps2});
}

/// The threads of a block: the publication's 128 unless the shape says otherwise.
inline unsigned threads_of(const LaunchShape& shape) {
  return shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 128;
}
/// The blocks of a grid of fixed size: as many as hold a thread for each of n targets, or, where those are
/// fewer, as fill an H200 with its 132 multiprocessors.
inline unsigned blocks_of(const LaunchShape& shape, std::size_t n) {
  if (shape.blocks > 0) return static_cast<unsigned>(shape.blocks);
  const unsigned threads = threads_of(shape), resident = 132 * std::max(2048 / threads, 1U);
  return std::min(ceil_div(n, threads), resident);
}

}  // namespace pleiad::cuda
