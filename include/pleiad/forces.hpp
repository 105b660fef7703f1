/// Gravity for one's own code: the accelerations of bodies in one's own arrays.
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

/// Which accelerations: a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2).
struct ForceOptions {
  double softening = 0;  ///< Plummer's length; 0: bodies at one place do not pull each other
  double G = 1;
  /// The relative error that 99 % of the accelerations may have: the fastest method that meets it on these
  /// bodies is found by trying, which takes a second or as long as sixty evaluations. 0: direct sums.
  double accuracy = 0;
  /// Also the potentials, -G sum_j m_j / (r^2 + softening^2)^(1/2), in a Field and in records; arrays of the
  /// caller have them where he gives one for them.
  bool potential = false;
  /// Unset: single for floats, mixed for doubles (sums in double, pairs in single precision, 1e-7).
  std::optional<Precision> precision{};
  Boundary box{};  ///< open space, or a periodic box
  /// "auto", or a method by name, perhaps with settings, as `pleiad run --kernel` takes it: "cpu/simd",
  /// "cpu/fmm order=5 theta=0.6".
  std::string kernel = "auto";
  Context context{};
};

/// Accelerations, and potentials if they were asked for.
template <class T>
struct Field {
  std::vector<Vec3<T>> accelerations{};
  std::vector<T> potentials{};
};

/// Finds accelerations again and again: it keeps its memory, its threads, and the method that it has found
/// for an accuracy. The same bodies give the same bits for any number of threads. One call at a time; two
/// solvers may work at once. Views are read and written during the call alone.
///
/// Positions are brought into the order in which kernels load them, x y z m, and accelerations back: two
/// passes over memory of the solver's own, 64 bytes for each body with doubles. Who keeps Mass records needs
/// neither: see the last form.
///
/// Every form throws UsageError for sizes or options that do not fit together, InputError naming the first
/// body whose position or mass is not finite, is beyond 1e18 or is negative, and ResourceError for memory.
class GravitySolver {
 public:
  /// UsageError for a softening, G or accuracy that cannot be.
  explicit GravitySolver(const ForceOptions& options = {});
  ~GravitySolver();
  GravitySolver(GravitySolver&&) noexcept;
  GravitySolver& operator=(GravitySolver&&) noexcept;

  /// Of all bodies on each other. `potentials` may be empty: then they are not computed.
  void accelerations(Vectors<const double> positions, std::span<const double> masses, Vectors<double> result,
                     std::span<double> potentials = {});
  void accelerations(Vectors<const float> positions, std::span<const float> masses, Vectors<float> result,
                     std::span<float> potentials = {});

  /// At `targets`, which pull nothing; a target at a source's place does not feel that source without
  /// softening. With a tree they are added to it as bodies without mass.
  void accelerations_at(Vectors<const double> targets, Vectors<const double> sources,
                        std::span<const double> masses, Vectors<double> result,
                        std::span<double> potentials = {});
  void accelerations_at(Vectors<const float> targets, Vectors<const float> sources,
                        std::span<const float> masses, Vectors<float> result,
                        std::span<float> potentials = {});

  /// Without a copy: accelerations in x, y, z, and in w the potentials if `ForceOptions::potential`, else 0.
  /// (Within a periodic box positions are copied, since they are wrapped into it; and so are bodies in
  /// another precision than theirs.)
  void accelerations(std::span<const Mass<double>> bodies, std::span<Vec4<double>> result);
  void accelerations(std::span<const Mass<float>> bodies, std::span<Vec4<float>> result);

  /// Of bodies in the memory of the present GPU, by a method of the GPU; work is queued in the stream, and
  /// only a tree waits in between for numbers that it needs. The first call with an accuracy copies the
  /// bodies to the host, to try methods on them. Numbers are not checked: what is not finite makes
  /// accelerations that are not. The stream must exist until the solver ends or has been given another.
  /// ResourceError without a GPU.
  void accelerations(const OnDevice<double>& bodies);
  void accelerations(const OnDevice<float>& bodies);
  /// Without a copy, as above.
  void accelerations(const RecordsOnDevice<double>& bodies);
  void accelerations(const RecordsOnDevice<float>& bodies);

  /// How the last accelerations were found: all that decides their bits, as `ForceOptions::kernel` takes it;
  /// "" before the first. Why: in words.
  const std::string& kernel() const;
  const std::string& why() const;
  /// Has the next call find a method anew: for bodies that have become others.
  void plan_again();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Once, without a GravitySolver that is kept; errors as there.
void accelerations(Vectors<const double> positions, std::span<const double> masses, Vectors<double> result,
                   const ForceOptions& options = {}, std::span<double> potentials = {});
void accelerations(Vectors<const float> positions, std::span<const float> masses, Vectors<float> result,
                   const ForceOptions& options = {}, std::span<float> potentials = {});
/// The same into memory of its own; with potentials if `options.potential`.
Field<double> accelerations(Vectors<const double> positions, std::span<const double> masses,
                            const ForceOptions& options = {});
Field<float> accelerations(Vectors<const float> positions, std::span<const float> masses,
                           const ForceOptions& options = {});

}  // namespace pleiad
