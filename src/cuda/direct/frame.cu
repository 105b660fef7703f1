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

/// The threads' extents as one, in thread 0: a tree, so that the order of the sums is fixed.
__device__ Extent joined_over_block(Extent mine, Extent* shared) {
  shared[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  return shared[threadIdx.x];
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

/// Keys of so many bits of each axis, all 0 where the given order will do. Every block joins the parts
/// itself.
template <class T>
__global__ void set_keys(const Mass<T>* __restrict__ bodies, std::size_t n, const Extent* __restrict__ parts,
                         unsigned n_parts, double eps, int bits, std::uint64_t* __restrict__ keys,
                         std::uint32_t* __restrict__ numbers) {
  auto* shared = dynamic_shared<Extent>();
  const Extent all = joined_over_block(threadIdx.x < n_parts ? parts[threadIdx.x] : Extent{}, shared);
  auto* needed = reinterpret_cast<unsigned*>(shared + threads);
  const auto middle = middle_of(bodies, n);
  if (threadIdx.x == 0) *needed = needs_curve(all, middle, eps) ? 1 : 0;
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  keys[i] = *needed != 0 ? place_on_curve(middle, bodies[i], bits) : 0;
  numbers[i] = static_cast<std::uint32_t>(i);
}

/// The numbers of the bodies along the curve. Finer keys cost time, which counts where there are few bodies.
template <class T>
Buffer<std::uint32_t> numbers_along(std::span<const Mass<T>> bodies, const Extent* parts, unsigned n_parts,
                                    double eps, void* stream) {
  const std::size_t n = bodies.size(), room = sort_room(n);
  const int bits = n < 196608 ? 10 : 21;
  Buffer<std::uint64_t> keys(n, stream), sorted_keys(n, stream);
  Buffer<std::uint32_t> numbers(n, stream), sorted(n, stream);
  Buffer<std::byte> memory(room, stream);
  constexpr unsigned bytes = threads * sizeof(Extent) + sizeof(unsigned);
  launch("curve keys", set_keys<T>,
         {.blocks = ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, stream, bodies.data(),
         n, parts, n_parts, eps, bits, keys.data(), numbers.data());
  sort_by_key({.keys = keys.data(),
               .sorted_keys = sorted_keys.data(),
               .values = numbers.data(),
               .sorted_values = sorted.data(),
               .n = n},
              3 * bits, memory.data(), room, stream);
  return sorted;
}

/// Every block joins the parts itself: that is quicker than a launch between. `numbers`: of the bodies in the
/// order in which they are packed, and `ranks` their inverse; null: as they are.
template <class P>
__global__ void pack(const Mass<typename P::Position>* __restrict__ bodies, std::size_t n,
                     const std::uint32_t* __restrict__ numbers, const Extent* __restrict__ parts,
                     unsigned n_parts, double length, double eps, std::size_t padded,
                     Frame* __restrict__ frame, Mass<typename P::Math>* __restrict__ packed,
                     Mass<typename P::Math>* __restrict__ rests, std::uint32_t* __restrict__ ranks) {
  using M = typename P::Math;
  auto* shared = dynamic_shared<Extent>();
  const Extent all = joined_over_block(threadIdx.x < n_parts ? parts[threadIdx.x] : Extent{}, shared);
  auto* common = reinterpret_cast<Frame*>(shared + threads);
  if (threadIdx.x == 0) {
    const auto middle = numbers != nullptr ? middle_of(bodies, n) : Middle{};
    *common = frame_of<P>(all, length, numbers != nullptr ? &middle.at : nullptr);
    if (numbers != nullptr && needs_curve(all, middle, eps)) common->masses |= curve_needed;
    if (blockIdx.x == 0) *frame = *common;
  }
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= padded) return;
  if (i < n) {
    const std::size_t number = numbers != nullptr ? numbers[i] : i;
    place<P>(*common, bodies[number], packed + i, rests + i);
    if (numbers != nullptr) ranks[number] = static_cast<std::uint32_t>(i);
    return;
  }
  // Padding: the square of this distance is infinite in single precision, and the cube of its inverse 0 in
  // both.
  packed[i] = {sizeof(M) == 4 ? M(0x1p70) : M(0x1p500), M(0), M(0), M(1)};
  if constexpr (std::is_same_v<P, Mixed>) rests[i] = {};
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
              .eps2 = softening_in_frame<M>(p.softening.eps)};
  Buffer<Extent> parts(n_parts, p.stream);
  const unsigned bytes = threads * sizeof(Extent);
  launch("measure", measure<typename P::Position>,
         {.blocks = n_parts, .threads = threads, .shared_bytes = bytes}, p.stream, p.sources.data(), n,
         parts.data());
  Buffer<std::uint32_t> numbers;
  if (f.ranks.size() > 0)
    numbers = numbers_along(p.sources, std::as_const(parts).data(), n_parts, p.softening.eps, p.stream);
  launch("pack", pack<P>,
         {.blocks = ceil_div(padded, threads), .threads = threads, .shared_bytes = bytes + sizeof(Frame)},
         p.stream, p.sources.data(), n, std::as_const(numbers).data(), parts.data(), n_parts, length,
         p.softening.eps, padded, f.frame.data(), f.bodies.data(), f.rests.data(), f.ranks.data());
  return f;
}
template Framed<F32> framed(const PairProblem<F32>&, std::size_t, BodyOrder);
template Framed<F64> framed(const PairProblem<F64>&, std::size_t, BodyOrder);
template Framed<Mixed> framed(const PairProblem<Mixed>&, std::size_t, BodyOrder);

}  // namespace pleiad::cuda
