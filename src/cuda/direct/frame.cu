#include "cuda/device/launch.hpp"
#include "cuda/direct/frame_of.hpp"
#include "cuda/direct/rung.hpp"

#include <cmath>
#include <type_traits>

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

/// Every block joins the parts itself: that is quicker than a launch between.
template <class P>
__global__ void pack(const Mass<typename P::Position>* __restrict__ bodies, std::size_t n,
                     const Extent* __restrict__ parts, unsigned n_parts, double length, std::size_t padded,
                     Frame* __restrict__ frame, Mass<typename P::Math>* __restrict__ packed,
                     Mass<typename P::Math>* __restrict__ rests) {
  using M = typename P::Math;
  auto* shared = dynamic_shared<Extent>();
  const Extent all = joined_over_block(threadIdx.x < n_parts ? parts[threadIdx.x] : Extent{}, shared);
  auto* common = reinterpret_cast<Frame*>(shared + threads);
  if (threadIdx.x == 0) {
    *common = frame_of<P>(all, length);
    if (blockIdx.x == 0) *frame = *common;
  }
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= padded) return;
  if (i < n) return place<P>(*common, bodies[i], packed + i, rests + i);
  // Padding: the square of this distance is infinite in single precision, and the cube of its inverse 0 in
  // both.
  packed[i] = {sizeof(M) == 4 ? M(0x1p70) : M(0x1p500), M(0), M(0), M(1)};
  if constexpr (std::is_same_v<P, Mixed>) rests[i] = {};
}

}  // namespace

template <class P>
Framed<P> framed(const PairProblem<P>& p, std::size_t padded) {
  using M = typename P::Math;
  const std::size_t n = p.sources.size();
  const unsigned n_parts = std::min(ceil_div(n, threads), threads);
  constexpr bool pairs = std::is_same_v<P, Mixed>;
  const double length = unit_of_softening(p.softening.eps);
  Framed<P> f{.frame = Buffer<Frame>(1, p.stream),
              .bodies = Buffer<Mass<M>>(padded, p.stream),
              .rests = Buffer<Mass<M>>(pairs ? padded : 0, p.stream),
              .eps2 = softening_in_frame<M>(p.softening.eps)};
  Buffer<Extent> parts(n_parts, p.stream);
  const unsigned bytes = threads * sizeof(Extent);
  launch("measure", measure<typename P::Position>,
         {.blocks = n_parts, .threads = threads, .shared_bytes = bytes}, p.stream, p.sources.data(), n,
         parts.data());
  launch("pack", pack<P>,
         {.blocks = ceil_div(padded, threads), .threads = threads, .shared_bytes = bytes + sizeof(Frame)},
         p.stream, p.sources.data(), n, parts.data(), n_parts, length, padded, f.frame.data(),
         f.bodies.data(), f.rests.data());
  return f;
}
template Framed<F32> framed(const PairProblem<F32>&, std::size_t);
template Framed<F64> framed(const PairProblem<F64>&, std::size_t);
template Framed<Mixed> framed(const PairProblem<Mixed>&, std::size_t);

}  // namespace pleiad::cuda
