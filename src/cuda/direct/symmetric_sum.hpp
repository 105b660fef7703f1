/// The pieces of a symmetric sum from the sweeps that a rung has compiled.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/rung.hpp"
#include "cuda/direct/symmetric.hpp"
#include "cuda/direct/symmetric_parts.hpp"

#include <span>
#include <string>

namespace pleiad::cuda {

/// Several forms in one sweep, which takes the first that the masses allow. A launch of a form that they do
/// not allow ends at once, but costs 0.7 ns for each block of threads.
template <class First, class... Others>
struct FirstOf {
  using Real = typename First::Real;
  static constexpr unsigned needs = (First::needs | ... | Others::needs);
};
/// Calls `act` with the form that the masses allow; a single form has been tested before.
template <class Form>
struct ByForm {
  template <class Act>
  __device__ static void call(unsigned, const Act& act) {
    act.template operator()<Form>();
  }
};
template <class... Forms>
struct ByForm<FirstOf<Forms...>> {
  template <class Act>
  __device__ static void call(unsigned masses, const Act& act) {
    const auto take = [&]<class Form>() {
      if ((masses & Form::needs) == 0) return false;
      act.template operator()<Form>();
      return true;
    };
    (take.template operator()<Forms>() || ...);
  }
};

/// Sweeps a pair of blocks with each block of threads. It ends at once unless the masses have the properties
/// that it `needs`, and if another launch has `taken` them. `resident`: blocks that share a multiprocessor,
/// which limits the registers.
template <class Form, class Sums, bool pairs, int W, int K, int unrolled, int resident, bool curve>
__global__ void __launch_bounds__(32 * W, resident)
    sweep(const Mass<typename Form::Real>* __restrict__ bodies,
          const Mass<typename Form::Real>* __restrict__ rests, const TileBox* __restrict__ boxes, Sums sums,
          const Frame* __restrict__ frame, int n, typename Form::Real eps2, unsigned first_pair,
          unsigned needs, unsigned taken) {
  if ((frame->masses & needs) == 0 || (frame->masses & taken) != 0) return;
  if (pairs && ((frame->masses & curve_needed) != 0) != curve) return;
  const auto [I, J] = pair_of_blocks<W, K>(first_pair + blockIdx.x, n);
  ByForm<Form>::call(frame->masses, [&, I = I, J = J]<class F>() {
    sweep_pair<F, Sums, pairs, W, K, unrolled, curve>(bodies, rests, boxes, sums, n, eps2, I, J,
                                                      dynamic_shared<SweepStage<typename F::Real, curve>>());
  });
}

/// A sweep that was compiled: its shape, its kernel, and the masses that it can take.
template <class M, class Sums>
struct Sweep {
  LaunchShape shape;
  std::size_t from;  ///< bodies from which on it is the fastest of its form
  void (*kernel)(const Mass<M>*, const Mass<M>*, const TileBox*, Sums, const Frame*, int, M, unsigned,
                 unsigned, unsigned);
  unsigned needs, shared_bytes;
  bool along_curve;  ///< for bodies along a curve alone, which no other sweep takes
  constexpr unsigned blocks(std::size_t n) const {
    return ceil_div(n, static_cast<std::size_t>(shape.threads_per_block) *
                           static_cast<std::size_t>(shape.bodies_per_thread));
  }
};
template <class Form, class Sums, int W, int K, int unrolled, int resident, bool pairs = false,
          bool along_curve = false>
constexpr Sweep<typename Form::Real, Sums> sweep_of(std::size_t from) {
  return {{.threads_per_block = 32 * W, .bodies_per_thread = K},           from,
          sweep<Form, Sums, pairs, W, K, unrolled, resident, along_curve>, Form::needs,
          sweep_shared_bytes<W, along_curve>(typename Form::Real{}),       along_curve};
}
/// The sweeps of one form, largest blocks first; the last one takes the fewest bodies.
template <class M, class Sums, std::size_t count>
using Sweeps = std::array<Sweep<M, Sums>, count>;

/// Index of the fastest sweep of a form for n bodies that matches the requested shape; UsageError with the
/// possible shapes.
template <class M, class Sums, std::size_t count>
std::size_t place_of_sweep(const Sweeps<M, Sums, count>& sweeps, const LaunchShape& asked, std::size_t n,
                           std::string_view rung) {
  std::size_t found = count;
  std::string there;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& has = sweeps[i].shape;
    const LaunchShape wanted{asked.threads_per_block == 0 ? has.threads_per_block : asked.threads_per_block,
                             asked.bodies_per_thread == 0 ? has.bodies_per_thread : asked.bodies_per_thread,
                             asked.threads_per_body, asked.source_splits, asked.blocks};
    if (wanted == has && (found == count || sweeps[found].from > n)) found = i;
    there += (there.empty() ? "" : ", ") + std::to_string(has.threads_per_block) + " threads with " +
             std::to_string(has.bodies_per_thread) + " bodies each";
  }
  need(found < count, rung, "its loop is compiled for the shapes " + there + " only");
  return found;
}
template <class M, class Sums, std::size_t count>
const Sweep<M, Sums>& sweep_for(const Sweeps<M, Sums, count>& sweeps, const LaunchShape& asked, std::size_t n,
                                std::string_view rung) {
  return sweeps[place_of_sweep(sweeps, asked, n, rung)];
}

/// Shapes of a rung: first its own choice by n, then each shape of `sweeps`.
template <class M, class Sums, std::size_t count>
constexpr std::array<LaunchShape, count + 1> shapes_of(const Sweeps<M, Sums, count>& sweeps) {
  std::array<LaunchShape, count + 1> shapes{};
  for (std::size_t i = 0; i < count; ++i) shapes[i + 1] = sweeps[i].shape;
  return shapes;
}

/// Launches all `sweeps`; the first that supports the masses does the work. The device decides which, so that
/// the host need not wait: the others end at once.
template <class P, class Sums>
void sweep_part(std::string_view rung, std::span<const Sweep<typename P::Math, Sums>> sweeps,
                const Framed<P>& f, std::size_t n, const Part& part, typename Sums::Word* words,
                void* stream) {
  unsigned taken[2] = {0, 0};  // along the curve: the second
  for (const auto& sweep : sweeps) {
    const unsigned blocks = sweep.blocks(n), threads = static_cast<unsigned>(sweep.shape.threads_per_block);
    need((blocks / 2 + 1) * (threads / 32 + 1) < 65000, rung,
         "more tiles than its sums may count; choose more threads per block and bodies per thread");
    const std::uint64_t pairs = std::uint64_t{blocks} * (blocks + 1) / 2;  // < 2^31, by the line above
    const auto first = static_cast<unsigned>(pairs * part.index / part.of),
               end = static_cast<unsigned>(pairs * (part.index + 1) / part.of);
    launch(rung, sweep.kernel,
           {.blocks = end - first, .threads = threads, .shared_bytes = sweep.shared_bytes}, stream,
           f.bodies.data(), f.rests.data(), f.boxes.data(), Sums{words, n}, f.frame.data(),
           static_cast<int>(n), f.eps2, first, sweep.needs, taken[sweep.along_curve]);
    taken[sweep.along_curve] |= sweep.needs;
  }
}

template <class P, class Sums>
void total(std::span<const void* const> words, const Framed<P>& f, std::size_t n, std::size_t first,
           std::span<Vec4<typename P::Sum>> sums, void* stream) {
  using Word = typename Sums::Word;
  DevicePartialSums<Word> all;
  need(words.size() <= most_devices, "symmetric sums", "more devices than their words may come from");
  for (const void* of_device : words) all.words[all.devices++] = static_cast<const Word*>(of_device);
  launch("write_totals", write_totals<P, Sums>, {.blocks = ceil_div(sums.size(), 256), .threads = 256},
         stream, all, n, f.frame.data(), f.ranks.data(), first, sums.size(), sums.data());
}

/// The pieces of a rung: of a type with a Precision, Sums, a name, sweeps(shape, n), some sweeps in the order
/// in which they are tried for the masses, and the sums of potentials for diagnostics, if there are any.
template <class Rung>
constexpr SymmetricSum<typename Rung::Precision> symmetric_sum_of() {
  using P = typename Rung::Precision;
  using Sums = typename Rung::Sums;
  return {.rung = Rung::name,
          .bytes_per_body = Sums::words_per_body * sizeof(typename Sums::Word),
          .sweep =
              [](const Framed<P>& f, std::size_t n, const LaunchShape& shape, const Part& part, void* words,
                 void* stream) {
                sweep_part<P, Sums>(Rung::name, Rung::sweeps(shape, n), f, n, part,
                                    static_cast<typename Sums::Word*>(words), stream);
              },
          .total = total<P, Sums>,
          .diagnostic_sums = Rung::diagnostic_sums};
}

}  // namespace pleiad::cuda
