/// The systems of an ensemble on one rank, and the messages by which rank 0 sends them and receives their
/// state.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ensemble/members.hpp"
#include "ranks/communicator.hpp"

#include <pleiad/ensemble.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pleiad::run::divided {

using ranks::Communicator;

enum class Task : std::uint64_t { step, show, diagnose, end };
/// The next task of all ranks.
struct Order {
  Task task = Task::end;
  double time = 0;
  std::uint64_t limit = 0, most_steps = 0;
};
/// The reply of a rank after steps.
struct Stepped {
  std::uint64_t reached = 1, signal = 0;
  double interactions = 0;
};
/// A system as it is sent, before its bodies.
struct Head {
  std::uint64_t bodies = 0, integrator = 0, adaptive = 0;
  std::uint64_t kept = 0;  ///< see kept_of
  double dt = 0, eta = 0, damping = 1;
  BlockSteps blocks;
  int corrector = 0;
  double G = 1;
  Softening softening;
  Boundary boundary;
  std::int64_t dimension = 3;
  Clock clock;
};
/// What acts on every system from outside its bodies' mutual gravity.
struct Outside {
  std::vector<Potential> potentials;
  std::vector<AddedForce> forces;
};
/// Position and velocity, their low-order parts, and Bodies::series.
struct Phase {
  std::array<double, 6> high{}, low{};
  std::array<double, 21> series{};
};
/// A body as it is sent.
struct Body {
  Phase phase;
  double mass = 0;
  std::uint64_t id = 0;
};

/// Which optional arrays these bodies have: 1 is low, 2 series.
std::uint64_t kept_of(const Bodies& bodies);
void resize_kept(Bodies& bodies, std::uint64_t kept);
Phase phase_of(const Bodies& bodies, std::size_t i);
void set_phase(Bodies& bodies, std::size_t i, const Phase& phase);
Head head_of(const Member& member);

/// Systems are assigned to the ranks in turn, because neighbours in a scan often take equally long.
inline int rank_of(std::size_t k, const Communicator& t) { return int(k % std::size_t(t.ranks())); }
inline std::size_t place_of(std::size_t k, const Communicator& t) { return k / std::size_t(t.ranks()); }

template <class T>
using ByRank = std::vector<std::vector<T>>;

/// The part of each rank of the data on rank 0; the others pass nothing.
template <class T>
std::vector<T> from_first(Communicator& t, const ByRank<T>& parts = {}) {
  std::vector<T> all;
  std::vector<std::size_t> begins(std::size_t(t.ranks()) + 1);
  for (std::size_t r = 0; r < parts.size(); ++r) {
    all.insert(all.end(), parts[r].begin(), parts[r].end());
    begins[r + 1] = all.size();
  }
  return ranks::all_to_all<T>(t, all, begins).data;
}
/// State of all systems; only rank 0 receives it.
struct Steps {
  std::vector<Stepped> ranks;
  ranks::Received<MemberStatus> statuses;
  ranks::Received<Clock> clocks;
};
/// Positions and velocities, system after system, and whether a system has low-order parts. On rank 0.
struct Phases {
  ranks::Received<std::uint64_t> kept;
  ranks::Received<Phase> bodies;
};

/// The systems of one rank. Every call is made by all ranks at once.
class OwnMembers {
 public:
  /// `bodies`: of all of them, one after another. `outside`: of every system.
  OwnMembers(Communicator& comm, std::span<const Head> heads, std::span<const Body> bodies,
             const Outside& outside, const EngineOptions& engine);

  EngineDescription describe() const { return members_ ? members_->describe() : EngineDescription{}; }

  /// `statuses`: of all systems by rank, on rank 0.
  Steps step(const Order& order, const ByRank<MemberStatus>& statuses = {});
  Phases show();
  /// `which`: by rank, on rank 0.
  ranks::Received<MemberDiagnostics> diagnose(const ByRank<std::uint64_t>& which = {});

 private:
  void need_like_devices() const;

  Communicator& comm_;
  std::vector<MemberStatus> statuses_;
  std::unique_ptr<Members> members_;
};

}  // namespace pleiad::run::divided
