/// Many small systems, each with its own bodies, law and clock, advanced together.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pleiad {

/// One system of an ensemble. `state` has its bodies at `clock.time`, in the units of the snapshot; they must
/// be valid (see validate).
struct Member {
  Snapshot state;
  Gravity gravity;
  Method method;
  Clock clock;
};
/// Makes a member that starts at the time of the snapshot.
Member member_of(Snapshot initial, const Gravity& gravity, const Method& method);

/// The status of a member. A member with any status but `going` is frozen: it makes no more steps. An
/// ensemble sets step_limit and step_too_small itself; the caller sets the others with retire.
enum class MemberStatus : std::uint8_t {
  going,
  escaped,
  not_finite,
  energy_limit,
  step_limit,
  step_too_small
};
/// Returns whether the member has not failed: it continues, or it is frozen because of an escape.
constexpr bool is_good(MemberStatus s) { return s == MemberStatus::going || s == MemberStatus::escaped; }
/// Returns the word for a status in tables: "ok", "escaped", ...
std::string_view name_of(MemberStatus status);

/// Internal: memory and steps of the members, on the host or a GPU (src/ensemble/members.hpp).
class Members;
struct MemberDiagnostics;

/// An ensemble of members. On the CPU members may differ in everything, and each has the result of a
/// Simulation of it alone, bit for bit, for any other members and any number of threads. On a GPU systems
/// with equal numbers of bodies, G and method share one launch, and the result of a member depends on its
/// bodies only. Members with adaptive steps, Hermite, a periodic box or too many bodies for the kernels stay
/// on the CPU; planetary systems with wisdom-holman or wisdom-holman-jacobi also, if there are fewer than
/// 512. A member is frozen when its adaptive step becomes too small or when it is retired; the others
/// continue. Fixed steps of members are whole: Method::exact_steps is true for all of them.
class Ensemble {
 public:
  /// Makes the members. UsageError, which names the member, for a method or law that a Simulation would
  /// refuse. ResourceError if memory or a GPU is missing.
  Ensemble(std::vector<Member> members, const EngineOptions& engine = {});
  /// Makes an ensemble of `size` members with an implementation of its own, such as one on several ranks.
  Ensemble(std::size_t size, std::unique_ptr<Members> members);
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  /// Advances all members that are not frozen to exactly `time`. UsageError if it is between two fixed steps
  /// of a member, or in its past.
  void run_until(double time);
  /// Advances each member by at most `limit` steps towards `time`. Returns whether all members that are not
  /// frozen have reached it.
  bool run_towards(double time, std::uint64_t limit);

  /// Freezes each member after this number of steps; 0: no limit.
  void limit_steps(std::uint64_t most);

  std::size_t size() const { return statuses_.size(); }
  /// Law, method and clock of member k. The references are valid as long as the ensemble is neither moved nor
  /// destroyed. std::out_of_range for k >= size().
  const Gravity& gravity(std::size_t k) const;
  const Method& method(std::size_t k) const;
  const Clock& clock(std::size_t k) const;
  /// A copy of the present bodies of member k. May be called for different members concurrently.
  Snapshot snapshot(std::size_t k) const;
  MemberStatus status(std::size_t k) const { return statuses_.at(k); }
  /// Gives member k a status. Any status but `going` freezes it.
  void retire(std::size_t k, MemberStatus why) { statuses_.at(k) = why; }

  /// Diagnostics of the given members, in their order. O(n^2) for a member of n bodies.
  std::vector<MemberDiagnostics> diagnose(std::span<const std::size_t> members) const;

  /// The device, method and memory of the members.
  EngineDescription describe() const;
  /// Number of ordered pairs computed so far.
  double interactions() const;

 private:
  std::vector<MemberStatus> statuses_;
  std::unique_ptr<Members> members_;
};

/// Bytes of memory that an ensemble of `count` systems of n bodies needs; ResourceError on overflow.
std::size_t ensemble_bytes(std::size_t count, std::size_t n, const EngineOptions& options);

/// The diagnostics of one system, in its units, computed in double precision; the same on every device.
struct MemberDiagnostics {
  double time = 0;
  std::uint64_t step = 0;
  Energies energies{};
  Vec3<double> angular_momentum{};
  double virial_ratio = 0;                                   ///< see virial_ratio()
  double half_mass_radius = 0;                               ///< about the density centre
  double closest = std::numeric_limits<double>::infinity();  ///< the smallest separation of two bodies
  /// Fraction of the bodies (by number) that are bound: m/mu |v|^2/2 + phi < 0, with v the velocity relative
  /// to the centre of mass of the other bodies, and phi their potential.
  double bound = 1;
  /// Number of bodies that are unbound, recede, and are more than ten half-mass radii away from the others. 0
  /// in a periodic box.
  std::uint64_t escapers = 0;
  std::uint64_t escaper = 0;  ///< the id of the farthest escaper, if there is one
};
/// Computes the diagnostics by direct sums over all pairs, O(n^2).
MemberDiagnostics diagnose(const Snapshot& snapshot, const Gravity& gravity);

/// The accumulated diagnostics of one system. The first call of `add` sets the reference of the errors.
struct History {
  MemberDiagnostics first, last;
  std::uint64_t diagnosed = 0;                                    ///< number of calls of `add`
  double worst_energy_error = 0;                                  ///< the largest |energy_error()|
  double closest = std::numeric_limits<double>::infinity();       ///< the smallest over all diagnostics
  double escape_time = std::numeric_limits<double>::quiet_NaN();  ///< time of the first escaper; NaN: none
  double largest_part = 0;  ///< largest T or |W| of all diagnostics in a periodic box; 0 in open space

  void add(const MemberDiagnostics& diagnostics, bool periodic = false);
  /// Energy error of the last diagnostics: (E - E0) / energy_scale of the first. In a periodic box E0 is a
  /// small difference of large numbers, so E - E0 is divided by the largest T or |W|.
  double energy_error() const;
  /// Error of the angular momentum of the last diagnostics: |L - L0| / |L0|, or |L - L0| if L0 is 0.
  double angular_momentum_error() const;
};

/// The q-quantile, 0 <= q <= 1, of values in ascending order, interpolated linearly; NaN if there are none.
double quantile(std::span<const double> ascending, double q);

}  // namespace pleiad
