/// Many small systems at once: each with bodies, a law and a clock of its own, advanced together.
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

/// One system, and how it goes on. `state` holds its bodies at `clock.time`; they must be valid (see
/// validate).
struct Member {
  Snapshot state;
  Gravity gravity;
  Method method;
  Clock clock;
};
/// A member that starts with the snapshot's time.
Member member_of(Snapshot initial, const Gravity& gravity, const Method& method);

/// How a member stands. Those that do not go on stay where they were.
enum class MemberStatus : std::uint8_t {
  going,
  escaped,
  not_finite,
  energy_limit,
  step_limit,
  step_too_small
};
/// Whether the member is as it should be: it goes on, or rests since it has done what it was to do.
constexpr bool is_good(MemberStatus s) { return s == MemberStatus::going || s == MemberStatus::escaped; }
std::string_view name_of(MemberStatus status);

/// Where the members live and what advances them: the host or a GPU.
class Members;

/// On a GPU systems that are alike (as many bodies, the same G and method) go through one launch; a member's
/// bits depend on its own bodies alone there too. Adaptive steps, Hermite, periodic boxes and systems that
/// are too large for the kernels stay on the CPU. On the CPU members may differ in everything, and each has
/// the bits that a Simulation of it alone would have, whatever the others do and however many threads there
/// are. A member whose adaptive step shrinks to nothing, or that is retired, stays where it was; the others
/// go on.
class Ensemble {
 public:
  /// UsageError for a method or law that a Simulation would refuse, naming the member.
  Ensemble(std::vector<Member> members, const EngineOptions& engine = {});
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  /// All members to exactly `time`; UsageError when a member's fixed steps do not meet it.
  void run_until(double time);
  /// Each member at most `limit` steps towards `time`; true when all that can have reached it.
  bool run_towards(double time, std::uint64_t limit);

  /// A member that has made so many steps rests where it is; 0: no limit.
  void limit_steps(std::uint64_t most);

  std::size_t size() const { return statuses_.size(); }
  const Gravity& gravity(std::size_t k) const;
  const Method& method(std::size_t k) const;
  const Clock& clock(std::size_t k) const;
  /// The bodies of member k now; safe to call for different members at once.
  Snapshot snapshot(std::size_t k) const;
  MemberStatus status(std::size_t k) const { return statuses_.at(k); }
  /// Member k stays where it is from now on.
  void retire(std::size_t k, MemberStatus why) { statuses_.at(k) = why; }

  EngineDescription describe() const;
  /// Ordered pairs computed so far.
  double interactions() const;

 private:
  std::vector<MemberStatus> statuses_;
  std::unique_ptr<Members> members_;
};

/// Bytes that an ensemble of `count` systems of n bodies takes; ResourceError on overflow.
std::size_t ensemble_bytes(std::size_t count, std::size_t n, const EngineOptions& options);

/// The diagnostics of one system; from its bodies alone, in double precision, the same on every device.
struct MemberDiagnostics {
  double time = 0;
  std::uint64_t step = 0;
  Energies energies{};
  Vec3<double> angular_momentum{};
  double virial_ratio = 0;                                   ///< T / |W|; 0 without a potential
  double half_mass_radius = 0;                               ///< about the density centre
  double closest = std::numeric_limits<double>::infinity();  ///< the smallest separation of two bodies
  /// Part of the bodies (by number) that are bound to the rest: m/mu |v|^2/2 + phi < 0 for the velocity v
  /// relative to the rest's centre of mass, phi the potential of the rest.
  double bound = 1;
  /// Bodies that are unbound, recede, and are farther from the rest than ten of its half-mass radii. None in
  /// a periodic box.
  std::uint64_t escapers = 0;
  std::uint64_t escaper = 0;  ///< the id of the farthest of them, when there are any
};
MemberDiagnostics diagnose(const Snapshot& snapshot, const Gravity& gravity);

/// The history of one system, as looks at it tell it.
struct History {
  MemberDiagnostics first, last;
  std::uint64_t diagnosed = 0;
  double worst_energy_error = 0;  ///< the largest |dE/E|, or |dE| when the first energy is 0
  double closest = std::numeric_limits<double>::infinity();       ///< over all diagnostics
  double escape_time = std::numeric_limits<double>::quiet_NaN();  ///< since when there have been escapers

  void add(const MemberDiagnostics& diagnostics);
  /// (E - E0) / |E0| of the last diagnostic, or E - E0 when E0 is 0.
  double energy_error() const;
  /// |L - L0| / |L0| of the last diagnostic, or |L - L0| when L0 is 0.
  double angular_momentum_error() const;
};

/// The q-quantile of values in ascending order, linear between neighbours; NaN when there are none.
double quantile(std::span<const double> ascending, double q);

}  // namespace pleiad
