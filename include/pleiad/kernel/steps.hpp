/// Kernels for fused steps on a GPU, as plain data: several steps in one launch, for systems so small that a
/// launch takes as long as a force evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace pleiad {

/// A step as alternating kicks and drifts, beginning with kick[0]; there are `stages` of each. Zero entries
/// are skipped; a zero kick needs no forces. The coefficients include G and the length of the step: v += kick
/// a, then v *= damping, then x += drift v. Each is fused and rounded separately, so that the result does not
/// depend, bit for bit, on the division of steps into launches.
template <class T>
struct StepProgram {
  static constexpr std::size_t most_stages = 18;
  std::size_t stages = 0;
  std::array<T, most_stages> kick{}, drift{};
  T damping = 1;  ///< 1: none
};

/// A problem for a step kernel: the state in the memory of a GPU, and the steps to make. All arrays have one
/// entry for each body.
template <class P>
struct StepProblem {
  using Real = typename P::Position;
  std::span<Mass<Real>> bodies;
  std::span<Vec4<Real>> velocities;  ///< w is 0
  /// Sums of pulls, without G; w is 0. Input: those of the present positions, if `forces_current`. Output:
  /// those of the last evaluated positions.
  std::span<Vec4<typename P::Sum>> sums;
  bool forces_current = false;
  Softening softening{};
  double heaviest = 0;  ///< largest mass, if floor_eps2 may be too small for it; else 0
  Boundary boundary{};  ///< positions are wrapped into a periodic box after each drift
  StepProgram<Real> program{};
  std::uint64_t steps = 0;  ///< number of steps; 0: only computes the sums
  void* stream = nullptr;   ///< the stream (a cudaStream_t) to use
};

/// The function of a kernel: makes the steps. The work is queued in the stream; the function does not wait
/// for it.
template <class P>
using RunSteps = void(const StepProblem<P>&, const LaunchShape&);

/// A step kernel. The function of an unsupported precision is null. Each kernel is reproducible: the same
/// bits in every run, and for any division of steps into launches.
struct StepKernel {
  std::string_view name;        ///< "cuda/block-steps"
  int rung = 0;                 ///< position in the order of the course
  std::string_view idea;        ///< one sentence
  std::size_t most_bodies = 0;  ///< largest number of bodies
  bool periodic = false;
  bool divides = false;  ///< can run on several GPUs of a host, with the result of one, bit for bit
  Cost fma_port_operations{};
  std::span<const LaunchShape> shapes{};
  RunSteps<F32>* f32 = nullptr;
  RunSteps<F64>* f64 = nullptr;
  RunSteps<Mixed>* mixed = nullptr;

  template <class P>
  RunSteps<P>* run() const {
    if constexpr (std::is_same_v<P, F32>) return f32;
    else if constexpr (std::is_same_v<P, F64>) return f64;
    else return mixed;
  }
  /// Returns whether the kernel supports a precision.
  bool has(Precision p) const {
    return p == Precision::f32 ? f32 != nullptr : p == Precision::f64 ? f64 != nullptr : mixed != nullptr;
  }
};

/// All step kernels in this binary, in the order of the course; none in a build without CUDA.
std::span<const StepKernel* const> step_kernels();

}  // namespace pleiad
