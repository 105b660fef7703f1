/// Grid steps: all multiprocessors, with positions that carry the number of their evaluation (posted.hpp).
/// The owner of a body writes its new position to memory, and readers poll until it has arrived. A step
/// therefore has no barrier of the grid and no fence; a block has two barriers of its own. A block owns K
/// targets in each of G groups of warps. The warps of a group share its sources, one source per lane. With
/// one group each lane reads its sources from memory into registers. With more groups all threads of the
/// block stage as many sources as fit in shared memory, so that the groups do not all read them from memory.
/// Blocks wait for each other, so the launch is refused unless all of them can be resident. For equal masses
/// the loop contains no mass. Mixed precision: a block stages positions relative to the middle of its
/// targets, so that the loop is that of single precision. The error is that of GPU rung 34, and does not
/// depend on the position of the system. A step of 4096 bodies on 128 blocks: 13000 slots on each scheduler
/// (12.5 per pair with the loop, 12 of them the pull with equal masses), 400 of shuffles; 6.8 us at one slot
/// per clock. An H200 takes 11.0: the loop runs at 72 % (a reciprocal root and three-operand sums in 12
/// slots; the loop that reads shared memory is no better), and 1.9 us are latency: store, poll, the barriers
/// of the block, sums. 1024 bodies show this: they take 2.4 us for 0.5 of arithmetic. With a barrier of the
/// grid, a counter and then the positions, they took 4.0, and 4096 bodies 13.4. Slower variants for 4096
/// bodies: 16 targets per thread (12.2; 12.9 in 16 warps), all sources in shared memory for 8 targets in 4
/// groups of warps (11.6, but better for doubles, 22.3 against 26.0), ptxas -O1 (12.3), a different first
/// source for each block (11.5). Lanes that poll separately, in a divergent loop, deadlocked on the device: a
/// warp polls as a whole. Where it loses: to clusters (step kernel 2) up to some 448 bodies, to symmetric
/// pairs (step kernel 4) beyond one batch of targets for each block, 4224 bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/steps/lanes.hpp"
#include "cuda/steps/posted.hpp"
#include "cuda/steps/program.hpp"
#include "cuda/steps/shape.hpp"

namespace pleiad {
namespace {

constexpr unsigned most_bodies = 16384;
/// Batches of targets that one block may own.
constexpr unsigned most_batches = 16;

template <class P>
using Near = cuda::Relative<P>;
template <class P>
__device__ cuda::Place<Near<P>> relative_to(const cuda::Place<P>& b, Vec3<typename P::Math> origin) {
  if constexpr (std::is_same_v<P, Mixed>)
    return {{(b.x - origin.x) + b.rest.x, (b.y - origin.y) + b.rest.y, (b.z - origin.z) + b.rest.z, b.m}};
  else return b;
}

/// The shared memory of a block: the warps' sums, the targets and the origin, the numbers of the bodies that
/// it owns, all masses, and, if there are several groups, a window of sources.
template <class P, int threads, int K, int G>
struct Layout {
  using M = typename P::Math;
  static constexpr unsigned warps = threads / 32, T = K * G, slices = warps / G,
                            targets_at = warps * 4 * K * sizeof(M),
                            own_at = targets_at + (T + 1) * sizeof(Mass<M>),
                            own_bytes = 3 * T * sizeof(cuda::Own<P>),
                            place_bytes = cuda::Places<Near<P>>::bytes;
  __host__ __device__ static unsigned masses_at(unsigned batches) {
    return (own_at + batches * own_bytes + 15) / 16 * 16;
  }
  __host__ __device__ static unsigned whole(unsigned n) { return (n + threads - 1) / threads * threads; }
  __host__ __device__ static unsigned window_at(unsigned n, unsigned batches) {
    return masses_at(batches) + whole(n) * static_cast<unsigned>(sizeof(M));
  }
  /// Places that fit, a whole number per thread.
  static unsigned window(unsigned n, unsigned batches) {
    constexpr unsigned memory = 220 << 10;
    const unsigned room = (memory - window_at(n, batches)) / place_bytes / threads * threads;
    return G == 1 ? 0 : std::min(room, whole(n));
  }
  static unsigned bytes(unsigned n, unsigned batches) {
    return window_at(n, batches) + window(n, batches) * place_bytes;
  }
};

/// The pulls of a source on K targets: for all of them the differences first, then the squares, then the
/// rest. weighed: whether the source's mass counts.
template <class Q, bool weighed, int K>
__device__ void add_tree_sums(typename Q::Math* a, const cuda::Place<Q>& source,
                              const Mass<typename Q::Math> (&target)[K], typename Q::Math eps2) {
  using std::fma;
  using M = typename Q::Math;
  constexpr int group = K < 8 ? K : 8;
#pragma unroll
  for (int first = 0; first < K; first += group) {
    Vec3<M> d[group];
    M g[group];
#pragma unroll
    for (int k = 0; k < group; ++k) d[k].x = source.x - target[first + k].x;
#pragma unroll
    for (int k = 0; k < group; ++k) d[k].y = source.y - target[first + k].y;
#pragma unroll
    for (int k = 0; k < group; ++k) d[k].z = source.z - target[first + k].z;
#pragma unroll
    for (int k = 0; k < group; ++k) g[k] = cuda::inverse_cube_of(d[k], eps2);
    if constexpr (weighed) {
#pragma unroll
      for (int k = 0; k < group; ++k) g[k] *= source.m;
    }
#pragma unroll
    for (int k = 0; k < group; ++k) {
      M* const b = a + 4 * (first + k);
      b[0] = fma(d[k].x, g[k], b[0]), b[1] = fma(d[k].y, g[k], b[1]), b[2] = fma(d[k].z, g[k], b[2]);
    }
  }
}

/// exchange: two arrays of n places, 0. window: Layout's.
template <class P, int threads, int K, int G>
__global__ void __launch_bounds__(threads, 1)
    grid_steps(const cuda::Task<P> t, unsigned char* exchange, unsigned window) {
  using M = typename P::Math;
  using S = typename P::Sum;
  using Q = Near<P>;
  using In = Layout<P, threads, K, G>;
  using Posted = cuda::Posted<P>;
  constexpr unsigned T = In::T, slices = In::slices, V = 4 * K, fold = V < 32 ? V : 32;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = warp % G, slice = warp / G;
  const unsigned whole = In::whole(t.n), all_batches = (t.n + T - 1) / T,
                 batches = (all_batches - blockIdx.x + gridDim.x - 1) / gridDim.x;
  auto* const memory = dynamic_shared<unsigned char>();
  auto* const parts = reinterpret_cast<M*>(memory);
  auto* const targets = reinterpret_cast<Mass<M>*>(memory + In::targets_at);
  auto* const all_own = reinterpret_cast<cuda::Own<P>*>(memory + In::own_at);
  auto* const masses = reinterpret_cast<M*>(memory + In::masses_at(batches));
  const cuda::Places<Q> staged(memory + In::window_at(t.n, batches), window);

  // Warp 0 has the owners: lane l of body l of each batch.
  const auto own = [&](unsigned b, unsigned c) -> cuda::Own<P>& { return all_own[(3 * b + c) * T + lane]; };
  const auto my_body = [&](unsigned b) { return (blockIdx.x + b * gridDim.x) * T + lane; };
  const auto is_mine = [&](unsigned b) { return warp == 0 && lane < T && my_body(b) < t.n; };
  bool differ = false;
  const M first_mass = M(t.bodies[0].m);
  for (unsigned i = threadIdx.x; i < whole; i += threads) {
    masses[i] = i < t.n ? M(t.bodies[i].m) : M(0);
    differ = differ || (i < t.n && masses[i] != first_mass);
  }
  const bool weighed = __syncthreads_or(differ) != 0;
  const auto each = [&](auto change) {
#pragma unroll 1
    for (unsigned b = 0; b < batches; ++b)
      if (is_mine(b)) {
#pragma unroll
        for (unsigned c = 0; c < 3; ++c) change(own(b, c), b, c);
      }
  };
  each([&](cuda::Own<P>& o, unsigned b, unsigned c) { o = own_of(t, my_body(b), c); });

  unsigned evaluation = 0;
  const auto evaluate = [&] {
    const Posted places(exchange, t.n, ++evaluation);
    // Source i, and the last one again beyond it, without a mass or far away.
    const auto read = [&](unsigned i) { return places.read(i < t.n ? i : t.n - 1); };
    // All lanes of a warp poll until they all have theirs.
    const auto come = [&](typename Posted::Read seen, unsigned i) {
      while (!cuda::in_all_lanes(places.has_come(seen))) {
        cuda::spin();
        seen = read(i);
      }
      auto place = places.place(seen, masses[i]);
      if (!weighed && i >= t.n) place.x = cuda::far_away<M>;
      return place;
    };
#pragma unroll 1
    for (unsigned b = 0; b < batches; ++b)
      if (is_mine(b)) {
#pragma unroll
        for (unsigned half = 0; half < Posted::halves; ++half)
          places.post(my_body(b), half, {own(b, 0).x, own(b, 1).x, own(b, 2).x});
      }
#pragma unroll 1
    for (unsigned b = 0; b < batches; ++b) {
      if (warp == 0) {
        __syncwarp();  // lanes without a target take one that another has
        const unsigned left = t.n - (my_body(b) - lane);
        const auto* const it = all_own + 3 * b * T + lane % (left < T ? left : T);
        const auto x = it[0].x, y = it[T].x, z = it[2 * T].x;
        Vec3<M> middle;
        if constexpr (std::is_same_v<P, Mixed>) {
          middle = cuda::middle_of_lanes(Vec3<M>{M(x), M(y), M(z)});
          if (lane == 0) targets[T] = {middle.x, middle.y, middle.z, 0};
        }
        // As a source is made relative, so that a body exerts no force on itself.
        if (lane < T) targets[lane] = relative_to<P>(cuda::place_of<P>(x, y, z, 0), middle);
      }
      auto next = read(threadIdx.x);
      __syncthreads();
      Vec3<M> origin;
      if constexpr (std::is_same_v<P, Mixed>) origin = targets[T].position();
      Mass<M> target[K];
#pragma unroll
      for (unsigned k = 0; k < K; ++k) target[k] = targets[group * K + k];
      M a[V]{};
      const auto add_all = [&](auto has_mass) {
        constexpr bool counts = decltype(has_mass)::value;
        if constexpr (G == 1) {
#pragma unroll 2
          for (unsigned i = threadIdx.x; i < whole; i += threads) {
            const auto now = next;
            next = read(i + threads);
            add_tree_sums<Q, counts>(a, relative_to<P>(come(now, i), origin), target, t.eps2);
          }
        } else {
          for (unsigned first = 0; first < t.n; first += window) {
            const unsigned size = whole - first < window ? whole - first : window;
            // They stay there for the next batch, unless they are relative to something.
            if (b == 0 || window < whole || std::is_same_v<P, Mixed>) {
              if (first > 0) __syncthreads();
#pragma unroll 4
              for (unsigned i = threadIdx.x; i < size; i += threads) {
                const auto now = next;
                next = read(first + i + threads);
                staged.set(i, relative_to<P>(come(now, first + i), origin));
              }
              __syncthreads();
            }
#pragma unroll(sizeof(M) == 8 ? 1 : 2)
            for (unsigned j = slice * 32 + lane; j < size; j += slices * 32)
              add_tree_sums<Q, counts>(a, staged[j], target, t.eps2);
          }
        }
      };
      if (weighed) add_all(std::true_type{});
      else add_all(std::false_type{});
#pragma unroll
      for (unsigned part = 0; part < V; part += fold) {
        M some[fold];
#pragma unroll
        for (unsigned i = 0; i < fold; ++i) some[i] = a[part + i];
        const M sum = cuda::sum_over_lanes<fold, 32>(some);
        if (lane < fold) parts[(slice * G + group) * V + part + lane] = sum;
      }
      __syncthreads();
      // Sums and targets are written again behind the barrier at which the owners arrive after this.
      if (is_mine(b)) {
        Vec3<S> sum;
#pragma unroll
        for (unsigned s = 0; s < slices; ++s) {
          const auto part = reinterpret_cast<const Mass<M>*>(parts)[s * T + lane];
          sum += {S(part.x), S(part.y), S(part.z)};
        }
        const S factor = weighed ? S(1) : S(first_mass);
        own(b, 0).sum = factor * sum.x, own(b, 1).sum = factor * sum.y, own(b, 2).sum = factor * sum.z;
      }
    }
  };
  cuda::make_steps(
      t, [&](auto change) { each([&](cuda::Own<P>& o, unsigned, unsigned) { change(o); }); }, evaluate);
  each([&](cuda::Own<P>& o, unsigned b, unsigned c) {
    give_back(t, my_body(b), c, o);
    t.sums[my_body(b)].w = 0;
  });
}

template <class P>
struct Shape : cuda::Compiled<cuda::Task<P>, unsigned char*, unsigned> {
  unsigned (*window)(unsigned, unsigned);
  unsigned (*bytes)(unsigned, unsigned);
};
/// up_to: the bodies beyond which the next is better on a hundred and some multiprocessors.
template <class P, int threads, int K, int G>
constexpr Shape<P> compiled(unsigned up_to) {
  using In = Layout<P, threads, K, G>;
  return {{{.threads_per_block = threads, .bodies_per_thread = K, .source_splits = int{In::slices}},
           grid_steps<P, threads, K, G>,
           up_to,
           most_bodies},
          In::window,
          In::bytes};
}
template <class P>
constexpr std::array list{compiled<P, 512, 4, 1>(528), compiled<P, 512, 8, 1>(1056),
                          compiled<P, 256, 16, 1>(2112), compiled<P, 256, 32, 1>(most_bodies)};
/// More targets of doubles than 8 are more than registers hold at full speed.
template <>
constexpr std::array list<F64>{compiled<F64, 512, 4, 1>(528), compiled<F64, 512, 8, 1>(1056),
                               compiled<F64, 512, 4, 4>(2112), compiled<F64, 512, 4, 8>(most_bodies)};

template <class P>
void run(const StepProblem<P>& p, const LaunchShape& shape) {
  constexpr std::string_view name = "cuda/grid-steps";
  const auto task = cuda::task_of(p, most_bodies, name);
  if (cuda::nothing_to_do(p)) return;
  const auto& c = cuda::compiled_for(list<P>, shape, task.n, name);
  const int threads = c.shape.threads_per_block,
            targets = c.shape.bodies_per_thread * (threads / 32 / c.shape.source_splits);
  cuda::Grid grid{
      .threads = static_cast<unsigned>(threads), .shared_bytes = c.bytes(task.n, 1), .together = true};
  const unsigned batches = cuda::ceil_div(task.n, static_cast<std::size_t>(targets)),
                 at_once = cuda::coresident_blocks(reinterpret_cast<const void*>(c.kernel), name, grid);
  // As few blocks as are as quick: all have the same number of batches.
  const unsigned each = at_once == 0 ? 1 : cuda::ceil_div(batches, at_once);
  cuda::need(each <= most_batches, name,
             std::to_string(task.n) + " bodies are more than the device's blocks of this shape, " +
                 std::to_string(at_once) + " at once, can own; choose more bodies per thread");
  grid.blocks = cuda::ceil_div(batches, each);
  grid.shared_bytes = c.bytes(task.n, each);
  cuda::Buffer<unsigned char> exchange(std::size_t{2} * task.n * cuda::Places<P>::bytes, p.stream);
  exchange.set_bytes(0);
  cuda::launch(name, c.kernel, grid, p.stream, task, exchange.data(), c.window(task.n, each));
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{},      list<F32>[0].shape, list<F32>[1].shape, list<F32>[2].shape,
                            list<F32>[3].shape, list<F64>[2].shape, list<F64>[3].shape};

}  // namespace

extern constinit const StepKernel cuda_grid_steps{
    .name = "cuda/grid-steps",
    .rung = 203,
    .idea = "all multiprocessors, without a grid barrier: each position carries the number of its evaluation",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 12, .f64 = 31, .mixed = 12},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
