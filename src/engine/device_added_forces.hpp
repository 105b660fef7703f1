/// The added forces of a law on bodies in the memory of GPUs. Those of positions are added to the sums on any
/// GPU that has the positions of all bodies; those of velocities are kicks on one GPU that has all bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/added_forces.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/field_tables.hpp"
#include "engine/added_forces.hpp"
#include "ranks/collective.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

/// The bodies of one GPU, with all positions and, of forces of velocities, all velocities.
template <class Real>
struct AddedOnDevice {
  double time = 0;
  std::span<const Mass<Real>> all;   ///< positions of all bodies
  std::size_t first = 0, count = 0;  ///< the GPU's own
  Vec4<Real>* velocities = nullptr;  ///< of all; may be null where no force depends on them
  void* stream = nullptr;
};

/// Its memory belongs to streams: it must be destroyed before them.
class DeviceAddedForces {
 public:
  using Which = AddedForces::Which;

  explicit DeviceAddedForces(const Gravity& gravity);
  bool any(Which which) const { return forces_.any(which); }
  /// Finds the sources; see AddedForces.
  void load(const Bodies& own, const ranks::Collective& all) { forces_.load(own, all); }

  /// Adds the accelerations of some forces, without G, to the sums of the GPU's own bodies; with energies as
  /// potentials, or without.
  template <class Real>
  void add_to_sums(Which which, const AddedOnDevice<Real>& bodies, bool energies, Vec4<Real>* sums);
  /// See AddedForces::energy.
  template <class Real>
  double energy(const AddedOnDevice<Real>& bodies);
  /// The implicit kick by the sums and the forces of velocities; see ImplicitKick. `time` excludes G. Returns
  /// the work of drags where it is counted, else 0.
  template <class Real>
  double kick(int stages, double time, const AddedOnDevice<Real>& bodies, const Vec4<Real>* sums);

 private:
  std::vector<cuda::ForceAtTime> at(Which which, double time, void* stream, bool only_conserved = false);
  template <class Real>
  cuda::Buffer<Vec4<double>> wide_velocities(const AddedOnDevice<Real>& bodies) const;

  Gravity law_;
  AddedForces forces_;
  std::optional<double> turns_;  ///< the pattern speed, where the work of drags is counted
  cuda::FieldTables tables_;
  std::array<cuda::Buffer<Vec4<double>>, 4> f_, next_;  ///< accelerations at the stages of a kick
  cuda::Buffer<Vec4<double>> stage_;
};

}  // namespace pleiad
