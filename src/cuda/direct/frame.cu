#include "cuda/device/launch.hpp"
#include "cuda/direct/frame.hpp"
#include "cuda/direct/rung.hpp"

#include <cmath>
#include <type_traits>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;

/// What the frame is made from, of a part of the bodies.
struct Extent {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  double mass = 0, lightest = 1e300, heaviest = 0;
  double finite = 0;  ///< 0, or NaN if some number is not finite
};

__device__ Extent joined(const Extent& a, const Extent& b) {
  using std::fmax, std::fmin;
  return {{fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)},
          {fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)},
          a.mass + b.mass,
          fmin(a.lightest, b.lightest),
          fmax(a.heaviest, b.heaviest),
          a.finite + b.finite};
}

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
    const auto b = bodies[i];
    const Vec3<double> x{double(b.x), double(b.y), double(b.z)};
    const double m = double(b.m);
    extent = joined(extent, {x, x, m, m, m, (x.x - x.x) + (x.y - x.y) + (x.z - x.z) + (m - m)});
  }
  extent = joined_over_block(extent, dynamic_shared<Extent>());
  if (threadIdx.x == 0) parts[blockIdx.x] = extent;
}

/// The power of two at or below x > 0; 1 for 0.
__device__ double power_below(double x) { return x > 0 ? std::ldexp(1.0, std::ilogb(x)) : 1; }

/// `length`: the unit that the softening asks for, or 0 to take the extent.
template <class P>
__device__ Frame frame_of(const Extent& e, double length) {
  using std::fabs, std::fmax;
  Frame frame;
  if constexpr (std::is_same_v<P, Mixed>)
    frame.origin = {e.low.x / 2 + e.high.x / 2, e.low.y / 2 + e.high.y / 2, e.low.z / 2 + e.high.z / 2};
  const auto reach = [](double low, double high, double origin) {
    return fmax(fabs(low - origin), fabs(high - origin));
  };
  const double extent =
      fmax(reach(e.low.x, e.high.x, frame.origin.x),
           fmax(reach(e.low.y, e.high.y, frame.origin.y), reach(e.low.z, e.high.z, frame.origin.z)));
  frame.length = length > 0 ? length : 2 * power_below(extent);
  frame.mass = 2 * power_below(e.mass);
  frame.pull = frame.mass / frame.length / frame.length + e.finite;
  // The scaled source forms m_i (m_j / r^2)^(3/2): above 2^-96 without the factor m_i it is a normal number
  // with the bodies that matter, whose masses are at least 2^-25 of the whole.
  const double widest = fmax(4 * extent / frame.length, 1.0), light = e.lightest / frame.mass;
  if (light > 0x1p-100) frame.masses |= positive_masses;
  if (length > 0 && light * std::sqrt(light) > 0x1p-96 * widest * widest * widest)
    frame.masses |= scalable_masses;
  if (light > 0x1p-100 && e.lightest == e.heaviest) frame.masses |= equal_masses;
  return frame;
}

/// x without the bits that single precision has no room for. By a mask: x - double(float(x)) of several
/// coordinates is folded to 0 by GCC 12 when it makes vectors of them.
__device__ double upper_bits(double x) {
  return __longlong_as_double(__double_as_longlong(x) & ~0x1FFFFFFFll);
}

/// The body in the frame: a float, or a float and what it left, or a double.
template <class P>
__device__ void place(const Frame& f, Mass<typename P::Position> b, Mass<typename P::Math>* body,
                      Mass<typename P::Math>* rest) {
  using M = typename P::Math;
  const double per_length = 1 / f.length;
  const Vec3<double> x{(double(b.x) - f.origin.x) * per_length, (double(b.y) - f.origin.y) * per_length,
                       (double(b.z) - f.origin.z) * per_length};
  const M m = M(double(b.m) / f.mass);
  if constexpr (std::is_same_v<P, Mixed>) {
    const Vec3<double> upper{upper_bits(x.x), upper_bits(x.y), upper_bits(x.z)};
    *body = {M(upper.x), M(upper.y), M(upper.z), m};
    *rest = {M(x.x - upper.x), M(x.y - upper.y), M(x.z - upper.z), M(0)};
  } else {
    *body = {M(x.x), M(x.y), M(x.z), m};
  }
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
  const double eps = p.softening.eps, length = eps > 0 ? std::ldexp(1.0, std::ilogb(eps) + 12) : 0;
  Framed<P> f{.frame = Buffer<Frame>(1, p.stream),
              .bodies = Buffer<Mass<M>>(padded, p.stream),
              .rests = Buffer<Mass<M>>(pairs ? padded : 0, p.stream),
              .eps2 = eps > 0 ? M((eps / length) * (eps / length)) : least_eps2<M>};
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
