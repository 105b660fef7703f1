/// Particle steps: a thread carries B test particles through many steps in its registers, and reads the
/// bodies with mass, at their places of each evaluation, from shared memory.
///
/// Where bodies with mass take part, a grid leaves one multiprocessor to their next steps, and a block goes
/// on with other particles when it has carried some. A tile of shared memory has the places of several
/// evaluations, or a part of one; so there is a barrier only where a tile ends. In a tile the pulls of 128
/// sources are summed in the arithmetic of pairs, then added in that of the state. Cost of a particle step at
/// n sources: n (13 slots + 1 / B loads; mixed: 19 and 2 / B), 9 for kick and drift (of doubles: twice that),
/// and the field. Memory: 96 bytes a particle, 192 of doubles, for all steps of a launch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device.hpp"
#include "cuda/field_of_bodies.hpp"
#include "cuda/steps/particle_steps.hpp"
#include "cuda/steps/place.hpp"
#include "cuda/steps/program.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned group = 128;  ///< sources whose pulls are summed before they are added
constexpr unsigned tile = 1024;  ///< the most places in shared memory
static_assert(tile % group == 0);

/// places: the size of the tile.
template <class P, int B>
__global__ void __launch_bounds__(threads)
    steps_of_particles(const Task<P> t, const Trail<P> trail, const FieldOfSteps field, double per_G,
                       unsigned places) {
  using Real = typename P::Position;
  using M = typename P::Math;
  using S = typename P::Sum;
  const auto massive = static_cast<unsigned>(trail.massive),
             all = massive * static_cast<unsigned>(trail.evaluations);
  const Places<P> on_trail(trail.memory, all), staged(dynamic_shared<unsigned char>(), places);
  // Number of evaluations in a tile; 0: each takes several.
  const unsigned at_once = massive == 0 ? 1 : places / massive;

  for (std::size_t first = std::size_t{blockIdx.x} * threads * B + threadIdx.x; first - threadIdx.x < t.n;
       first += std::size_t{gridDim.x} * threads * B) {
    const auto body = [&](unsigned b) { return first + b * threads; };
    Own<P> own[B][3];
    bool mine[B];
#pragma unroll
    for (unsigned b = 0; b < B; ++b) {
      const std::size_t i = body(b);
      const auto x = i < t.n ? t.bodies[i] : Mass<Real>{0, 0, 0, 1};
      mine[b] = !(x.m > 0);
      own[b][0].x = x.x, own[b][1].x = x.y, own[b][2].x = x.z;
      if (mine[b] && t.steps > 0) {
        const auto v = t.velocities[i];
        own[b][0].v = v.x, own[b][1].v = v.y, own[b][2].v = v.z;
      }
      if (mine[b] && t.forces_current) {
        const auto s = t.sums[i];
        own[b][0].sum = s.x, own[b][1].sum = s.y, own[b][2].sum = s.z;
      }
    }

    unsigned evaluation = 0, in_tile = 0;
    const auto evaluate = [&] {
      Place<P> target[B];
      Vec3<S> sum[B];
#pragma unroll
      for (unsigned b = 0; b < B; ++b)
        target[b] = place_of<P>(own[b][0].x, own[b][1].x, own[b][2].x, Real(0));
      for (unsigned from = 0; from < massive; from += tile) {
        const unsigned count = massive - from < tile ? massive - from : tile;
        if (in_tile == 0) {
          const unsigned begin = evaluation * massive + from, most = at_once > 0 ? at_once * massive : count,
                         size = all - begin < most ? all - begin : most;
          __syncthreads();
          for (unsigned i = threadIdx.x; i < size; i += threads)
#pragma unroll
            for (unsigned h = 0; h < Places<P>::halves; ++h) *staged.at(i, h) = *on_trail.at(begin + i, h);
          __syncthreads();
        }
        const unsigned begin = in_tile * massive, end = begin + count;
        for (unsigned j = begin; j < end;) {
          const unsigned last = end - j < group ? end : j + group;
          M a[B][3]{};
#pragma unroll 4
          for (; j < last; ++j) {
            const auto source = staged[j];
#pragma unroll
            for (unsigned b = 0; b < B; ++b) add_pull<P>(a[b], source, target[b], t.eps2);
          }
#pragma unroll
          for (unsigned b = 0; b < B; ++b) sum[b] += {S(a[b][0]), S(a[b][1]), S(a[b][2])};
        }
      }
#pragma unroll
      for (unsigned b = 0; b < B; ++b) {
        Vec4<S> total{sum[b].x, sum[b].y, sum[b].z, S(0)};
        if (mine[b]) {
          const auto* const now =
              field.potentials + (field.changes ? std::size_t{evaluation} * field.count : 0);
          const Mass<Real> at{own[b][0].x, own[b][1].x, own[b][2].x, Real(0)};
          for (int k = 0; k < field.count; k += potentials_at_once) {
            const int left = field.count - k, some = left < potentials_at_once ? left : potentials_at_once;
            total = with_field(now + k, some, field.G, per_G, at, total);
          }
        }
        own[b][0].sum = total.x, own[b][1].sum = total.y, own[b][2].sum = total.z;
      }
      ++evaluation;
      in_tile = in_tile + 1 < at_once ? in_tile + 1 : 0;
    };
    make_steps(
        t,
        [&](auto change) {
#pragma unroll
          for (unsigned b = 0; b < B; ++b)
#pragma unroll
            for (unsigned c = 0; c < 3; ++c) change(own[b][c]);
        },
        evaluate);

#pragma unroll
    for (unsigned b = 0; b < B; ++b) {
      if (!mine[b]) continue;
      const auto& o = own[b];
      if (t.steps > 0) {
        t.bodies[body(b)] = {o[0].x, o[1].x, o[2].x, Real(0)};
        t.velocities[body(b)] = {o[0].v, o[1].v, o[2].v, Real(0)};
      }
      t.sums[body(b)] = {o[0].sum, o[1].sum, o[2].sum, S(0)};
    }
  }
}

template <class P>
__global__ void keep_each(const Mass<typename P::Position>* __restrict__ massive, unsigned count,
                          Trail<P> trail, unsigned first) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const auto x = massive[i];
  Places<P>(trail.memory, static_cast<unsigned>(trail.massive * trail.evaluations))
      .set(first + i, place_of<P>(x.x, x.y, x.z, x.m));
}

template <class P, int B>
void run(const ParticleProblem<P>& p, const Task<P>& task) {
  constexpr std::string_view name = "cuda/particle-steps";
  const auto places =
      static_cast<unsigned>(std::min<std::size_t>(tile, p.trail.massive * p.trail.evaluations));
  Grid grid{.blocks = ceil_div(p.bodies.size(), std::size_t{threads} * B),
            .threads = threads,
            .shared_bytes = places * Places<P>::bytes};
  if (p.leaves_room) {
    static const auto multiprocessors = static_cast<unsigned>(device_facts().multiprocessors);
    const unsigned at_once =
        coresident_blocks(reinterpret_cast<const void*>(steps_of_particles<P, B>), name, grid);
    grid.blocks = std::min(grid.blocks, std::max(1U, at_once - at_once / multiprocessors));
  }
  launch(name, steps_of_particles<P, B>, grid, p.stream, task, p.trail, p.field, 1 / p.field.G, places);
}

/// Two particles share each read of a source, where half as many threads as particles fill the device.
template <class P>
void run(const ParticleProblem<P>& p) {
  constexpr std::size_t many = std::size_t{132} * 1024 * 2;
  static_assert(Places<P>::bytes == Trail<P>::bytes);
  const StepProblem<P> of_bodies{.bodies = p.bodies,
                                 .velocities = p.velocities,
                                 .sums = p.sums,
                                 .forces_current = p.forces_current,
                                 .softening = p.softening,
                                 .heaviest = p.heaviest,
                                 .program = p.program,
                                 .steps = p.steps};
  if (nothing_to_do(of_bodies)) return;
  const auto task = task_of(of_bodies, std::numeric_limits<unsigned>::max(), "cuda/particle-steps");
  const bool shared = p.trail.massive >= 64 && p.bodies.size() >= many;
  if (p.bodies_per_thread == 2 || (p.bodies_per_thread == 0 && shared)) run<P, 2>(p, task);
  else run<P, 1>(p, task);
}

}  // namespace

template <class P>
void keep_places(std::span<const Mass<typename P::Position>> massive, const Trail<P>& trail,
                 std::size_t evaluation, void* stream) {
  const auto n = static_cast<unsigned>(massive.size());
  launch("cuda/keep-places", keep_each<P>, {.blocks = ceil_div(n, threads), .threads = threads}, stream,
         massive.data(), n, trail, static_cast<unsigned>(evaluation) * n);
}
template <class P>
void particle_steps(const ParticleProblem<P>& problem) {
  run(problem);
}
template <class P>
void particle_pulls(std::span<const Mass<typename P::Position>> bodies, std::span<Vec4<typename P::Sum>> sums,
                    const Trail<P>& trail, const Softening& softening, double heaviest, void* stream) {
  auto* const x = const_cast<Mass<typename P::Position>*>(bodies.data());  // written only by steps
  run(ParticleProblem<P>{.bodies = {x, bodies.size()},
                         .sums = sums,
                         .trail = trail,
                         .softening = softening,
                         .heaviest = heaviest,
                         .stream = stream});
}

#define PLEIAD_PARTICLES(P)                                                                                  \
  template void keep_places(std::span<const Mass<P::Position>>, const Trail<P>&, std::size_t, void*);        \
  template void particle_steps(const ParticleProblem<P>&);                                                   \
  template void particle_pulls(std::span<const Mass<P::Position>>, std::span<Vec4<P::Sum>>, const Trail<P>&, \
                               const Softening&, double, void*);
PLEIAD_PARTICLES(F32)
PLEIAD_PARTICLES(F64)
PLEIAD_PARTICLES(Mixed)
#undef PLEIAD_PARTICLES

}  // namespace pleiad::cuda
