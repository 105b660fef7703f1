/// A symmetric rung in its three pieces, for divided work: every device prepares all bodies (framed), sweeps
/// a part of the pairs into words of its own (sweep), and totals the words of all (total). Words are
/// integers, except in rung 28: the result does not depend on the division, bit for bit. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/frame.hpp"

#include <pleiad/kernel/direct.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace pleiad::cuda {

/// The most bodies that a block of any sweep has: padding for less than one of them.
inline constexpr std::size_t most_in_block = 2048;
/// The most devices whose words are totalled.
inline constexpr unsigned most_devices = 8;

/// The index-th of `of` parts of the pairs of blocks, nearly equal and contiguous.
struct Part {
  unsigned index = 0, of = 1;
};

/// All pointers are those of the present device, or of one whose memory it can read.
template <class P>
struct SymmetricSum {
  std::string_view rung;           ///< the kernel's name
  std::size_t bytes_per_body = 0;  ///< of words, which begin as zero and have the framed bodies' order

  /// Adds the pulls of a part of the pairs of n bodies, in a frame padded by most_in_block, to `words`.
  void (*sweep)(const Framed<P>&, std::size_t n, const LaunchShape&, const Part&, void* words,
                void* stream) = nullptr;
  /// The pulls on bodies `first` and on, as many as `sums` has room for, from all the words together.
  void (*total)(std::span<const void* const> words, const Framed<P>&, std::size_t n, std::size_t first,
                std::span<Vec4<typename P::Sum>> sums, void* stream) = nullptr;
  /// The sum with potentials, for systems with softening, in a shape of its own; null: there is none.
  const SymmetricSum* diagnostic_sums = nullptr;
};

// With potentials: symmetric_diagnostics.cu.
extern const SymmetricSum<F32> diagnostics_f32;
extern const SymmetricSum<F64> diagnostics_f64;
extern const SymmetricSum<Mixed> diagnostics_mixed;

// Of rungs 28 to 31, 33 and 34.
extern const SymmetricSum<F32> symmetric_atomics, symmetric_fixed_point, scaled_source, equal_mass;
extern const SymmetricSum<F64> fp64_symmetric;
extern const SymmetricSum<Mixed> mixed_symmetric;

/// Throws UsageError if symmetric sums do not support the problem.
template <class P>
void need_symmetric(const PairProblem<P>& problem, std::string_view rung);

/// The whole problem, on the present device. Potentials by `sum.diagnostic_sums`; without softening, where
/// coincident bodies need a guard, one-sided.
template <class P>
void run_symmetric(const PairProblem<P>& problem, const SymmetricSum<P>& sum, const LaunchShape& shape);

/// Frames `all_pairs` (targets and sources the same bodies), whose padding is most_in_block, and adds the
/// pulls of a part of its pairs to `words`, which begin as zero: of each body in the given order, whatever
/// the order of the sweep. The frame that it returns has this order, too; its stream is that of the problem.
template <class P>
Framed<P> sweep_in_given_order(const SymmetricSum<P>& sum, const PairProblem<P>& all_pairs,
                               const LaunchShape& shape, const Part& part, void* words);

/// Copies the words of the bodies `first` to `first` + `count` - 1, of n in all, to `out`: [word][body], as
/// the words of all. For words that are integers, here and in add_words.
void copy_words(const void* words, std::size_t bytes_per_body, std::size_t n, std::size_t first,
                std::size_t count, void* out, void* stream);
/// Adds copied words to those of the same bodies.
void add_words(void* words, std::size_t bytes_per_body, std::size_t n, std::size_t first, std::size_t count,
               const void* copied, void* stream);

/// The pieces of a rung, by its kernel's name; null if it is not symmetric or not in this precision.
template <class P>
const SymmetricSum<P>* symmetric_sum(std::string_view kernel);

}  // namespace pleiad::cuda
