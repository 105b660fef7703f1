#include "cuda/device/launch.hpp"
#include "cuda/device/sort.hpp"
#include "cuda/direct/frame_of.hpp"
#include "cuda/direct/rung.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;

/// The first threads' extents as one, in thread 0: a tree, so that the order of the sums is fixed.
__device__ Extent joined_over_block(Extent mine, Extent* shared) {
  if (threadIdx.x < threads) shared[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  return threadIdx.x < threads ? shared[threadIdx.x] : mine;
}

template <class T>
__global__ void measure(const Mass<T>* __restrict__ bodies, std::size_t n, Extent* __restrict__ parts) {
  Extent extent;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * threads) {
    extent = joined(extent, extent_of(bodies[i]));
  }
  extent = joined_over_block(extent, dynamic_shared<Extent>());
  if (threadIdx.x == 0) parts[blockIdx.x] = extent;
}

/// Whether the bodies are taken along the curve, and their middle. Every block joins the parts itself: that
/// is quicker than a launch between.
template <class T>
__device__ bool along_curve(const Mass<T>* bodies, std::size_t n, const Extent* parts, unsigned n_parts,
                            double eps, Middle& middle) {
  auto* shared = dynamic_shared<Extent>();
  const Extent all = joined_over_block(threadIdx.x < n_parts ? parts[threadIdx.x] : Extent{}, shared);
  auto* needed = reinterpret_cast<unsigned*>(shared + threads);
  middle = middle_of(bodies, n);
  if (threadIdx.x == 0) *needed = needs_curve(all, middle, eps) ? 1 : 0;
  __syncthreads();
  return *needed != 0;
}
constexpr unsigned bytes_of_decision = threads * sizeof(Extent) + sizeof(unsigned);

/// Sets keys with `bits` bits of each axis, all 0 if the given order is good enough.
template <class T>
__global__ void set_keys(const Mass<T>* __restrict__ bodies, std::size_t n, const Extent* __restrict__ parts,
                         unsigned n_parts, double eps, int bits, std::uint64_t* __restrict__ keys,
                         std::uint32_t* __restrict__ numbers) {
  Middle middle;
  const bool needed = along_curve(bodies, n, parts, n_parts, eps, middle);
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  keys[i] = needed ? place_on_curve(middle, bodies[i], bits) : 0;
  numbers[i] = static_cast<std::uint32_t>(i);
}

/// Few bodies are sorted in two steps, since each launch counts: a block sorts a run, and the thread that
/// packs a body counts the bodies before it in the other runs. Nothing is sorted if the given order is good
/// enough.
constexpr unsigned run_length = 4096, threads_of_run = 1024, bodies_of_thread = run_length / threads_of_run;
constexpr std::size_t most_in_runs = 65536;
constexpr int bits_in_runs = 10;

/// A body in a run: its place along the curve above its number, so that no two are equal.
template <class T>
__global__ void __launch_bounds__(threads_of_run)
    sort_runs(const Mass<T>* __restrict__ bodies, std::size_t n, const Extent* __restrict__ parts,
              unsigned n_parts, double eps, std::uint64_t* __restrict__ runs) {
  Middle middle;
  if (!along_curve(bodies, n, parts, n_parts, eps, middle)) return;
  __syncthreads();
  auto* shared = reinterpret_cast<std::uint64_t*>(dynamic_shared<Extent>());
  // Bitonic: in registers, between the lanes of a warp, and only beyond them through shared memory.
  const unsigned mine = bodies_of_thread * threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.x} * run_length + mine;
  std::uint64_t run[bodies_of_thread];
#pragma unroll
  for (unsigned k = 0; k < bodies_of_thread; ++k)
    run[k] = first + k < n ? place_on_curve(middle, bodies[first + k], bits_in_runs) << 32 | (first + k)
                           : ~std::uint64_t{0};
  const auto keep = [](std::uint64_t& a, std::uint64_t b, bool lesser) { a = (a < b) == lesser ? a : b; };
#pragma unroll 1
  for (unsigned ordered = 2; ordered <= run_length; ordered *= 2) {
#pragma unroll 1
    for (unsigned apart = ordered / 2; apart >= bodies_of_thread; apart /= 2) {
      const bool lesser = ((mine & apart) == 0) == ((mine & ordered) == 0);
      if (apart < 32 * bodies_of_thread) {
#pragma unroll
        for (auto& body : run)
          keep(body, __shfl_xor_sync(~0u, body, static_cast<int>(apart / bodies_of_thread)), lesser);
      } else {
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < bodies_of_thread; ++k) shared[threads_of_run * k + threadIdx.x] = run[k];
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < bodies_of_thread; ++k)
          keep(run[k], shared[threads_of_run * k + (threadIdx.x ^ apart / bodies_of_thread)], lesser);
      }
    }
#pragma unroll
    for (unsigned apart = bodies_of_thread / 2; apart > 0; apart /= 2)
      if (apart < ordered)
#pragma unroll
        for (unsigned k = 0; k < bodies_of_thread; ++k)
          if ((k & apart) == 0) {
            const bool lesser = ((mine + k) & ordered) == 0;
            const auto a = run[k], b = run[k + apart];
            if ((b < a) == lesser) run[k] = b, run[k + apart] = a;
          }
  }
#pragma unroll
  for (unsigned k = 0; k < bodies_of_thread; ++k) runs[first + k] = run[k];
}

/// Rank along the curve of the i-th body of the runs.
__device__ inline std::uint32_t rank_in_runs(const std::uint64_t* __restrict__ runs, std::size_t n,
                                             std::size_t i) {
  const std::uint64_t body = runs[i];
  const unsigned own = static_cast<unsigned>(i / run_length),
                 last = static_cast<unsigned>((n - 1) / run_length);
  std::uint32_t rank = i % run_length;
#pragma unroll 4
  for (unsigned r = 0; r <= last; ++r) {
    const auto* run = runs + std::size_t{r} * run_length;
    unsigned before = 0;
#pragma unroll
    for (unsigned step = run_length / 2; step > 0; step /= 2)
      if (run[before + step - 1] < body) before += step;
    before += run[before] < body ? 1 : 0;
    if (r != own) rank += before;
  }
  return rank;
}

/// The order in which bodies are packed: of numbers, of runs, or (none of them) as they are.
struct PackedOrder {
  const std::uint32_t* numbers = nullptr;
  const std::uint64_t* runs = nullptr;
  __device__ bool curve() const { return numbers != nullptr || runs != nullptr; }
};

/// The numbers of the bodies along the curve. Finer keys cost time, which counts where there are few bodies.
template <class T>
Buffer<std::uint32_t> numbers_along(std::span<const Mass<T>> bodies, const Extent* parts, unsigned n_parts,
                                    double eps, void* stream) {
  const std::size_t n = bodies.size(), room = sort_room(n);
  const int bits = n < 196608 ? 10 : 21;
  Buffer<std::uint64_t> keys(n, stream), more_keys(n, stream);
  Buffer<std::uint32_t> numbers(n, stream), more_numbers(n, stream);
  Buffer<std::byte> memory(room, stream);
  launch("curve keys", set_keys<T>,
         {.blocks = ceil_div(n, threads), .threads = threads, .shared_bytes = bytes_of_decision}, stream,
         bodies.data(), n, parts, n_parts, eps, bits, keys.data(), numbers.data());
  const bool in_more = sort_by_key({.keys = keys.data(),
                                    .more_keys = more_keys.data(),
                                    .values = numbers.data(),
                                    .more_values = more_numbers.data(),
                                    .n = n},
                                   3 * bits, memory.data(), room, stream);
  return in_more ? std::move(more_numbers) : std::move(numbers);
}

template <class T>
Buffer<std::uint64_t> runs_along(std::span<const Mass<T>> bodies, const Extent* parts, unsigned n_parts,
                                 double eps, void* stream) {
  const unsigned blocks = ceil_div(bodies.size(), run_length);
  Buffer<std::uint64_t> runs(std::size_t{blocks} * run_length, stream);
  launch("curve runs", sort_runs<T>,
         {.blocks = blocks,
          .threads = threads_of_run,
          .shared_bytes = std::max<unsigned>(bytes_of_decision, run_length * 8)},
         stream, bodies.data(), bodies.size(), parts, n_parts, eps, runs.data());
  return runs;
}

/// Every block joins the parts itself. `ranks`: where each body is packed; unused for the given order.
template <class P>
__global__ void pack(const Mass<typename P::Position>* __restrict__ bodies, std::size_t n, PackedOrder order,
                     const Extent* __restrict__ parts, unsigned n_parts, double length, double eps,
                     std::size_t padded, Frame* __restrict__ frame,
                     Mass<typename P::Math>* __restrict__ packed, Mass<typename P::Math>* __restrict__ rests,
                     std::uint32_t* __restrict__ ranks) {
  using M = typename P::Math;
  auto* shared = dynamic_shared<Extent>();
  const Extent all = joined_over_block(threadIdx.x < n_parts ? parts[threadIdx.x] : Extent{}, shared);
  auto* common = reinterpret_cast<Frame*>(shared + threads);
  if (threadIdx.x == 0) {
    const auto middle = order.curve() ? middle_of(bodies, n) : Middle{};
    *common = frame_of<P>(all, length, order.curve() ? &middle.at : nullptr);
    if (order.curve() && needs_curve(all, middle, eps)) common->masses |= curve_needed;
    if (blockIdx.x == 0) *frame = *common;
  }
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= padded) return;
  if (i < n) {
    std::size_t number = i, rank = i;
    if (order.numbers != nullptr) number = order.numbers[i];
    if (order.runs != nullptr && (common->masses & curve_needed) != 0)
      number = order.runs[i] & 0xffffffffu, rank = rank_in_runs(order.runs, n, i);
    place<P>(*common, bodies[number], packed + rank, rests + rank);
    if (order.curve()) ranks[number] = static_cast<std::uint32_t>(rank);
    return;
  }
  // Padding: the square of this distance is infinite in single precision, and the cube of its inverse 0 in
  // both.
  packed[i] = {sizeof(M) == 4 ? M(0x1p70) : M(0x1p500), M(0), M(0), M(1)};
  if constexpr (std::is_same_v<P, Mixed>) rests[i] = {};
}

/// A warp for each box, where the bodies are along the curve.
__global__ void bound_tiles(const Frame* __restrict__ frame, const Mass<float>* __restrict__ bodies,
                            const Mass<float>* __restrict__ rests, std::size_t n,
                            TileBox* __restrict__ boxes) {
  if ((frame->masses & curve_needed) == 0) return;
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x, first = i - threadIdx.x % 32;
  if (first >= n) return;
  const std::size_t mine = i < n ? i : first;
  const auto a = bodies[first], b = bodies[mine], a_rest = rests[first], rest = rests[mine];
  Vec3<float> low{(b.x - a.x) + (rest.x - a_rest.x), (b.y - a.y) + (rest.y - a_rest.y),
                  (b.z - a.z) + (rest.z - a_rest.z)},
      high = low;
  for (int far = 16; far > 0; far /= 2) {
    low = {fminf(low.x, __shfl_xor_sync(~0u, low.x, far)), fminf(low.y, __shfl_xor_sync(~0u, low.y, far)),
           fminf(low.z, __shfl_xor_sync(~0u, low.z, far))};
    high = {fmaxf(high.x, __shfl_xor_sync(~0u, high.x, far)),
            fmaxf(high.y, __shfl_xor_sync(~0u, high.y, far)),
            fmaxf(high.z, __shfl_xor_sync(~0u, high.z, far))};
  }
  if (i == first) boxes[i / 32] = {{low.x, low.y, low.z, 0}, {high.x, high.y, high.z, 0}};
}

}  // namespace

template <class P>
Framed<P> framed(const PairProblem<P>& p, std::size_t padded, BodyOrder order) {
  using M = typename P::Math;
  const std::size_t n = p.sources.size();
  const unsigned n_parts = std::min(ceil_div(n, threads), threads);
  constexpr bool pairs = std::is_same_v<P, Mixed>;
  const double length = unit_of_softening(p.softening.eps);
  Framed<P> f{.frame = Buffer<Frame>(1, p.stream),
              .bodies = Buffer<Mass<M>>(padded, p.stream),
              .rests = Buffer<Mass<M>>(pairs ? padded : 0, p.stream),
              .ranks = Buffer<std::uint32_t>(pairs && order == BodyOrder::curve ? n : 0, p.stream),
              .boxes = Buffer<TileBox>(pairs && order == BodyOrder::curve ? ceil_div(n, 32) : 0, p.stream),
              .eps2 = softening_in_frame<M>(p.softening.eps)};
  Buffer<Extent> parts(n_parts, p.stream);
  const unsigned bytes = threads * sizeof(Extent);
  launch("measure", measure<typename P::Position>,
         {.blocks = n_parts, .threads = threads, .shared_bytes = bytes}, p.stream, p.sources.data(), n,
         parts.data());
  Buffer<std::uint32_t> numbers;
  Buffer<std::uint64_t> runs;
  if (f.ranks.size() > most_in_runs)
    numbers = numbers_along(p.sources, std::as_const(parts).data(), n_parts, p.softening.eps, p.stream);
  else if (f.ranks.size() > 0)
    runs = runs_along(p.sources, std::as_const(parts).data(), n_parts, p.softening.eps, p.stream);
  launch("pack", pack<P>,
         {.blocks = ceil_div(padded, threads), .threads = threads, .shared_bytes = bytes + sizeof(Frame)},
         p.stream, p.sources.data(), n,
         PackedOrder{.numbers = std::as_const(numbers).data(), .runs = std::as_const(runs).data()},
         parts.data(), n_parts, length, p.softening.eps, padded, f.frame.data(), f.bodies.data(),
         f.rests.data(), f.ranks.data());
  if constexpr (pairs)
    if (order == BodyOrder::curve)
      launch("bound_tiles", bound_tiles, {.blocks = ceil_div(n, threads), .threads = threads}, p.stream,
             std::as_const(f.frame).data(), std::as_const(f.bodies).data(), std::as_const(f.rests).data(), n,
             f.boxes.data());
  return f;
}
template Framed<F32> framed(const PairProblem<F32>&, std::size_t, BodyOrder);
template Framed<F64> framed(const PairProblem<F64>&, std::size_t, BodyOrder);
template Framed<Mixed> framed(const PairProblem<Mixed>&, std::size_t, BodyOrder);

}  // namespace pleiad::cuda
