/// Mergers and removals of bodies, with what the energy of all bodies and their angular momentum lose.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/event.hpp"
#include "encounters/matter.hpp"
#include "encounters/touching.hpp"
#include "potentials/host_field.hpp"

#include <pleiad/gravity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::encounters {

/// Sums over all mergers and removals.
struct Lost {
  double energy = 0;
  Vec3<double> angular_momentum{};
  Lost& operator+=(const Lost& o) {
    energy += o.energy, angular_momentum += o.angular_momentum;
    return *this;
  }
};

/// The bodies at the end of a step, which change one after the other. Energies are direct sums in double
/// precision, O(N) for each change.
class Ledger {
 public:
  /// `matter` is changed, and must outlive this object. `time`, `step`: for the events and for potentials.
  Ledger(Matter& matter, const Gravity& gravity, double time, std::uint64_t step);

  /// The first body of a component absorbs the others, one after the other: mass, momentum and centre of mass
  /// stay, volumes are added. Test particles leave no trace.
  void merge(const Component& component);
  /// Takes a body away; `stays`: that which it has touched.
  void remove(std::uint32_t body, std::optional<std::uint32_t> stays = std::nullopt);

  /// Energy per mass of a body in the field of all others, relative to a motion of the whole.
  double energy_of(std::uint32_t body, Vec3<double> motion) const;
  /// Whether each body is still there, and whether each has been changed by a merger.
  const std::vector<std::uint8_t>& kept() const { return kept_; }
  const std::vector<std::uint8_t>& changed() const { return changed_; }
  bool any_gone() const { return !events_.empty(); }
  /// Whether a body with mass is gone or has another mass.
  bool masses_changed() const { return masses_changed_; }
  const std::vector<Event>& events() const { return events_; }
  const Lost& lost() const { return lost_; }

 private:
  void absorb(std::uint32_t one, std::uint32_t other);
  std::array<double, 3> fields_at(const std::array<Vec3<double>, 3>& places, std::size_t count,
                                  std::array<std::uint32_t, 2> except) const;
  void record(Event event, const Lost& lost);

  Matter& matter_;
  const Gravity& gravity_;
  potentials::HostField field_;
  double time_, eps2_;
  std::uint64_t step_;
  std::vector<std::uint8_t> kept_, changed_;
  bool masses_changed_ = false;
  std::vector<Event> events_;
  Lost lost_;
};

}  // namespace pleiad::encounters
