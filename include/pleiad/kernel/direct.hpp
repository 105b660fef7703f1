/// The catalogue of direct-summation kernels: plain data for the CLI, the engine, the tests, the benchmarks
/// and the docs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace pleiad {

/// A problem for a kernel: the pulls of all sources on all targets. sums[i] is overwritten with sum_j
/// pull(sources[j] - targets[i]), without G. sums[i].w is the sum for the potential if `potential` is set,
/// else 0. `sums` has as many entries as `targets` and overlaps with neither array.
template <class P>
struct PairProblem {
  /// Value of `self` if no target is among the sources.
  static constexpr std::ptrdiff_t none = -1;

  std::span<const Mass<typename P::Position>> targets, sources;
  std::span<Vec4<typename P::Sum>> sums;
  Softening softening{};
  double heaviest = 0;  ///< largest mass of the sources, if floor_eps2 may be too small for it; else 0
  Boundary boundary{};
  /// Index of target 0 among the sources (target i is source self + i; its own term is 0), or `none`.
  std::ptrdiff_t self = 0;
  bool potential = false;
  /// The stream (a cudaStream_t) to use on a GPU, where all pointers are device pointers.
  void* stream = nullptr;
  /// Softenings of the targets, which are the sources, for a tree on the host with splines; empty:
  /// `softening`.
  std::span<const double> softenings{};
};

/// The launch shape of a kernel. Tuning selects it; it changes results by rounding only. 0: the default of
/// the kernel.
struct LaunchShape {
  int threads_per_block = 0, bodies_per_thread = 0, threads_per_body = 0, source_splits = 0;
  int blocks = 0;  ///< size of a grid that does not follow from the number of bodies
  bool operator==(const LaunchShape&) const = default;
};

/// The device that a kernel runs on.
enum class Device { cpu, cuda };
/// Returns "cpu" or "cuda".
constexpr std::string_view name_of(Device device) { return device == Device::cpu ? "cpu" : "cuda"; }

/// The abilities and guarantees of a kernel.
struct Traits {
  bool reproducible = true;  ///< same bits in every run
  bool any_threads = true;   ///< same bits for any number of threads
  bool threaded = false;     ///< uses more than one thread
  bool simd = false;         ///< uses the vector unit explicitly
  bool separate_targets =
      true;               ///< targets may differ from the sources; if false, targets == sources and self == 0
  bool periodic = true;   ///< supports nearest images
  bool potential = true;  ///< can compute the potential
  bool open = true;       ///< supports open space
  bool all_images = false;  ///< supports periodic boxes with Images::all
  /// In single precision it rounds positions again, by up to 2^-24 of their distance from the origin.
  bool moves_bodies = false;

  /// Returns whether the kernel supports a boundary.
  constexpr bool knows(const Boundary& space) const {
    return !space.periodic ? open : space.all_images() ? all_images : periodic;
  }
};

/// Operations per ordered interaction that need a multiply-add port (mul, fma, reciprocal square root), as
/// vectors of the full width or as scalars. Benchmarks compute from them the fraction of the machine's limit.
struct Cost {
  double f32 = 0, f64 = 0, mixed = 0;
};

/// The function of a kernel: writes the sums of the problem. On a GPU the work is queued in the stream; the
/// function does not wait for it.
template <class P>
using Run = void(const PairProblem<P>&, const LaunchShape&);

/// A rung of the ladder. The function of an unsupported precision is null.
struct DirectKernel {
  std::string_view name;  ///< "cpu/simd"
  int rung = 0;           ///< position in the order of the course
  std::string_view idea;  ///< one sentence
  Device device = Device::cpu;
  Traits traits{};
  Cost fma_port_operations{};
  std::span<const LaunchShape> shapes{};
  Run<F32>* f32 = nullptr;
  Run<F64>* f64 = nullptr;
  Run<Mixed>* mixed = nullptr;

  template <class P>
  Run<P>* run() const {
    if constexpr (std::is_same_v<P, F32>) return f32;
    else if constexpr (std::is_same_v<P, F64>) return f64;
    else return mixed;
  }
  /// Returns whether the kernel supports a precision.
  bool has(Precision p) const {
    return p == Precision::f32 ? f32 != nullptr : p == Precision::f64 ? f64 != nullptr : mixed != nullptr;
  }
};

/// All direct kernels in this binary, in the order of the course.
std::span<const DirectKernel* const> direct_kernels();
/// Returns the kernel with this name; UsageError with the nearest name.
const DirectKernel& direct_kernel(std::string_view name);

/// Returns the vector instruction set that the kernels use on this processor ("AVX3_ZEN4", ...).
std::string_view simd_target();
/// Returns the number of floats in a vector of that instruction set.
int simd_lanes_f32();

}  // namespace pleiad
