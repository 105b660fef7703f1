#include "cuda/device/launch.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/update.hpp"
#include "tree/spread.hpp"

#include <cmath>

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256;

__device__ Extent joined(const Extent& a, const Extent& b) {
  Extent all = a;
  all.add(b);
  return all;
}
/// The threads' extents as one, in thread 0.
__device__ Extent joined_over_block(const Extent& mine, Extent* shared) {
  shared[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  return shared[threadIdx.x];
}

/// A body as it is, or in a box where the periodic one has it: open space pays nothing.
template <bool in_box, class T>
__device__ Mass<T> placed(const Mass<T>& body, const Vec3<T>& box) {
  if constexpr (in_box) return wrapped(body, box);
  else return body;
}

template <bool in_box, class T>
__global__ void measure_extents(const Mass<T>* __restrict__ bodies, std::size_t n, Vec3<T> box,
                                Extent* __restrict__ extents) {
  Extent mine;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * threads) {
    const auto b = placed<in_box>(bodies[i], box);
    const double x = double(b.x), y = double(b.y), z = double(b.z), m = double(b.m);
    // Infinity minus itself is NaN, and so is NaN minus itself.
    const bool finite = x - x == 0 && y - y == 0 && z - z == 0 && m - m == 0;
    mine = joined(mine, {{x, y, z}, {x, y, z}, m < 0 ? -m : m, finite});
  }
  mine = joined_over_block(mine, dynamic_shared<Extent>());
  if (threadIdx.x == 0) extents[blockIdx.x] = mine;
}

/// The power of two above x > 0; 1 otherwise.
__device__ double power_above(double x) { return x > 0 ? ldexp(1.0, ilogb(x) + 1) : 1; }

/// The unit of mass is a power of two above the number of bodies times the largest mass: it does not depend
/// on the order of a sum, and so not on where the bodies are.
__device__ double mass_unit(double heaviest, double bodies) {
  if (!(heaviest > 0)) return 1;
  constexpr int most = 1023;
  const int power = ilogb(heaviest) + ilogb(bodies) + 2;
  return ldexp(1.0, power < most ? power : most);
}

__global__ void set_frame(const Extent* __restrict__ extents, unsigned n, double bodies, double eps,
                          double least, Frame* __restrict__ frame, Status* __restrict__ status) {
  const Extent all =
      joined_over_block(threadIdx.x < n ? extents[threadIdx.x] : Extent{}, dynamic_shared<Extent>());
  if (threadIdx.x > 0) return;
  double widest = 0, middle[3];
  bool finite = all.finite;
  for (int k = 0; k < 3; ++k) {
    const double width = all.high[k] - all.low[k];
    finite = finite && width - width == 0;
    widest = widest > width ? widest : width;
    middle[k] = 0.5 * (all.low[k] + all.high[k]);
  }
  const double half = finite ? 0.5 * widest : 0;
  const double length = power_above(half > least ? half : least),
               mass = mass_unit(finite ? all.heaviest : 0, bodies);
  const double per = 1 / length;
  *frame = {.middle = {middle[0] * per, middle[1] * per, middle[2] * per},
            .per_length = per,
            .per_mass = 1 / mass,
            .acceleration = mass / length / length,
            .potential = mass / length,
            .eps = eps * per,
            .finite = finite};
  *status = {};
  status->finite = finite;
}

/// A coordinate of [-1, 1] on the grid of the deepest level.
__device__ std::uint64_t on_grid(double x) {
  constexpr double cells = double(1u << deepest);
  const double at = (0.5 * (x + 1)) * cells;
  return static_cast<std::uint64_t>(at < 0 ? 0 : at < cells - 1 ? at : cells - 1);
}

template <bool in_box, class T>
__global__ void set_keys(const Mass<T>* __restrict__ bodies, std::size_t n, Vec3<T> box,
                         const Frame* __restrict__ frame, std::uint64_t* __restrict__ keys,
                         std::uint32_t* __restrict__ numbers) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const auto b = placed<in_box>(bodies[i], box);
  const Frame f = *frame;
  const auto axis = [&](T x, double middle) {
    return pleiad::tree::spread(on_grid(double(x) * f.per_length - middle));
  };
  keys[i] = f.finite ? axis(b.x, f.middle.x) << 2 | axis(b.y, f.middle.y) << 1 | axis(b.z, f.middle.z) : 0;
  numbers[i] = static_cast<std::uint32_t>(i);
}

template <bool in_box, class T>
__global__ void set_sorted(const Mass<T>* __restrict__ bodies, std::size_t n, Vec3<T> box,
                           const Frame* __restrict__ frame, const std::uint32_t* __restrict__ order,
                           Mass<T>* __restrict__ sorted, std::uint32_t* __restrict__ levels) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const auto b = placed<in_box>(bodies[order[i]], box);
  const double per = frame->per_length;
  sorted[i] = {T(double(b.x) * per), T(double(b.y) * per), T(double(b.z) * per),
               T(double(b.m) * frame->per_mass)};
  levels[i] = 0;
}

template <class T>
__global__ void write_nothing(Outputs<T> sums, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t k = blockIdx.x * threads + threadIdx.x;
  const T nothing = T(NAN);
  if (k < count) sums[first + k] = {nothing, nothing, nothing, nothing};
}

template <class T>
bool periodic(const Vec3<T>& box) {
  return box.x > 0;
}

}  // namespace

template <class T>
void set_nothing(const Outputs<T>& sums, std::uint32_t first, std::uint32_t end, void* stream) {
  launch("tree without a place", write_nothing<T>,
         {.blocks = blocks_for(end - first, threads), .threads = threads}, stream, sums, first, end - first);
}

void make_frame(const Extent* extents, unsigned count, std::size_t bodies, double eps, Frame* frame,
                Status* status, void* stream, double least) {
  static_assert(most_extents <= threads);
  launch("tree frame", set_frame, {.blocks = 1, .threads = threads, .shared_bytes = threads * sizeof(Extent)},
         stream, extents, count, double(bodies), eps, least, frame, status);
}

template <class T>
unsigned measure(std::span<const Mass<T>> bodies, Extent* extents, void* stream, const Vec3<T>& box) {
  const unsigned parts =
      bodies.size() < std::size_t{most_extents} * threads ? blocks_for(bodies.size(), threads) : most_extents;
  if (parts > 0)
    launch("tree extents", periodic(box) ? measure_extents<true, T> : measure_extents<false, T>,
           {.blocks = parts, .threads = threads, .shared_bytes = threads * sizeof(Extent)}, stream,
           bodies.data(), bodies.size(), box, extents);
  return parts;
}
template <class T>
void make_keys(std::span<const Mass<T>> bodies, const Frame* frame, std::uint64_t* keys,
               std::uint32_t* numbers, void* stream, const Vec3<T>& box) {
  launch("tree keys", periodic(box) ? set_keys<true, T> : set_keys<false, T>,
         {.blocks = blocks_for(bodies.size(), threads), .threads = threads}, stream, bodies.data(),
         bodies.size(), box, frame, keys, numbers);
}
template <class T>
void gather(std::span<const Mass<T>> bodies, const Frame* frame, const std::uint32_t* order, Mass<T>* sorted,
            std::uint32_t* levels, void* stream, const Vec3<T>& box) {
  launch("tree gather", periodic(box) ? set_sorted<true, T> : set_sorted<false, T>,
         {.blocks = blocks_for(bodies.size(), threads), .threads = threads}, stream, bodies.data(),
         bodies.size(), box, frame, order, sorted, levels);
}

#define PLEIAD_FOR(T)                                                                                    \
  template void set_nothing(const Outputs<T>&, std::uint32_t, std::uint32_t, void*);                     \
  template unsigned measure(std::span<const Mass<T>>, Extent*, void*, const Vec3<T>&);                   \
  template void make_keys(std::span<const Mass<T>>, const Frame*, std::uint64_t*, std::uint32_t*, void*, \
                          const Vec3<T>&);                                                               \
  template void gather(std::span<const Mass<T>>, const Frame*, const std::uint32_t*, Mass<T>*,           \
                       std::uint32_t*, void*, const Vec3<T>&);
PLEIAD_FOR(float)
PLEIAD_FOR(double)
#undef PLEIAD_FOR

}  // namespace pleiad::cuda::tree
