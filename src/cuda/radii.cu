/// The passes of core/by_distance.hpp on the device: a thread takes bodies a grid apart, and a block counts
/// in shared memory. Sixteen passes of 16 or 32 bytes a body: of 16.8 million bodies in single precision some
/// 4 GiB in all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/radii.hpp"

#include <pleiad/radii.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::cuda {
namespace {

using namespace by_distance;
/// As atomicAdd has it.
using Word = unsigned long long;

constexpr unsigned threads = 512, most_blocks = 1024, most_intervals = lagrangian_fractions.size();

/// The range of these bodies among all.
struct Part {
  std::uint64_t first;
  std::size_t count;
};
struct Intervals {
  Interval of[most_intervals];
  unsigned count;
};

__device__ inline std::size_t my_body() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline std::size_t stride() { return std::size_t{gridDim.x} * blockDim.x; }

template <class T>
__device__ Vec3<double> position_of(Mass<T> b) {
  return {double(b.x), double(b.y), double(b.z)};
}

template <class T>
__global__ void sum_members(const Mass<T>* __restrict__ bodies, Part part, Members members,
                            Sums* __restrict__ blocks) {
  auto* const lanes = dynamic_shared<Sums>();
  const std::size_t first = blockIdx.x * Sums::block,
                    end = first + Sums::block < part.count ? first + Sums::block : part.count;
  Sums sum;
  for (std::size_t i = first + threadIdx.x; i < end; i += Sums::lanes) {
    const auto b = bodies[i];
    if (const auto x = position_of(b); is_member(members, x, part.first + i)) sum.add(double(b.m), x);
  }
  lanes[threadIdx.x] = sum;
  for (unsigned half = Sums::lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) lanes[threadIdx.x] += lanes[threadIdx.x + half];
  }
  if (threadIdx.x == 0) blocks[blockIdx.x] = lanes[0];
}

/// Calls work(k, where, place, weight) for each body of the question and each interval that it is in.
template <class T, class Work>
__device__ void visit(const Mass<T>* bodies, const Part& part, const Question& question,
                      const Intervals& intervals, unsigned bits, const Work& work) {
  for (std::size_t i = my_body(); i < part.count; i += stride()) {
    const auto b = bodies[i];
    const auto x = position_of(b);
    if (!is_member(question.members, x, part.first + i)) continue;
    const Place place{squared_distance(x, question.centre), part.first + i};
    for (unsigned k = 0; k < intervals.count; ++k)
      if (const auto where = part_of(intervals.of[k], bits, place); where != in_no_part)
        work(k, where, place, question.weigh(double(b.m)));
  }
}

/// A block's sums are words of 32 bits, whose atomics shared memory has; the lower ones carry.
template <class T>
__global__ void add_weights(const Mass<T>* __restrict__ bodies, Part part, Question question,
                            Intervals intervals, unsigned bits, Word* __restrict__ weights) {
  const unsigned parts = intervals.count << bits;
  auto* const lower = dynamic_shared<unsigned>();
  auto* const upper = lower + parts;
  for (unsigned p = threadIdx.x; p < 2 * parts; p += threads) lower[p] = 0;
  __syncthreads();
  visit(bodies, part, question, intervals, bits,
        [&](unsigned k, std::uint64_t where, const Place&, std::uint64_t weight) {
          const unsigned at = (k << bits) + static_cast<unsigned>(where), low = static_cast<unsigned>(weight),
                         before = atomicAdd(lower + at, low),
                         high = static_cast<unsigned>(weight >> 32) + (before + low < before ? 1u : 0u);
          if (high != 0) atomicAdd(upper + at, high);
        });
  __syncthreads();
  for (unsigned p = threadIdx.x; p < parts; p += threads)
    if (const Word sum = Word{upper[p]} << 32 | lower[p]; sum != 0) atomicAdd(weights + p, sum);
}

template <class T>
__global__ void find_bodies(const Mass<T>* __restrict__ bodies, Part part, Question question,
                            Intervals intervals, Word* __restrict__ counts, Found* __restrict__ found) {
  visit(bodies, part, question, intervals, 0,
        [&](unsigned k, std::uint64_t where, const Place& place, std::uint64_t weight) {
          if (where != 0) return;
          if (const Word at = atomicAdd(counts + k, Word{1}); at < most_found)
            found[k * most_found + at] = {place, weight};
        });
}

template <class T>
class DevicePasses final : public Passes {
 public:
  DevicePasses(const Mass<T>* own, const Part& part, std::size_t bodies, void* stream)
      : own_(own), part_(part), bodies_(bodies), stream_(stream) {}
  std::size_t bodies() const override { return bodies_; }

  std::vector<Sums> sums(const Members& members) override {
    const auto blocks = static_cast<unsigned>((part_.count + Sums::block - 1) / Sums::block);
    Buffer<Sums> of_blocks(blocks, stream_);
    launch("sum_members", sum_members<T>,
           {.blocks = blocks, .threads = Sums::lanes, .shared_bytes = Sums::lanes * sizeof(Sums)}, stream_,
           own_, part_, members, of_blocks.data());
    std::vector<Sums> all(blocks);
    of_blocks.copy_to_host(all);
    return all;
  }

  std::vector<std::uint64_t> weights(const Question& question, std::span<const Interval> intervals,
                                     unsigned bits) override {
    const std::size_t parts = intervals.size() << bits;
    Buffer<Word> sums(parts, stream_);
    sums.set_bytes(0);
    launch("add_weights", add_weights<T>, grid(2 * static_cast<unsigned>(parts * sizeof(unsigned))), stream_,
           own_, part_, question, list_of(intervals), bits, sums.data());
    std::vector<Word> all(parts);
    sums.copy_to_host(all);
    return {all.begin(), all.end()};
  }

  std::vector<AllFound> find(const Question& question, std::span<const Interval> intervals) override {
    Buffer<Word> counts(intervals.size(), stream_);
    Buffer<Found> found(intervals.size() * most_found, stream_);
    counts.set_bytes(0);
    launch("find_bodies", find_bodies<T>, grid(0), stream_, own_, part_, question, list_of(intervals),
           counts.data(), found.data());
    std::vector<Word> count(intervals.size());
    counts.copy_to_host(count);
    std::vector<AllFound> all(intervals.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].count = count[k];
      if (count[k] == 0 || count[k] > most_found) continue;
      all[k].bodies.resize(count[k]);
      copy_to_host(all[k].bodies.data(), found.data() + k * most_found, count[k] * sizeof(Found), stream_);
    }
    return all;
  }

 private:
  Grid grid(unsigned shared_bytes) const {
    const auto blocks =
        static_cast<unsigned>(std::min<std::size_t>((part_.count + threads - 1) / threads, most_blocks));
    return {.blocks = blocks, .threads = threads, .shared_bytes = shared_bytes};
  }
  static Intervals list_of(std::span<const Interval> intervals) {
    Intervals list{.of = {}, .count = static_cast<unsigned>(intervals.size())};
    std::ranges::copy(intervals, list.of);
    return list;
  }

  const Mass<T>* own_;
  Part part_;
  std::size_t bodies_;
  void* stream_;
};

}  // namespace

template <class T>
std::unique_ptr<Passes> passes_over(const Mass<T>* part, std::size_t count, std::size_t first,
                                    std::size_t bodies, void* stream) {
  return std::make_unique<DevicePasses<T>>(part, Part{first, count}, bodies, stream);
}

template std::unique_ptr<Passes> passes_over(const Mass<float>*, std::size_t, std::size_t, std::size_t,
                                             void*);
template std::unique_ptr<Passes> passes_over(const Mass<double>*, std::size_t, std::size_t, std::size_t,
                                             void*);

}  // namespace pleiad::cuda
