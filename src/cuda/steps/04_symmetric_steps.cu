/// Symmetric steps: the sums of the ladder's symmetric rungs inside a persistent grid. Each warp processes
/// pairs of blocks of 32 K bodies (the sweep of symmetric.hpp with one warp: the same sums, bit for bit), and
/// adds to integers. A barrier of the grid replaces each end of a launch: one before the pairs, when all
/// bodies have been converted to the frame, and one after them, when the owner of a body reads its sum, kicks
/// and drifts. If the frame follows the bodies (an origin in mixed precision, a unit of length without
/// softening), a third barrier follows, after which every block combines the measurements of all blocks.
/// Equal masses use the form of GPU rung 31, others the general one; the device decides. Cost: 8.5 slots per
/// interaction, 7.5 with equal masses; 3 shuffles and a load in 32 K + 4. The pairs of blocks, n^2 / (2048
/// K^2), are distributed over 16 warps per multiprocessor, and the last round is not full: at 16384 with K =
/// 8 there are 2080 pairs for 2112 warps. Predicted there: 70 us at one slot per clock and scheduler, 84 at
/// the 84 % of the rungs, with 5 us of barriers, totals and updates 89 us or 3010 G/s (equal masses 3400);
/// mixed needs one more barrier, 2950. The exploration had 2668. Where it loses: below some 6000 bodies,
/// where one round is not full (step kernel 3); from some 50000 on a launch per evaluation costs nothing and
/// has better shapes. Also measured for mixed precision: exact differences of pairs of floats, 23 slots a
/// pair, in the steps whose bodies are too close together for floats relative to one origin. A disc of 16000
/// bodies in random order, which needs them, made 5630 steps a second on an H200, where double precision,
/// which a run takes for it, makes 4430. To find out whether they are needed cost 2 % of every step of 8192
/// bodies, and in rung 3 4 to 16 %.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/direct/frame_of.hpp"
#include "cuda/direct/scaled_source.hpp"
#include "cuda/direct/symmetric_parts.hpp"
#include "cuda/steps/program.hpp"
#include "cuda/steps/shape.hpp"
#include "cuda/steps/symmetric_shapes.hpp"

namespace pleiad {
namespace {

constexpr unsigned most_bodies = 32768, threads = 512, warps = threads / 32;
using Sums = cuda::ExactSums<float>;

/// Memory of the grid, in addition to the task.
struct Workplace {
  const cuda::Frame* frame;    ///< of the bodies at the launch: its masses stay
  Mass<float>*packed, *rests;  ///< the bodies in the frame, and padding that stays
  Sums::Word* words;
  cuda::Extent* parts;  ///< one per block
  unsigned* counter;
  unsigned* not_finite;  ///< 0, until some body is not finite
  double length;         ///< the unit for the softening, or 0
};

/// The threads' extents as one, in every thread. shared: one per thread.
__device__ cuda::Extent joined_over_block(cuda::Extent mine, cuda::Extent* shared) {
  shared[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      shared[threadIdx.x] = cuda::joined(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  __syncthreads();
  const auto all = shared[0];
  __syncthreads();
  return all;
}

static_assert(threads * sizeof(cuda::Extent) >= warps * cuda::sweep_shared_bytes<1, false>(0.0f),
              "the sweep's tiles lie where the extents were");

template <class P>
constexpr bool has_origin = std::is_same_v<P, Mixed>;

/// The frame of the bodies where they are now.
template <class P>
__device__ cuda::Frame present_frame(const Workplace& w, const cuda::Extent& mine,
                                     cuda::GridBarrier& barrier) {
  auto* const shared = dynamic_shared<cuda::Extent>();
  const auto of_block = joined_over_block(mine, shared);
  if (threadIdx.x == 0) w.parts[blockIdx.x] = of_block;
  barrier.wait();
  cuda::Extent all;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) all = cuda::joined(all, w.parts[b]);
  all = joined_over_block(all, shared);
  all.mass = w.frame->mass / 2;  // whose unit is that of the masses' own sum
  return cuda::frame_of<P>(all, w.length);
}

/// One body per thread at most. It ends at once unless the masses have the properties that it `needs`, and if
/// another launch has `taken` them.
template <class P, class Form, int K>
__global__ void __launch_bounds__(threads, 1)
    symmetric_steps(const cuda::Task<P> t, const Workplace w, unsigned needs, unsigned taken) {
  using T = typename P::Position;
  using S = typename P::Sum;
  if ((w.frame->masses & needs) == 0 || (w.frame->masses & taken) != 0) return;
  cuda::GridBarrier barrier(w.counter);
  const unsigned each = (t.n + gridDim.x - 1) / gridDim.x, body = blockIdx.x * each + threadIdx.x;
  const bool owner = threadIdx.x < each && body < t.n;
  // In shared memory: registers hold the pairs.
  auto& own = reinterpret_cast<cuda::Own<P>(*)[3]>(dynamic_shared<cuda::Extent>() + threads)[threadIdx.x];
  auto& pull = reinterpret_cast<double*>(&own - threadIdx.x + threads)[0];
  if (owner)
    for (unsigned c = 0; c < 3; ++c) own[c] = own_of(t, body, c);
  const unsigned blocks = (t.n + 32 * K - 1) / (32 * K), pairs = blocks * (blocks + 1) / 2;
  const unsigned warp = threadIdx.x / 32 * gridDim.x + blockIdx.x;

  cuda::make_steps<false>(t, own, owner ? 3 : 0, [&] {
    const auto me = owner ? Mass<T>{own[0].x, own[1].x, own[2].x, t.bodies[body].m} : Mass<T>{};
    const auto mine = owner ? cuda::extent_of(me) : cuda::Extent{};
    cuda::Frame frame = *w.frame;
    if (has_origin<P> || w.length == 0) frame = present_frame<P>(w, mine, barrier);
    if (owner) {
      cuda::place<P>(frame, me, w.packed + body, w.rests + body);
      for (std::size_t i = 0; i < Sums::words_per_body; ++i) w.words[i * t.n + body] = 0;
      if (mine.finite != 0) *w.not_finite = 1;  // NaN is not 0
    }
    if (threadIdx.x == 0) pull = frame.mass / frame.length / frame.length;
    barrier.wait();
    for (unsigned p = warp; p < pairs; p += warps * gridDim.x) {
      const auto [I, J] = cuda::pair_of_blocks<1, K>(p, static_cast<int>(t.n));
      cuda::sweep_pair<Form, Sums, has_origin<P>, 1, K, 4>(w.packed, w.rests, Sums{w.words, t.n},
                                                           static_cast<int>(t.n), t.eps2, I, J);
      __syncwarp();
    }
    barrier.wait();
    if (owner) {
      const cuda::DevicePartialSums<Sums::Word> words{{w.words}, 1};
      const double zero = *w.not_finite == 0 ? 0 : std::nan("");
      const auto sum = (pull + zero) * Sums::total(words, t.n, body);
      own[0].sum = S(sum.x), own[1].sum = S(sum.y), own[2].sum = S(sum.z);
    }
  });
  if (owner) {
    for (unsigned c = 0; c < 3; ++c) give_back(t, body, c, own[c]);
    t.sums[body].w = 0;
  }
}

template <class P>
using Shape = cuda::Compiled<cuda::Task<P>, Workplace, unsigned, unsigned>;
template <class P, class Form, int K>
constexpr Shape<P> compiled(unsigned up_to) {
  return {{.threads_per_block = threads, .bodies_per_thread = K},
          symmetric_steps<P, Form, K>,
          up_to,
          most_bodies};
}
/// Shapes, equal for each form. Fewer bodies a thread make more pairs of blocks to distribute.
template <class P, class Form>
constexpr std::array list{compiled<P, Form, 4>(cuda::four_a_thread_up_to), compiled<P, Form, 8>(most_bodies)};

template <class P>
void run(const StepProblem<P>& p, const LaunchShape& shape) {
  constexpr std::string_view name = "cuda/symmetric-steps";
  auto task = cuda::task_of(p, most_bodies, name);
  if (cuda::nothing_to_do(p)) return;
  task.eps2 = cuda::softening_in_frame<float>(p.softening.eps);
  auto f = cuda::framed<P>({.targets = p.bodies,
                            .sources = p.bodies,
                            .sums = p.sums,
                            .softening = p.softening,
                            .stream = p.stream},
                           task.n + cuda::most_in_block);
  cuda::Buffer<Sums::Word> words(Sums::words_per_body * task.n, p.stream);

  unsigned taken = 0;
  for (const auto& [c, needs] :
       {std::pair{cuda::compiled_for(list<P, cuda::EqualMass>, shape, task.n, name), cuda::equal_masses},
        std::pair{cuda::compiled_for(list<P, cuda::General>, shape, task.n, name), cuda::any_masses}}) {
    cuda::Grid grid{.threads = threads,
                    .shared_bytes = threads * unsigned{sizeof(cuda::Extent) + 3 * sizeof(cuda::Own<P>)} +
                                    unsigned{sizeof(double)},
                    .together = true};
    grid.blocks = cuda::coresident_blocks(reinterpret_cast<const void*>(c.kernel), name, grid);
    cuda::need(std::size_t{grid.blocks} * threads >= task.n, name,
               std::to_string(task.n) + " bodies; the device runs " + std::to_string(grid.blocks) +
                   " blocks at once, which can own " + std::to_string(grid.blocks * threads));
    cuda::Buffer<unsigned> counters(2, p.stream);
    counters.set_bytes(0);
    cuda::Buffer<cuda::Extent> parts(grid.blocks, p.stream);
    cuda::launch(name, c.kernel, grid, p.stream, task,
                 Workplace{.frame = f.frame.data(),
                           .packed = f.bodies.data(),
                           .rests = f.rests.data(),
                           .words = words.data(),
                           .parts = parts.data(),
                           .counter = counters.data(),
                           .not_finite = counters.data() + 1,
                           .length = cuda::unit_of_softening(p.softening.eps)},
                 needs, taken);
    taken |= needs;
  }
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{}, list<F32, cuda::General>[0].shape,
                            list<F32, cuda::General>[1].shape};

}  // namespace

extern constinit const StepKernel cuda_symmetric_steps{
    .name = "cuda/symmetric-steps",
    .rung = 204,
    .idea = "each pair is computed once, into order-independent sums, by a grid that persists for all steps",
    .most_bodies = most_bodies,
    .divides = true,
    .fma_port_operations = {.f32 = 7.5, .mixed = 7.5},
    .shapes = shapes,
    .f32 = run<F32>,
    .mixed = run<Mixed>};

}  // namespace pleiad
