/// Kernels of fused steps on a GPU, several in one launch, for systems so small that a launch costs as
/// much as a force: plain data, as the rungs of the ladder are.
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

/// A step as kicks and drifts in turn, beginning with kick[0]; there are `stages` of each. Zero entries are
/// skipped; a zero kick asks for no forces. G and the step's length are in the numbers: v += kick a, then
/// v *= damping, then x += drift v, each fused and rounded by itself, so that steps made in one launch have
/// the bits of steps made in many.
template <class T>
struct StepProgram {
  static constexpr std::size_t most_stages = 16;
  std::size_t stages = 0;
  std::array<T, most_stages> kick{}, drift{};
  T damping = 1;  ///< 1: none
};

/// The state on the device, and what to do with it.
template <class P>
struct StepProblem {
  using Real = typename P::Position;
  std::span<Mass<Real>> bodies;
  std::span<Vec4<Real>> velocities;  ///< w is 0
  /// The pulls on the bodies, G left out; w is 0. In: of the present positions, when `forces_current`. Out:
  /// of the last positions that were asked for.
  std::span<Vec4<typename P::Sum>> sums;
  bool forces_current = false;
  Softening softening{};
  Boundary boundary{};  ///< positions are wrapped into a periodic box after each drift
  StepProgram<Real> program{};
  std::uint64_t steps = 0;  ///< 0: only computes the sums
  void* stream = nullptr;   ///< the queue (a cudaStream_t) to work in
};

template <class P>
using RunSteps = void(const StepProblem<P>&, const LaunchShape&);

/// A precision that it does not have is null. Each is reproducible: the same bits run to run, and for any
/// division of the steps into launches.
struct StepKernel {
  std::string_view name;  ///< "cuda/block-steps"
  int rung = 0;           ///< the order in which a reader should learn them
  std::string_view idea;  ///< one sentence
  std::size_t most_bodies = 0;
  bool periodic = false;
  bool divides = false;  ///< among the GPUs of a host, which then give the bits of one
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
  bool has(Precision p) const {
    return p == Precision::f32 ? f32 != nullptr : p == Precision::f64 ? f64 != nullptr : mixed != nullptr;
  }
};

/// All in this binary, in learning order; none in a build without CUDA.
std::span<const StepKernel* const> step_kernels();

}  // namespace pleiad
