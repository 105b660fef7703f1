/// Terms that are added to the accelerations of mutual gravity at each evaluation: external potentials, added
/// forces, a user force.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/user_force.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// Bodies of one memory at one evaluation: of the host, or of one GPU.
template <class Real>
struct TermProblem {
  double time = 0;
  double G = 1;
  std::span<const Mass<Real>> bodies;
  std::span<Vec4<Real>> sums;  ///< of pulls, without G; a term adds its accelerations divided by G
  void* stream = nullptr;      ///< of the GPU
  std::span<const std::array<double, 6>> low{};  ///< on the host: see Bodies::low; may be empty
  std::span<const Mass<Real>> all{};  ///< on a GPU: the bodies of all GPUs and ranks, if they are there
  std::size_t first = 0;              ///< the number of bodies[0] among them
};

/// Bodies with velocities, in double precision on the host; accelerations and jerks include G.
struct JerkTermProblem {
  double time = 0;
  double G = 1;
  std::span<const Mass<double>> bodies;
  std::span<const Vec4<double>> velocities;
  std::span<Vec4<double>> accelerations, jerks;
  std::span<const std::array<double, 6>> low{};  ///< see Bodies::low; may be empty
};

/// A term of the acceleration besides mutual gravity. Terms are added in the order of their list.
template <class Real>
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;
  virtual void add(const TermProblem<Real>& problem) = 0;
  /// UsageError for a term that has no jerks.
  virtual void add_with_jerks(const JerkTermProblem&) {
    throw UsageError(
        "a force of your own does not say how accelerations change, which this integrator needs; choose "
        "another one, kdk for example");
  }
  /// Whether all it does is queued on the GPU and the same at every time, so that it can be recorded and
  /// replayed.
  virtual bool recordable() const = 0;
  /// The user's, which can be replaced.
  virtual bool of_user() const { return false; }
};

template <class Real>
using ForceTerms = std::vector<std::unique_ptr<ForceTerm<Real>>>;

class AddedForces;
class DeviceAddedForces;
/// The terms of a law of gravity, for bodies on the host. `added`: its added forces, which must outlive the
/// terms; null: none. Of those that depend on velocities the accelerations are not in the sums: kicks by
/// them are implicit.
template <class Real>
ForceTerms<Real> host_terms(const Gravity& gravity, AddedForces* added);
template <class Real>
std::unique_ptr<ForceTerm<Real>> host_term(UserForce force);
/// Terms for bodies on a GPU, the present one when a term is added. `added`: as of host_terms.
template <class Real>
ForceTerms<Real> device_terms(const Gravity& gravity, DeviceAddedForces* added);
template <class Real>
std::unique_ptr<ForceTerm<Real>> device_term(UserForce force);

}  // namespace pleiad
