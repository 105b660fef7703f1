/// Kernels for fused steps of many small independent systems in one launch, as plain data; steps.hpp has
/// those for one system.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/steps.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace pleiad {

/// `systems` systems of `n` bodies each on the device, one after another: body i of system s is at s n + i.
template <class P>
struct EnsembleProblem {
  using Real = typename P::Position;
  std::span<Mass<Real>> bodies;
  std::span<Vec4<Real>> velocities;  ///< w is 0
  /// Sums of pulls as in StepProblem, one system after another.
  std::span<Vec4<typename P::Sum>> sums;
  std::size_t systems = 0, n = 0;
  bool forces_current = false;
  Softening softening{};
  double heaviest = 0;  ///< largest mass, if floor_eps2 may be too small for it; else 0
  /// Device memory with a softening length for each system, which replaces the common one; empty: the common
  /// one. In double precision, like the common one when it is squared, so a system has the same bits as
  /// alone.
  std::span<const double> eps{};
  Boundary boundary{};
  StepProgram<Real> program{};
  std::uint64_t steps = 0;  ///< number of steps; 0: only computes the sums
  void* stream = nullptr;   ///< the stream (a cudaStream_t) to use
};

namespace cuda {
struct OrbitSystemsProblem;  // cuda/steps/orbit_systems.hpp
}

/// The function of a kernel: makes the steps of all systems. The work is queued in the stream; the function
/// does not wait for it.
template <class P>
using RunEnsemble = void(const EnsembleProblem<P>&, const LaunchShape&);

/// An ensemble kernel. The function of an unsupported precision is null; a kernel of planetary systems has
/// `orbits` alone. Each kernel is reproducible: the
/// result for a system does not depend, bit for bit, on other systems, on its index, or on the division of
/// steps into launches.
struct EnsembleKernel {
  std::string_view name;        ///< "cuda/warp-ensemble"
  int rung = 0;                 ///< position in the order of the course
  std::string_view idea;        ///< one sentence
  std::size_t most_bodies = 0;  ///< largest number of bodies of one system
  bool periodic = false;
  Cost fma_port_operations{};
  std::span<const LaunchShape> shapes{};
  RunEnsemble<F32>* f32 = nullptr;
  RunEnsemble<F64>* f64 = nullptr;
  RunEnsemble<Mixed>* mixed = nullptr;
  /// Wisdom-Holman steps of bodies in double precision, in place of kicks and drifts.
  void (*orbits)(const cuda::OrbitSystemsProblem&) = nullptr;

  template <class P>
  RunEnsemble<P>* run() const {
    if constexpr (std::is_same_v<P, F32>) return f32;
    else if constexpr (std::is_same_v<P, F64>) return f64;
    else return mixed;
  }
  /// Returns whether the kernel supports a precision.
  bool has(Precision p) const {
    if (orbits != nullptr) return p == Precision::f64;
    return p == Precision::f32 ? f32 != nullptr : p == Precision::f64 ? f64 != nullptr : mixed != nullptr;
  }
};

/// All ensemble kernels in this binary; those for the fewest bodies come first. None in a build without CUDA.
std::span<const EnsembleKernel* const> ensemble_kernels();

}  // namespace pleiad
