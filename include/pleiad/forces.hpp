/// Gravity for your own code: accelerations of bodies in your arrays.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/context.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/vec.hpp>
#include <pleiad/vectors.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pleiad {

/// The law a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2), or that of a spline, and its
/// computation. All
/// quantities are in units of your choice, consistent with G.
struct ForceOptions {
  double softening = 0;  ///< Plummer softening length; 0: coincident bodies exert no force on each other
  /// The form of the pull: see SofteningKernel. Where it is a spline, or bodies have softenings of their own,
  /// the host computes in double precision.
  SofteningKernel softening_kernel = SofteningKernel::plummer;
  SofteningRule softening_rule = SofteningRule::max;  ///< of pairs of bodies with `softenings`
  /// One for each body that pulls, in place of `softening`, which is then that of targets apart; empty: none.
  std::vector<double> softenings{};
  double G = 1;  ///< gravitational constant, > 0
  /// Target relative force error, met by 99 % of the bodies. A search on these bodies takes the fastest
  /// method that meets it; the search lasts a second, or as long as sixty evaluations. 0: direct sums.
  double accuracy = 0;
  /// Whether potentials are written too, -G sum_j m_j / (r^2 + softening^2)^(1/2), to a Field and to records.
  /// Forms with arrays write them if you pass an array for them.
  bool potential = false;
  /// Unset: single for floats; for doubles on the host double where at most 256 bodies have mass, or one
  /// holds more than half of the mass of at most 10,000, else mixed (sums in double, pairs in single, errors
  /// of 1e-7).
  std::optional<Precision> precision{};
  Boundary box{};  ///< open space, or a periodic box (see Boundary)
  /// "auto", or a method by name, with optional settings, as `pleiad run --kernel` accepts it: "cpu/simd",
  /// "cpu/fmm order=5 theta=0.6".
  std::string kernel = "auto";
  Context context{};
};

/// Accelerations, and potentials if requested, one for each body; G included.
template <class T>
struct Field {
  std::vector<Vec3<T>> accelerations{};
  std::vector<T> potentials{};
};

/// Computes accelerations repeatedly. It keeps its memory, its threads and the method that it has chosen for
/// an accuracy. The same bodies give the same bits for any number of threads. Make one call at a time; two
/// solvers may work concurrently. A call reads and writes its arguments only until it returns.
///
/// Positions are copied to the records that kernels load, x y z m, and accelerations are copied back: two
/// passes over memory of the solver, 64 bytes per body with doubles. Arrays of Mass records need no
/// copies.
///
/// Every form throws UsageError for sizes or options that do not fit together, InputError with the first
/// body whose position or mass is not finite, is beyond 1e18 or is negative, and ResourceError for memory.
class GravitySolver {
 public:
  /// UsageError for an invalid softening, G or accuracy.
  explicit GravitySolver(const ForceOptions& options = {});
  ~GravitySolver();
  GravitySolver(GravitySolver&&) noexcept;
  GravitySolver& operator=(GravitySolver&&) noexcept;

  /// Computes the accelerations of all bodies by each other, G included. `positions`, `masses`, `result` and,
  /// unless empty, `potentials` have one entry for each body.
  ///  Without `potentials` these are not computed.
  void accelerations(Vectors<const double> positions, std::span<const double> masses, Vectors<double> result,
                     std::span<double> potentials = {});
  void accelerations(Vectors<const float> positions, std::span<const float> masses, Vectors<float> result,
                     std::span<float> potentials = {});

  /// Computes accelerations at `targets`, which exert no force. `result` and, unless empty, `potentials` have
  /// one entry for each target, `masses` one for each source. Without softening a source at the position of a
  /// target has no effect on it. A tree includes the targets as bodies without mass.
  void accelerations_at(Vectors<const double> targets, Vectors<const double> sources,
                        std::span<const double> masses, Vectors<double> result,
                        std::span<double> potentials = {});
  void accelerations_at(Vectors<const float> targets, Vectors<const float> sources,
                        std::span<const float> masses, Vectors<float> result,
                        std::span<float> potentials = {});

  /// Computes accelerations without copies of the bodies. The records of the result, one for each body, have
  /// accelerations in x, y, z, and in w the potentials if `ForceOptions::potential`, else 0. Positions are
  /// copied in a periodic box, because they are wrapped into it, and if the precision of the solver is not
  /// that of the records.
  void accelerations(std::span<const Mass<double>> bodies, std::span<Vec4<double>> result);
  void accelerations(std::span<const Mass<float>> bodies, std::span<Vec4<float>> result);

  /// Computes accelerations of bodies, or at targets, in the memory of the current GPU. The work is queued in
  /// the stream; only a tree waits for intermediate results. The first call with an accuracy copies the
  /// bodies to the host for the search. Numbers are not checked: positions that are not finite give
  /// accelerations that are not finite. The stream must exist until the solver is destroyed or gets another
  /// stream. ResourceError without a GPU.
  void accelerations(const OnDevice<double>& bodies);
  void accelerations(const OnDevice<float>& bodies);
  /// Computes accelerations of records in GPU memory, without a copy; otherwise as above.
  void accelerations(const RecordsOnDevice<double>& bodies);
  void accelerations(const RecordsOnDevice<float>& bodies);

  /// The method of the last call, as `ForceOptions::kernel` accepts it, with all settings that determine the
  /// result, bit for bit; "" before the first call. why(): the reason for it, as text. The references are
  /// valid until the next call of the solver.
  const std::string& kernel() const;
  const std::string& why() const;
  /// Makes the next call choose the method again. Use it after the bodies have changed much.
  void plan_again();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A single evaluation, without a GravitySolver; the errors are the same.
void accelerations(Vectors<const double> positions, std::span<const double> masses, Vectors<double> result,
                   const ForceOptions& options = {}, std::span<double> potentials = {});
void accelerations(Vectors<const float> positions, std::span<const float> masses, Vectors<float> result,
                   const ForceOptions& options = {}, std::span<float> potentials = {});
/// A single evaluation, which returns its results in new memory; with potentials if `options.potential`.
Field<double> accelerations(Vectors<const double> positions, std::span<const double> masses,
                            const ForceOptions& options = {});
Field<float> accelerations(Vectors<const float> positions, std::span<const float> masses,
                           const ForceOptions& options = {});

}  // namespace pleiad
