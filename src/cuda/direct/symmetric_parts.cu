#include "cuda/direct/rung.hpp"
#include "cuda/direct/symmetric_parts.hpp"

#include <type_traits>

namespace pleiad {
extern const DirectKernel cuda_split_reduced;
}

namespace pleiad::cuda {

template <class P>
const SymmetricSum<P>* symmetric_sum(std::string_view kernel) {
  const auto find = [&](auto... sums) {
    const SymmetricSum<P>* found = nullptr;
    ((found = sums->rung == kernel ? sums : found), ...);
    return found;
  };
  if constexpr (std::is_same_v<P, F32>)
    return find(&symmetric_atomics, &symmetric_fixed_point, &scaled_source, &equal_mass);
  else if constexpr (std::is_same_v<P, F64>) return find(&fp64_symmetric);
  else return find(&mixed_symmetric);
}

template <class P>
void need_symmetric(const PairProblem<P>& p, std::string_view rung) {
  need_plain(p, rung);
  need(p.targets.data() == p.sources.data() && p.targets.size() == p.sources.size() && p.self == 0, rung,
       "it pulls both ways, so targets and sources must be the same bodies; choose a kernel that is listed "
       "with separate targets");
}

template <class P>
void run_symmetric(const PairProblem<P>& p, const SymmetricSum<P>& sum, const LaunchShape& shape) {
  auto asked = p;
  if (p.potential && sum.diagnostic_sums != nullptr) asked.potential = false;
  need_symmetric(asked, sum.rung);
  const std::size_t n = p.sources.size();
  if (n == 0) return;
  if (p.potential) {
    if (p.softening.eps > 0) return run_symmetric(asked, *sum.diagnostic_sums, {});
    return (*cuda_split_reduced.run<P>())(p, {});
  }
  const auto f = framed(p, n + most_in_block, BodyOrder::curve);
  Buffer<std::byte> words(sum.bytes_per_body * n, p.stream);
  words.set_bytes(0);
  sum.sweep(f, n, shape, {}, words.data(), p.stream);
  const void* const mine = words.data();
  sum.total({&mine, 1}, f, n, 0, p.sums, p.stream);
}

namespace {

__global__ void reorder_words(const unsigned long long* __restrict__ along,
                              const std::uint32_t* __restrict__ ranks, std::size_t n, std::size_t each,
                              unsigned long long* __restrict__ words) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::size_t rank = ranks[i];
  for (std::size_t k = 0; k < each; ++k) words[k * n + i] = along[k * n + rank];
}

using Word = unsigned long long;

/// Copies the words of `count` bodies from `first` on to `copied`, or adds those of `copied` to them.
template <bool add>
__global__ void move_words(Word* __restrict__ words, std::size_t n, std::size_t first, std::size_t count,
                           Word* __restrict__ copied) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, k = blockIdx.y;
  if (i >= count) return;
  Word& own = words[k * n + first + i];
  Word& other = copied[k * count + i];
  if (add) own += other;
  else other = own;
}

template <bool add>
void launch_move(void* words, std::size_t bytes_per_body, std::size_t n, std::size_t first, std::size_t count,
                 void* copied, void* stream) {
  if (count == 0) return;
  launch("move_words", move_words<add>,
         {.blocks = ceil_div(count, 256),
          .threads = 256,
          .blocks_y = static_cast<unsigned>(bytes_per_body / sizeof(Word))},
         stream, static_cast<Word*>(words), n, first, count, static_cast<Word*>(copied));
}

}  // namespace

void copy_words(const void* words, std::size_t bytes_per_body, std::size_t n, std::size_t first,
                std::size_t count, void* out, void* stream) {
  launch_move<false>(const_cast<void*>(words), bytes_per_body, n, first, count, out, stream);
}
void add_words(void* words, std::size_t bytes_per_body, std::size_t n, std::size_t first, std::size_t count,
               const void* copied, void* stream) {
  launch_move<true>(words, bytes_per_body, n, first, count, const_cast<void*>(copied), stream);
}

template <class P>
Framed<P> sweep_in_given_order(const SymmetricSum<P>& sum, const PairProblem<P>& all_pairs,
                               const LaunchShape& shape, const Part& part, void* words) {
  const std::size_t n = all_pairs.sources.size();
  auto* const stream = all_pairs.stream;
  auto f = framed(all_pairs, n + most_in_block, BodyOrder::curve);
  if (f.ranks.size() == 0) {
    sum.sweep(f, n, shape, part, words, stream);
    return f;
  }
  Buffer<std::byte> along(sum.bytes_per_body * n, stream);
  along.set_bytes(0);
  sum.sweep(f, n, shape, part, along.data(), stream);
  launch("reorder_words", reorder_words, {.blocks = ceil_div(n, 256), .threads = 256}, stream,
         reinterpret_cast<const Word*>(along.data()), f.ranks.data(), n, sum.bytes_per_body / sizeof(Word),
         static_cast<Word*>(words));
  f.ranks = {};
  return f;
}
template Framed<F32> sweep_in_given_order(const SymmetricSum<F32>&, const PairProblem<F32>&,
                                          const LaunchShape&, const Part&, void*);
template Framed<F64> sweep_in_given_order(const SymmetricSum<F64>&, const PairProblem<F64>&,
                                          const LaunchShape&, const Part&, void*);
template Framed<Mixed> sweep_in_given_order(const SymmetricSum<Mixed>&, const PairProblem<Mixed>&,
                                            const LaunchShape&, const Part&, void*);

template const SymmetricSum<F32>* symmetric_sum(std::string_view);
template const SymmetricSum<F64>* symmetric_sum(std::string_view);
template const SymmetricSum<Mixed>* symmetric_sum(std::string_view);
template void need_symmetric(const PairProblem<F32>&, std::string_view);
template void need_symmetric(const PairProblem<F64>&, std::string_view);
template void need_symmetric(const PairProblem<Mixed>&, std::string_view);
template void run_symmetric(const PairProblem<F32>&, const SymmetricSum<F32>&, const LaunchShape&);
template void run_symmetric(const PairProblem<F64>&, const SymmetricSum<F64>&, const LaunchShape&);
template void run_symmetric(const PairProblem<Mixed>&, const SymmetricSum<Mixed>&, const LaunchShape&);

}  // namespace pleiad::cuda
