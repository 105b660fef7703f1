#include "cuda/device/launch.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/field_at.hpp"

#include <utility>

namespace pleiad::cuda::tree {
namespace {

using lattice::degree, lattice::place_of, lattice::terms, lattice::half;

constexpr unsigned threads = 128;
/// Numbers of one term side by side, with one more so that threads that read different terms have no bank
/// conflicts.
constexpr unsigned stride = threads + 1;
/// Terms are summed in groups of exponents of x: each of the lower ones, which have up to 91, and all others,
/// which have 84.
constexpr int groups = 7;
PLEIAD_HD constexpr int first_of(int group) { return group; }
PLEIAD_HD constexpr int last_of(int group) { return group < groups - 1 ? group : degree; }
PLEIAD_HD constexpr int terms_of(int group) {
  return (last_of(group) < degree ? place_of(last_of(group) + 1, 0, 0) : terms) -
         place_of(first_of(group), 0, 0);
}

__global__ void set_each(LatticeTables of, Vec3<double> box, const Frame* __restrict__ frame,
                         Vec3<double>* __restrict__ shifts) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= of.images) return;
  const int* const away = of.boxes + 3 * k;
  const double per = frame->per_length;
  shifts[k] = {away[0] * (box.x * per), away[1] * (box.y * per), away[2] * (box.z * per)};
}

/// The moments of a group of one block of bodies, a thread for some of them: then a thread for each term adds
/// those of all threads. They go to `to`, `blocks` apart.
template <int group, class T>
__device__ void sum_moments(const Mass<T>* __restrict__ bodies, std::uint32_t begin, std::uint32_t end,
                            const Vec3<double>& scale, double* __restrict__ to, std::uint32_t blocks) {
  constexpr int own = terms_of(group), first = first_of(group), last = last_of(group);
  float sums[own];
#pragma unroll
  for (int k = 0; k < own; ++k) sums[k] = 0;
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += threads) {
    const auto body = bodies[i];
    const float x = float(double(body.x) * scale.x - 0.5), y = float(double(body.y) * scale.y - 0.5),
                z = float(double(body.z) * scale.z - 0.5);
    float with_x = float(body.m);
#pragma unroll
    for (int k = 0; k < first; ++k) with_x *= x;
    int k = 0;
#pragma unroll
    for (int a = first; a <= last; ++a) {
      float with_y = with_x;
#pragma unroll
      for (int b = 0; a + b <= degree; ++b) {
        float term = with_y;
#pragma unroll
        for (int c = 0; a + b + c <= degree; ++c) {
          sums[k++] += term;
          term *= z;
        }
        with_y *= y;
      }
      with_x *= x;
    }
  }
  auto* const of_threads = dynamic_shared<float>();
#pragma unroll
  for (int k = 0; k < own; ++k) of_threads[unsigned(k) * stride + threadIdx.x] = sums[k];
  __syncthreads();
  for (unsigned k = threadIdx.x; k < unsigned(own); k += threads) {
    double sum = 0;
    for (unsigned t = 0; t < threads; ++t) sum += double(of_threads[k * stride + t]);
    to[std::size_t(unsigned(place_of(first, 0, 0)) + k) * blocks] = sum;
  }
}

/// Each block of threads has a block of bodies and one group of terms.
template <class T>
__global__ void __launch_bounds__(threads)
    moments_of_blocks(const Mass<T>* __restrict__ bodies, std::uint32_t n, std::uint32_t blocks,
                      FurtherImages of, const Frame* __restrict__ frame, double* __restrict__ parts) {
  const std::uint32_t block = blockIdx.x / groups;
  const int mine = int(blockIdx.x % groups);
  const std::uint32_t begin = block * moment_block, left = n - begin,
                      end = begin + (left < moment_block ? left : moment_block);
  const auto scale = of.scale(*frame);
  const auto sum = [&]<int... group>(std::integer_sequence<int, group...>) {
    ((group == mine ? sum_moments<group>(bodies, begin, end, scale, parts + block, blocks) : void()), ...);
  };
  sum(std::make_integer_sequence<int, groups>());
}

/// The sum over all blocks of bodies, a block of threads for each term.
__global__ void __launch_bounds__(threads)
    add_blocks(const double* __restrict__ parts, std::uint32_t blocks, double* __restrict__ moments) {
  auto* const sums = dynamic_shared<double>();
  const double* const own = parts + std::size_t{blockIdx.x} * blocks;
  double sum = 0;
  for (std::uint32_t k = threadIdx.x; k < blocks; k += threads) sum += own[k];
  sums[threadIdx.x] = sum;
  for (unsigned some = threads / 2; some > 0; some /= 2) {
    __syncthreads();
    if (threadIdx.x < some) sums[threadIdx.x] += sums[threadIdx.x + some];
  }
  if (threadIdx.x == 0) moments[blockIdx.x] = sums[0];
}

/// The coefficient of x^i y^j z^k, a block of threads for each i and j: (x - y)^a = sum_i binomial(a, i) x^i
/// (-y)^(a - i) along each axis, a even.
__global__ void __launch_bounds__(32)
    set_field(const double* __restrict__ even, const double* __restrict__ moments,
              const Frame* __restrict__ frame, double* __restrict__ field) {
  const int i = int(blockIdx.x) / (degree + 1), j = int(blockIdx.x) % (degree + 1), k = int(threadIdx.x);
  if (i + j + k > degree) return;
  double sum = 0;
  for (int a = i + i % 2; a <= degree; a += 2)
    for (int b = j + j % 2; a + b <= degree; b += 2) {
      const double of_both = lattice::binomial(a, i) * lattice::binomial(b, j);
      for (int c = k + k % 2; a + b + c <= degree; c += 2)
        sum += even[(a / 2 * half + b / 2) * half + c / 2] * of_both * lattice::binomial(c, k) *
               moments[place_of(a - i, b - j, c - k)];
    }
  field[place_of(i, j, k)] = ((i + j + k) % 2 == 0 ? sum : -sum) / frame->per_length;
}

template <bool potential, class T>
__global__ void __launch_bounds__(threads)
    add_field(Sorted<T> bodies, FurtherImages of, const Frame* __restrict__ frame, Outputs<T> sums) {
  auto* const field = dynamic_shared<float>();
  for (unsigned k = threadIdx.x; k < unsigned(terms); k += threads) field[k] = float(of.field[k]);
  __syncthreads();
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i >= bodies.n) return;
  const Frame f = *frame;
  const auto scale = of.scale(f);
  const auto body = bodies.bodies[i];
  FieldAt<float> at;
  at.find(field, float(double(body.x) * scale.x - 0.5), float(double(body.y) * scale.y - 0.5),
          float(double(body.z) * scale.z - 0.5));
  auto& sum = sums[bodies.order[i]];
  const auto old = sum;
  sum = {T(double(old.x) + f.acceleration * scale.x * double(at.x)),
         T(double(old.y) + f.acceleration * scale.y * double(at.y)),
         T(double(old.z) + f.acceleration * scale.z * double(at.z)),
         potential ? T(double(old.w) - f.potential * double(at.value)) : old.w};
}

}  // namespace

void set_shifts(const LatticeTables& of, const Vec3<double>& box, const Frame* frame, Vec3<double>* shifts,
                void* stream) {
  launch("tree images", set_each, {.blocks = blocks_for(of.images, threads), .threads = threads}, stream, of,
         box, frame, shifts);
}

template <class T>
void find_field(const Mass<T>* bodies, std::uint32_t n, const LatticeTables& of, const Vec3<double>& box,
                const Frame* frame, double* room, double* field, void* stream) {
  const std::uint32_t blocks = moment_blocks(n);
  double* const moments = room + std::size_t(terms) * blocks;
  launch(
      "tree moments of the box", moments_of_blocks<T>,
      {.blocks = blocks * groups, .threads = threads, .shared_bytes = terms_of(0) * stride * sizeof(float)},
      stream, bodies, n, blocks, FurtherImages{nullptr, box}, frame, room);
  launch("tree moments of the box together", add_blocks,
         {.blocks = unsigned(terms), .threads = threads, .shared_bytes = threads * sizeof(double)}, stream,
         room, blocks, moments);
  launch("tree field of further images", set_field, {.blocks = (degree + 1) * (degree + 1), .threads = 32},
         stream, of.even, moments, frame, field);
}

template <class T>
void add_further_images(const Sorted<T>& bodies, const FurtherImages& of, const Frame* frame,
                        const Outputs<T>& sums, bool potential, void* stream) {
  launch("tree further images", potential ? add_field<true, T> : add_field<false, T>,
         {.blocks = blocks_for(bodies.n, threads), .threads = threads, .shared_bytes = terms * sizeof(float)},
         stream, bodies, of, frame, sums);
}

#define PLEIAD_FOR(T)                                                                                       \
  template void find_field(const Mass<T>*, std::uint32_t, const LatticeTables&, const Vec3<double>&,        \
                           const Frame*, double*, double*, void*);                                          \
  template void add_further_images(const Sorted<T>&, const FurtherImages&, const Frame*, const Outputs<T>&, \
                                   bool, void*);
PLEIAD_FOR(float)
PLEIAD_FOR(double)
#undef PLEIAD_FOR

}  // namespace pleiad::cuda::tree
