/// Sets of bodies: a thread for each member. A set is divided page by page of 2048 members: the members of
/// each page that need a shorter step are counted, the counts are added up, and the members written to their
/// places, so that lists are in ascending order whatever the grid.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/body_sets.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/step_criterion.hpp"
#include "cuda/update.hpp"

#include <algorithm>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256, rounds = 8, page = threads * rounds, warps = threads / 32;

__device__ std::uint32_t member(const BodySet& set, std::size_t k) {
  return set.members != nullptr ? set.members[k] : static_cast<std::uint32_t>(k);
}
__device__ std::size_t my_place() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class T>
__global__ void gather_members(const Mass<T>* __restrict__ x, BodySet set, Mass<T>* __restrict__ to) {
  if (const std::size_t k = my_place(); k < set.count) to[k] = x[member(set, k)];
}
template <class T>
__global__ void kick_members(BodySet set, const Vec4<T>* __restrict__ sums, T h, Vec4<T>* __restrict__ v) {
  const std::size_t k = my_place();
  if (k >= set.count) return;
  auto& velocity = v[member(set, k)];
  velocity = moved(velocity, h, sums[k]);
}
template <class T>
__global__ void drift_members(BodySet set, const Vec4<T>* __restrict__ v, Update<T> update, Vec3<T> length,
                              Mass<T>* __restrict__ x) {
  const std::size_t k = my_place();
  if (k >= set.count) return;
  const auto i = member(set, k);
  x[i] = drifted(update, x[i], v[i], length);
}

/// How many threads of the block before this one have `mine`, and how many in all.
__device__ unsigned before_this(bool mine, unsigned* of_warp, unsigned& all) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned votes = __ballot_sync(~0u, mine);
  __syncthreads();
  if (lane == 0) of_warp[warp] = static_cast<unsigned>(__popc(votes));
  __syncthreads();
  unsigned before = 0;
  all = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < warp) before += of_warp[w];
    all += of_warp[w];
  }
  return before + static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)));
}

/// pages[p]: how many members of page p need a shorter step.
template <class T>
__global__ void count_in_pages(BodySet set, const Vec4<T>* __restrict__ sums, StepCriterion by, double h,
                               std::uint32_t* __restrict__ pages) {
  auto* const of_warp = dynamic_shared<unsigned>();
  unsigned found = 0;
  for (unsigned r = 0; r < rounds; ++r) {
    const std::size_t k = std::size_t{blockIdx.x} * page + r * threads + threadIdx.x;
    unsigned all = 0;
    (void)before_this(k < set.count && needs_shorter(sums[k], by, h, member(set, k)), of_warp, all);
    found += all;
  }
  if (threadIdx.x == 0) pages[blockIdx.x] = found;
}

/// Counts become the sums of those before them; one block.
__global__ void add_up_pages(std::uint32_t* pages, unsigned count, Division* found) {
  auto* const sums = dynamic_shared<std::uint32_t>();
  const unsigned each = (count + threads - 1) / threads, first = threadIdx.x * each;
  std::uint32_t mine = 0;
  for (unsigned p = first; p < first + each && p < count; ++p) mine += pages[p];
  sums[threadIdx.x] = mine;
  __syncthreads();
  std::uint32_t before = 0, all = 0;
  for (unsigned t = 0; t < threads; ++t) {
    if (t < threadIdx.x) before += sums[t];
    all += sums[t];
  }
  for (unsigned p = first; p < first + each && p < count; ++p) {
    const std::uint32_t of_page = pages[p];
    pages[p] = before;
    before += of_page;
  }
  if (threadIdx.x == 0) *found = {.finer = all, .differ = 0, .lost = 0};
}

template <class T>
__global__ void list_members(BodySet set, const Vec4<T>* __restrict__ sums, StepCriterion by, double h,
                             const std::uint32_t* __restrict__ pages, std::uint32_t* __restrict__ finer,
                             std::uint32_t* __restrict__ coarse) {
  auto* const of_warp = dynamic_shared<unsigned>();
  std::size_t at = pages[blockIdx.x];
  for (unsigned r = 0; r < rounds; ++r) {
    const std::size_t k = std::size_t{blockIdx.x} * page + r * threads + threadIdx.x;
    const bool there = k < set.count, shorter = there && needs_shorter(sums[k], by, h, member(set, k));
    unsigned all = 0;
    const std::size_t place = at + before_this(shorter, of_warp, all);
    if (shorter) finer[place] = member(set, k);
    else if (there) coarse[k - place] = member(set, k);
    at += all;
  }
}

/// Whether the list that was found is that of the next set, and has all members of the set after it.
__global__ void compare_lists(const std::uint32_t* __restrict__ list, BodySet next, BodySet after,
                              Division* found) {
  const std::uint32_t size = found->finer;
  const std::size_t k = my_place();
  if (k == 0 && size != next.count) found->differ = 1;
  if (k < next.count && k < size && list[k] != next.members[k]) found->differ = 1;
  if (k >= after.count) return;
  const std::uint32_t wanted = after.members[k];
  std::uint32_t low = 0, high = size;  // the first that is not less
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (list[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  if (low == size || list[low] != wanted) found->lost = 1;
}

Grid a_member_each(std::size_t count) { return {.blocks = ceil_div(count, threads), .threads = threads}; }

}  // namespace

template <class T>
void gather(const Mass<T>* x, const BodySet& set, Mass<T>* to, void* stream) {
  launch("cuda/gather-set", gather_members<T>, a_member_each(set.count), stream, x, set, to);
}
template <class T>
void kick(const BodySet& set, const Vec4<T>* sums, T h, Vec4<T>* v, void* stream) {
  launch("cuda/kick-set", kick_members<T>, a_member_each(set.count), stream, set, sums, h, v);
}
template <class T>
void drift(const BodySet& set, const Vec4<T>* v, T h, const Boundary& boundary, Mass<T>* x, void* stream) {
  launch("cuda/drift-set", drift_members<T>, a_member_each(set.count), stream, set, v,
         Update<T>{.drifts = true, .drift = h}, lengths_of<T>(boundary), x);
}

SetDivider::SetDivider(std::size_t n, void* stream)
    : stream_(stream), finer_(n, stream), pages_(ceil_div(n, page), stream), found_(1, stream) {}

std::size_t SetDivider::bytes() const {
  return (finer_.size() + pages_.size()) * sizeof(std::uint32_t) + sizeof(Division);
}

template <class T>
Division SetDivider::divide(const BodySet& set, const Vec4<T>* sums, const StepCriterion& by, double h,
                            const BodySet& next, const BodySet& after, std::uint32_t* coarse) {
  const Grid pages{
      .blocks = ceil_div(set.count, page), .threads = threads, .shared_bytes = warps * sizeof(unsigned)};
  launch("cuda/divide-set", count_in_pages<T>, pages, stream_, set, sums, by, h, pages_.data());
  launch("cuda/divide-set", add_up_pages,
         {.blocks = 1, .threads = threads, .shared_bytes = threads * sizeof(std::uint32_t)}, stream_,
         pages_.data(), pages.blocks, found_.data());
  launch("cuda/divide-set", list_members<T>, pages, stream_, set, sums, by, h, pages_.data(), finer_.data(),
         coarse);
  launch("cuda/divide-set", compare_lists, a_member_each(std::max({next.count, after.count, std::size_t{1}})),
         stream_, finer_.data(), next, after, found_.data());
  Division found;
  found_.copy_to_host({&found, 1});
  return found;
}

#define PLEIAD_SETS(T)                                                                               \
  template void gather(const Mass<T>*, const BodySet&, Mass<T>*, void*);                             \
  template void kick(const BodySet&, const Vec4<T>*, T, Vec4<T>*, void*);                            \
  template void drift(const BodySet&, const Vec4<T>*, T, const Boundary&, Mass<T>*, void*);          \
  template Division SetDivider::divide(const BodySet&, const Vec4<T>*, const StepCriterion&, double, \
                                       const BodySet&, const BodySet&, std::uint32_t*);
PLEIAD_SETS(float)
PLEIAD_SETS(double)
#undef PLEIAD_SETS

}  // namespace pleiad::cuda
