/// Added forces on bodies in the memory of a GPU, and kicks by those that depend on velocities. Plain C++;
/// all pointers to bodies are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"

#include <pleiad/added_force.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad::cuda {

/// An added force at one time, as kernels read it.
struct ForceAtTime {
  static constexpr std::size_t no_source = static_cast<std::size_t>(-1);

  int kind = 0;
  ActsOn on = ActsOn::all;
  bool reacts = false;
  std::size_t source = no_source;  ///< its number among all bodies
  double parameters[AddedForce::most_parameters]{};
  bool in_medium = false;
  potentials::Instant<double> medium{};  ///< its rows are in the memory of this GPU
  Vec3<double> medium_velocity{};
};

/// All bodies, in the memory of one GPU, and those of them that are its own. T is float or double, here and
/// below.
template <class T>
struct ForceBodies {
  std::span<const Mass<T>> all;
  std::size_t first = 0, count = 0;          ///< its own
  const Vec4<double>* velocities = nullptr;  ///< of all; may be null where no force depends on them
  void* stream = nullptr;
};

/// effects[i] = the accelerations by these forces, and in w energies per mass, of own body i; G included, and
/// the reactions on sources. Each GPU that owns a source sums the reaction over all bodies, in fixed blocks:
/// bits do not depend on which bodies are a GPU's own.
template <class T>
void added_effects(std::span<const ForceAtTime> forces, double G, const ForceBodies<T>& bodies,
                   Vec4<double>* effects);
/// The energy of all bodies in these forces. Waits for it.
template <class T>
double added_energy(std::span<const ForceAtTime> forces, double G, const ForceBodies<T>& bodies);
/// Adds effects, without G, to n sums of pulls; their energies as well, or not.
template <class T>
void add_effects(const Vec4<double>* effects, double G, bool energies, Vec4<T>* sums, std::size_t n,
                 void* stream);

/// A row of a Runge-Kutta method: the change of velocities in a time is
/// time (whole g + sum of weights[j] f[j]), g the pulls of the sums with G.
struct StageRow {
  double time = 0, whole = 1;
  int stages = 0;
  double weights[4]{};
  const Vec4<double>* f[4]{};  ///< accelerations at each stage
};
/// to[i] = v[i] and its change.
template <class T>
void stage_velocities(const Vec4<T>* v, const Vec4<T>* sums, double G, const StageRow& row, std::size_t n,
                      Vec4<double>* to, void* stream);
/// v[i] += its change.
template <class T>
void change_velocities(Vec4<T>* v, const Vec4<T>* sums, double G, const StageRow& row, std::size_t n,
                       void* stream);
/// The sum over all bodies of m u . f, u their velocities in axes that turn about z with `omega`, added in a
/// fixed order. Waits for it.
template <class T>
double power_of(std::span<const Mass<T>> all, const Vec4<double>* velocities, const Vec4<double>* f,
                double omega, void* stream);
/// x of to[i] = |now[i] - before[i]| over |v[i]| / |time| + |g[i]| + |now[i]|; 0 where that is not finite.
template <class T>
void relative_changes(const Vec4<T>* v, const Vec4<T>* sums, double G, double time,
                      const Vec4<double>* before, const Vec4<double>* now, std::size_t n, Vec4<double>* to,
                      void* stream);

}  // namespace pleiad::cuda
