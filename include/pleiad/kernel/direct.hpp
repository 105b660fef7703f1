/// The catalogue of direct-summation kernels: plain data that the CLI, the engine, the tests, the benchmarks
/// and the docs read.
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

/// The pulls of all sources on all targets: sums[i] is overwritten with sum_j pull(sources[j] - targets[i]),
/// G left out. sums[i].w is the potential's sum when `potential` is set, else 0.
template <class P>
struct PairProblem {
  /// `self` when no target is among the sources.
  static constexpr std::ptrdiff_t none = -1;

  std::span<const Mass<typename P::Position>> targets, sources;
  std::span<Vec4<typename P::Sum>> sums;
  Softening softening{};
  Boundary boundary{};
  /// Index of target 0 among the sources (target i is source self + i and does not pull itself), or `none`.
  std::ptrdiff_t self = 0;
  bool potential = false;
  /// On a GPU, where all pointers are the device's: the queue (a cudaStream_t) to work in.
  void* stream = nullptr;
};

/// How work is laid out; a value that tuning chooses and that never changes the answer beyond rounding. 0:
/// the kernel's own choice.
struct LaunchShape {
  int threads_per_block = 0, bodies_per_thread = 0, threads_per_body = 0, source_splits = 0;
  int blocks = 0;  ///< of a kernel whose grid does not follow from the number of bodies
  bool operator==(const LaunchShape&) const = default;
};

/// Which device a kernel runs on.
enum class Device { cpu, cuda };
constexpr std::string_view name_of(Device device) { return device == Device::cpu ? "cpu" : "cuda"; }

/// What a kernel can and promises.
struct Traits {
  bool reproducible = true;  ///< same bits run to run
  bool any_threads = true;   ///< same bits for any number of threads
  bool threaded = false;     ///< uses more than one thread
  bool simd = false;         ///< uses the vector unit explicitly
  bool separate_targets =
      true;               ///< targets may differ from the sources; if false, targets == sources and self == 0
  bool periodic = true;   ///< knows the minimum image
  bool potential = true;  ///< can sum the potential
  bool open = true;       ///< knows open space
  bool all_images = false;  ///< knows periodic boxes with Images::all
  /// In single precision it rounds positions once more: by up to 2^-24 of their distance from the origin.
  bool moves_bodies = false;

  constexpr bool knows(const Boundary& space) const {
    return !space.periodic ? open : space.all_images() ? all_images : periodic;
  }
};

/// Arithmetic per ordered interaction, for the fraction of the machine's limit: operations that need a
/// multiply-add port (mul, fma, reciprocal square root), in vectors of the widest kind or in scalars.
struct Cost {
  double f32 = 0, f64 = 0, mixed = 0;
};

template <class P>
using Run = void(const PairProblem<P>&, const LaunchShape&);

/// A rung of the ladder. A precision that it does not have is null.
struct DirectKernel {
  std::string_view name;  ///< "cpu/simd"
  int rung = 0;           ///< the order in which a reader should learn them
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
  bool has(Precision p) const {
    return p == Precision::f32 ? f32 != nullptr : p == Precision::f64 ? f64 != nullptr : mixed != nullptr;
  }
};

/// All rungs in this binary, in learning order.
std::span<const DirectKernel* const> direct_kernels();
/// By name; UsageError with the nearest name.
const DirectKernel& direct_kernel(std::string_view name);

/// The vector instruction set the kernels will use here ("AVX3_ZEN4", ...), and the lanes of an fp32 vector.
std::string_view simd_target();
int simd_lanes_f32();

}  // namespace pleiad
