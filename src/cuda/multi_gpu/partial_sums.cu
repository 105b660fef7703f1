#include "cuda/direct/pair_sums.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/multi_gpu/partial_sums.hpp"

#include <algorithm>

namespace pleiad::cuda {
namespace {

/// Number of bodies for which a box states together which windows it has.
constexpr unsigned group = 256;
constexpr int most = BarrierState::most_devices;

template <class P>
using SumsOf = ExactSums<typename P::Math>;
template <class Sums>
constexpr int words_per_window = Sums::words_per_body / Sums::windows;

/// One device's box at another: [word][body] for `count` bodies, and a byte for each group of them.
template <class Word>
struct Box {
  std::size_t first = 0, count = 0;
  Word* partial_sums = nullptr;
  unsigned char* used = nullptr;  ///< a bit for each window that has come
};
template <class Word>
struct Boxes {
  Box<Word> box[most];
};

template <class Sums>
Box<typename Sums::Word> box_of(const PartialSumsOfOwner& at, int from, int devices) {
  using Word = typename Sums::Word;
  const std::size_t partial_sums = Sums::words_per_body * at.count;
  auto* const all = static_cast<Word*>(at.boxes);
  auto* const used = reinterpret_cast<unsigned char*>(all + static_cast<std::size_t>(devices) * partial_sums);
  const auto d = static_cast<std::size_t>(from);
  return {at.first, at.count, all + d * partial_sums, used + d * ceil_div(at.count, group)};
}

template <class Sums>
__global__ void give(typename Sums::Word* __restrict__ partial_sums, std::size_t n, int me,
                     const Boxes<typename Sums::Word> boxes) {
  using Word = typename Sums::Word;
  constexpr int per_window = words_per_window<Sums>;
  const auto& to = boxes.box[static_cast<int>(blockIdx.y) + (static_cast<int>(blockIdx.y) >= me)];
  const std::size_t i = std::size_t{blockIdx.x} * group + threadIdx.x;
  if (std::size_t{blockIdx.x} * group >= to.count) return;
  const bool mine = i < to.count;
  Word values[Sums::words_per_body];
#pragma unroll
  for (std::size_t k = 0; k < Sums::words_per_body; ++k)
    values[k] = mine ? partial_sums[k * n + to.first + i] : 0;
  unsigned used = 0;
#pragma unroll
  for (int window = 0; window < Sums::windows; ++window) {
    Word any = 0;
#pragma unroll
    for (int k = window * per_window; k < (window + 1) * per_window; ++k) any |= values[k];
    if (__syncthreads_or(any != 0) == 0) continue;
    used |= 1u << window;
#pragma unroll
    for (int k = window * per_window; k < (window + 1) * per_window; ++k) {
      if (mine) to.partial_sums[static_cast<std::size_t>(k) * to.count + i] = values[k];
      if (values[k] != 0) partial_sums[static_cast<std::size_t>(k) * n + to.first + i] = 0;
    }
  }
  if (threadIdx.x == 0) to.used[blockIdx.x] = static_cast<unsigned char>(used);
}

template <class P>
__global__ void total_given(typename SumsOf<P>::Word* __restrict__ partial_sums, std::size_t n, int me,
                            int devices, const Boxes<typename SumsOf<P>::Word> boxes,
                            const Frame* __restrict__ frame, Vec4<typename P::Sum>* __restrict__ out) {
  using Sums = SumsOf<P>;
  using Word = typename Sums::Word;
  using S = typename P::Sum;
  const auto& own = boxes.box[me];
  const std::size_t i = std::size_t{blockIdx.x} * group + threadIdx.x;
  if (i >= own.count) return;
  unsigned used[most];
#pragma unroll
  for (int d = 0; d < most; ++d) used[d] = d < devices && d != me ? boxes.box[d].used[blockIdx.x] : 0u;
  const auto word = [&](int k) {
    Word* const at = partial_sums + static_cast<std::size_t>(k) * n + own.first + i;
    Word sum = *at;
    if (sum != 0) *at = 0;
#pragma unroll
    for (int d = 0; d < most; ++d)
      if ((used[d] >> (k / words_per_window<Sums>)&1u) != 0)
        sum += boxes.box[d].partial_sums[static_cast<std::size_t>(k) * own.count + i];
    return sum;
  };
  const Vec3<double> a = frame->acceleration * Vec3<double>{Sums::total_of(word, 0), Sums::total_of(word, 1),
                                                            Sums::total_of(word, 2)};
  out[i] = {S(a.x), S(a.y), S(a.z), S(0)};
}

template <class P>
typename SumsOf<P>::Word* words_of(const PartialSumsOfOwner& owner) {
  return static_cast<typename SumsOf<P>::Word*>(owner.partial_sums);
}

}  // namespace

template <class P>
std::size_t bytes_of_boxes(int devices, std::size_t count) {
  using Sums = SumsOf<P>;
  return static_cast<std::size_t>(devices) *
         (Sums::words_per_body * count * sizeof(typename Sums::Word) + ceil_div(count, group));
}

template <class P>
void send_partial_sums(int me, std::span<const PartialSumsOfOwner> owners, std::size_t n, void* stream) {
  using Sums = SumsOf<P>;
  const int devices = static_cast<int>(owners.size());
  Boxes<typename Sums::Word> boxes;
  std::size_t largest = 0;
  for (std::size_t d = 0; d < owners.size(); ++d) {
    boxes.box[d] = box_of<Sums>(owners[d], me, devices);
    largest = std::max(largest, owners[d].count);
  }
  launch(
      "give_words", give<Sums>,
      {.blocks = ceil_div(largest, group), .threads = group, .blocks_y = static_cast<unsigned>(devices - 1)},
      stream, words_of<P>(owners[static_cast<std::size_t>(me)]), n, me, boxes);
}

template <class P>
void total_partial_sums(int me, std::span<const PartialSumsOfOwner> owners, const Framed<P>& framed,
                        std::size_t n, Vec4<typename P::Sum>* sums, void* stream) {
  using Sums = SumsOf<P>;
  const int devices = static_cast<int>(owners.size());
  const auto& own = owners[static_cast<std::size_t>(me)];
  Boxes<typename Sums::Word> boxes;
  for (int d = 0; d < devices; ++d) boxes.box[d] = box_of<Sums>(own, d, devices);
  launch("total_words", total_given<P>, {.blocks = ceil_div(own.count, group), .threads = group}, stream,
         words_of<P>(own), n, me, devices, boxes, framed.frame.data(), sums);
}

template std::size_t bytes_of_boxes<F32>(int, std::size_t);
template std::size_t bytes_of_boxes<F64>(int, std::size_t);
template std::size_t bytes_of_boxes<Mixed>(int, std::size_t);
template void send_partial_sums<F32>(int, std::span<const PartialSumsOfOwner>, std::size_t, void*);
template void send_partial_sums<F64>(int, std::span<const PartialSumsOfOwner>, std::size_t, void*);
template void send_partial_sums<Mixed>(int, std::span<const PartialSumsOfOwner>, std::size_t, void*);
template void total_partial_sums(int, std::span<const PartialSumsOfOwner>, const Framed<F32>&, std::size_t,
                                 Vec4<float>*, void*);
template void total_partial_sums(int, std::span<const PartialSumsOfOwner>, const Framed<F64>&, std::size_t,
                                 Vec4<double>*, void*);
template void total_partial_sums(int, std::span<const PartialSumsOfOwner>, const Framed<Mixed>&, std::size_t,
                                 Vec4<double>*, void*);

}  // namespace pleiad::cuda
