/// What happens to one or two bodies, and its row in events.csv.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::encounters {

enum class Kind { approach, collision, escape, merger, removal };
inline constexpr std::array<std::string_view, 5> kind_names{"approach", "collision", "escape", "merger",
                                                            "removal"};

/// An event. Numbers are in the units of the run.
struct Event {
  Kind kind{};
  double time = 0;         ///< of the event; of mergers and removals the end of its step
  std::uint64_t step = 0;  ///< in which it is, counted from 1
  std::uint64_t id =
      0;  ///< of two the lower one; the body that stays, in a merger; that which goes, in a removal
  std::optional<std::uint64_t> other{};
  double mass = 0, other_mass = 0;
  /// Between the two; of an escape from the centre of mass of all bodies. Speeds are relative to the same.
  double distance = 0, speed = 0;
  Vec3<double> x{}, v{};  ///< of the centre of mass of the two; of the body that stays, goes or escapes
  std::optional<double>
      energy{};  ///< per mass, of the motion of the two about each other, or of an escaping body
  /// What the energy of all bodies has lost by a merger or a removal.
  std::optional<double> energy_lost{};
  Vec3<double> angular_momentum_lost{};  ///< about the origin
};

/// The order of the rows of a step: by time, kind and ids.
bool operator<(const Event& a, const Event& b);

/// The first line of the table.
inline constexpr std::string_view event_columns =
    "time,step,event,id1,id2,distance,speed,mass1,mass2,x,y,z,vx,vy,vz,energy,energy_lost,lx_lost,ly_lost,"
    "lz_lost";
/// A row, in which every number has all its digits. Cells without a value are empty.
std::string row_of(const Event& event);

/// "a collision of bodies 3 and 7 at t = 1.5".
std::string words_of(const Event& event);

}  // namespace pleiad::encounters
