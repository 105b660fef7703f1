/// Block time steps of few bodies by one grid: the order of make_block_step, which all threads follow alike.
///
/// A warp owns every (number of warps)-th member of a set. Its lanes share the sources of a sum, source j of
/// the list being that of lane j mod 32, and add up their parts in a fixed order: the bits do not depend on
/// the number of warps. The thread that keeps a member's sum kicks and moves it. Where another one goes on
/// with a body, where positions are read as sources, and where the members that need a shorter step have been
/// counted, the grid has a barrier. Every block has the lists of all sets in its shared memory, and makes
/// those that change from one flag for each member. Cost: two barriers for a step of a set that is not
/// divided, some 3 us, and n^2 / 1e12 s.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/step_criterion.hpp"
#include "cuda/steps/set_steps.hpp"
#include "cuda/update.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256, warps = threads / 32, tile = 512;
constexpr int most_sets = 32;
constexpr std::string_view name = "cuda/set-steps";

/// Members of all sets within one of n: at most n (s + s^2 + ...), s being most_split_of_sets.
constexpr std::size_t room_for_finer(std::size_t n) { return n + n / 2 + most_sets; }

using Number = std::uint16_t;  // of a member of the outermost set
static_assert(most_members <= 65536);

template <class P>
struct Shared {
  Mass<typename P::Position> sources[tile];
  unsigned of_warp[warps];
};

/// Memory of the grid.
template <class T>
struct Grounds {
  Vec4<T>* sums;         ///< of the finer sets
  unsigned char* flags;  ///< [parity][place in the set]: needs a shorter step
  unsigned* counter;     ///< of the barrier
  unsigned* found;       ///< [four divisions]: how many need one
};

template <class P, bool periodic>
class Sets {
 public:
  using T = typename P::Position;
  using Pull = Pair<P, periodic, false>;

  __device__ Sets(const SetProblem<P>& problem, const Grounds<T>& grounds, const Pull& pull, Vec3<T> box)
      : p_(problem),
        g_(grounds),
        pull_(pull),
        box_(box),
        s_(*dynamic_shared<Shared<P>>()),
        lists_(reinterpret_cast<Number*>(&s_ + 1)),
        barrier_(grounds.counter),
        all_warps_(gridDim.x * warps),
        lane_(threadIdx.x % 32),
        warp_(threadIdx.x / 32 * gridDim.x + blockIdx.x) {
    count_[0] = static_cast<unsigned>(problem.set.count), begin_[0] = 0;
    current_[0] = problem.current;
  }

  __device__ bool alone(const BlockStep&) const { return false; }
  __device__ void need_accelerations(int set, double) {
    if (current_[set]) return;
    current_[set] = true;
    if (writer_ != nobody) wait();
    const unsigned n = count_[set];
    if (n > 2 * all_warps_) evaluate<4>(set, n);
    else if (n > all_warps_) evaluate<2>(set, n);
    else evaluate<1>(set, n);
    read_ = true;
    ++evaluations_, pairs_ += std::uint64_t{n} * n;
  }
  __device__ Finer find_finer(const BlockStep& step);
  __device__ double kick_over(const StepPart& part) const { return p_.by.G * part.length() * p_.dt; }
  __device__ void kick(int set, double length) {
    before_writing(set);
    each_own(set, [&](unsigned k) {
      auto& velocity = p_.v[body(set, k)];
      velocity = pleiad::cuda::moved(velocity, T(length), sum(set, k));
    });
  }
  __device__ void drift(int set, const StepPart& part, bool coarse) {
    if (read_) wait();
    before_writing(set);
    const Update<T> update{.drifts = true, .drift = T(part.length() * p_.dt)};
    each_own(set, [&](unsigned k) {
      if (coarse && sum(set, k).w != T(0)) return;
      const auto i = body(set, k);
      p_.x[i] = drifted(update, p_.x[i], p_.v[i], box_);
    });
  }
  __device__ void moved(int set) { current_[set] = false; }
  __device__ void forget_from(int set) {
    for (; set < sets_; ++set) current_[set] = false;
  }
  /// At the end, by one thread of the grid.
  __device__ void report() const { p_.work->evaluations += evaluations_, p_.work->pairs += pairs_; }

 private:
  static constexpr int nobody = -1;

  __device__ void wait() {
    barrier_.wait();
    writer_ = nobody, read_ = false;
  }
  /// The owners of a set are about to change its members.
  __device__ void before_writing(int set) {
    if (writer_ != nobody && writer_ != set) wait();
    writer_ = set;
  }
  /// use(place) for the members that this thread keeps.
  template <class Use>
  __device__ void each_own(int set, const Use& use) const {
    for (unsigned k = warp_ + lane_ * all_warps_; k < count_[set]; k += 32 * all_warps_) use(k);
  }
  __device__ unsigned number(int set, unsigned k) const {
    return set == 0 ? k : lists_[begin_[set] - count_[0] + k];
  }
  __device__ std::uint32_t body(int set, unsigned k) const {
    const unsigned i = number(set, k);
    return p_.set.members != nullptr ? p_.set.members[i] : i;
  }
  __device__ Vec4<T>& sum(int set, unsigned k) const {
    return set == 0 ? p_.sums[k] : g_.sums[begin_[set] - count_[0] + k];
  }
  /// See body_sets.cu.
  __device__ unsigned before_this(bool mine, unsigned& all) const {
    const unsigned votes = __ballot_sync(~0u, mine), own = threadIdx.x / 32;
    __syncthreads();
    if (lane_ == 0) s_.of_warp[own] = static_cast<unsigned>(__popc(votes));
    __syncthreads();
    unsigned before = 0;
    all = 0;
    for (unsigned w = 0; w < warps; ++w) {
      if (w < own) before += s_.of_warp[w];
      all += s_.of_warp[w];
    }
    return before + static_cast<unsigned>(__popc(votes & ((1u << lane_) - 1)));
  }
  /// use(place in the next set, number) for those members that are flagged, of which each thread has some.
  template <class Use>
  __device__ void each_flagged(int set, const unsigned char* flags, const Use& use) const {
    unsigned at = 0;
    for (unsigned first = 0; first < count_[set]; first += threads) {
      const unsigned k = first + threadIdx.x;
      const bool flagged = k < count_[set] && flags[k] != 0;
      unsigned all = 0;
      const unsigned place = at + before_this(flagged, all);
      if (flagged) use(place, number(set, k));
      at += all;
    }
  }
  /// Sums of K members of a warp at once, whose bits do not depend on K.
  template <int K>
  __device__ void evaluate(int set, unsigned n);

  const SetProblem<P>& p_;
  const Grounds<T>& g_;
  const Pull& pull_;
  Vec3<T> box_;
  Shared<P>& s_;
  Number* lists_;  ///< of the finer sets, one behind the other
  GridBarrier barrier_;
  unsigned all_warps_, lane_, warp_;
  unsigned count_[most_sets]{}, begin_[most_sets]{};  ///< of sets: members, and where these are
  bool current_[most_sets]{};
  int sets_ = 1;
  int writer_ = nobody;  ///< the set whose owners have changed bodies since the last barrier
  bool read_ = false;    ///< positions were read as sources since then
  unsigned divisions_ = 0;
  std::uint64_t evaluations_ = 0, pairs_ = 0;
};

template <class P, bool periodic>
template <int K>
__device__ void Sets<P, periodic>::evaluate(int set, unsigned n) {
  for (unsigned turn = 0; turn < n; turn += K * all_warps_) {
    Mass<T> target[K];
    Vec4<T> sums[K];
#pragma unroll
    for (unsigned k = 0; k < K; ++k) {
      const unsigned mine = turn + k * all_warps_ + warp_;
      target[k] = p_.x[body(set, mine < n ? mine : 0)];
    }
    for (unsigned first = 0; first < n; first += tile) {
      const unsigned size = n - first < tile ? n - first : tile;
      __syncthreads();
      for (unsigned j = threadIdx.x; j < size; j += threads) s_.sources[j] = p_.x[body(set, first + j)];
      __syncthreads();
#pragma unroll 4
      for (unsigned j = lane_; j < size; j += 32) {
        const auto source = s_.sources[j];
#pragma unroll
        for (unsigned k = 0; k < K; ++k) pull_(sums[k], target[k], 0, source, 0);
      }
    }
#pragma unroll
    for (unsigned k = 0; k < K; ++k) {
      auto& a = sums[k];
      for (int far = 16; far > 0; far /= 2) {
        a.x += __shfl_xor_sync(~0u, a.x, far);
        a.y += __shfl_xor_sync(~0u, a.y, far);
        a.z += __shfl_xor_sync(~0u, a.z, far);
      }
      const unsigned mine = turn + k * all_warps_ + warp_;
      if (mine < n && mine / all_warps_ % 32 == lane_) sum(set, mine) = {a.x, a.y, a.z, T(0)};
    }
  }
}

template <class P, bool periodic>
__device__ Finer Sets<P, periodic>::find_finer(const BlockStep& step) {
  const int set = step.set;
  const double h = step.part.length() * p_.dt;
  const unsigned n = count_[set];
  unsigned char* const flags = g_.flags + divisions_ % 2 * std::size_t{count_[0]};
  unsigned mine = 0;
  each_own(set, [&](unsigned k) {
    auto& a = sum(set, k);
    const bool shorter = needs_shorter(a, p_.by, h, body(set, k));
    a.w = shorter ? T(1) : T(0);  // for drifts of the others
    flags[k] = shorter ? 1 : 0;
    mine += shorter ? 1 : 0;
  });
  if (mine > 0) atomicAdd(g_.found + divisions_ % 4, mine);
  wait();
  const unsigned found = load_current(g_.found + divisions_ % 4);
  // That of the division before the last, which all have read.
  if (blockIdx.x == 0 && threadIdx.x == 0) g_.found[(divisions_ + 2) % 4] = 0;
  ++divisions_;
  if (found == 0) return Finer::none;
  if (double(found) > p_.most_split * double(n)) return Finer::all;
  const int next = set + 1;
  bool differ = next >= sets_ || count_[next] != found;
  if (!differ) {
    bool another = false;
    each_flagged(set, flags, [&](unsigned place, unsigned i) { another |= number(next, place) != i; });
    differ = __syncthreads_or(another) != 0;
  }
  if (!differ) return Finer::some;
  begin_[next] = begin_[set] + n, count_[next] = found, current_[next] = false;
  sets_ = next + 1;
  Number* const list = lists_ + (begin_[next] - count_[0]);
  each_flagged(set, flags, [&](unsigned place, unsigned i) { list[place] = static_cast<Number>(i); });
  __syncthreads();
  return Finer::some;
}

template <class P, bool periodic>
__global__ void __launch_bounds__(threads, 1)
    steps_of_set(const __grid_constant__ SetProblem<P> problem,
                 const __grid_constant__ Grounds<typename P::Position> grounds,
                 const __grid_constant__ Pair<P, periodic, false> pull,
                 const Vec3<typename P::Position> box) {
  Sets<P, periodic> sets(problem, grounds, pull, box);
  for (unsigned k = 0; k < problem.steps; ++k) make_block_step(sets, problem.step, problem.levels);
  if (blockIdx.x == 0 && threadIdx.x == 0) sets.report();
}

template <class P>
unsigned shared_bytes(std::size_t n) {
  return unsigned(sizeof(Shared<P>) + room_for_finer(n) * sizeof(Number));
}

/// The parts of a workplace for n bodies, and its bytes.
template <class T>
std::pair<Grounds<T>, std::size_t> grounds_of(std::size_t n, void* memory) {
  std::size_t bytes = 0;
  const auto part = [&]<class Item>(Item*& at, std::size_t count) {
    at = reinterpret_cast<Item*>(reinterpret_cast<std::uintptr_t>(memory) + bytes);
    bytes += (count * sizeof(Item) + 255) / 256 * 256;
  };
  Grounds<T> g{};
  part(g.counter, 5);
  g.found = g.counter + 1;
  part(g.sums, room_for_finer(n));
  part(g.flags, 2 * n);
  return {g, bytes};
}

template <class P, bool periodic>
void launch_steps(const SetProblem<P>& p) {
  using T = typename P::Position;
  const auto kernel = steps_of_set<P, periodic>;
  Grid grid{.threads = threads, .shared_bytes = shared_bytes<P>(p.set.count), .together = true};
  const unsigned most = coresident_blocks(reinterpret_cast<const void*>(kernel), name, grid),
                 wanted = p.grid > 0 ? p.grid : ceil_div(p.set.count, warps);
  grid.blocks = std::clamp(wanted, 1U, std::max(most, 1U));
  const auto grounds = grounds_of<T>(p.set.count, p.workplace).first;
  fill(grounds.counter, 0, 5 * sizeof(unsigned), p.stream);
  PairProblem<P> law;
  law.softening = p.softening, law.heaviest = p.heaviest, law.boundary = p.boundary;
  const Pair<P, periodic, false> pull(law);
  launch(name, kernel, grid, p.stream, p, grounds, pull, lengths_of<T>(p.boundary));
}

}  // namespace

template <class P>
std::size_t bytes_of_set_workplace() {
  return grounds_of<typename P::Position>(most_members, nullptr).second;
}

template <class P>
void set_steps(const SetProblem<P>& p) {
  if (p.set.count == 0) return;
  need(p.set.count <= most_members, name,
       std::to_string(p.set.count) + " members; there may be " + std::to_string(most_members));
  need(p.most_split <= most_split_of_sets, name, "its sets are at most 0.6 of those around them");
  need(p.levels <= most_sets - 1, name, "it has at most 31 levels");
  if (p.boundary.periodic) launch_steps<P, true>(p);
  else launch_steps<P, false>(p);
}

template std::size_t bytes_of_set_workplace<F32>();
template std::size_t bytes_of_set_workplace<F64>();
template std::size_t bytes_of_set_workplace<Mixed>();
template void set_steps(const SetProblem<F32>&);
template void set_steps(const SetProblem<F64>&);
template void set_steps(const SetProblem<Mixed>&);

}  // namespace pleiad::cuda
