/// Events of two bodies; events as rows of events.csv and as words.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/path.hpp"

#include <pleiad/encounters.hpp>
#include <pleiad/gravity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pleiad::encounters {

using Kind = EncounterKind;
using Event = Encounter;
inline constexpr auto& kind_names = encounter_kind_names;

/// An event of two bodies, one at `one`, the other away from it by `apart`: their masses, distance and speed,
/// their centre of mass and their energy about each other. Time, step and ids are not set.
Event of_two(Kind kind, const Place& one, const Place& apart, double mass, double other_mass,
             const Gravity& gravity);

/// The order of the rows of a step: by time, kind and ids.
bool before(const Event& a, const Event& b);

/// The first line of the table.
inline constexpr std::string_view event_columns =
    "time,step,event,id1,id2,distance,speed,mass1,mass2,x,y,z,vx,vy,vz,energy,energy_lost,lx_lost,ly_lost,"
    "lz_lost";
/// A row, in which every number has all its digits. Cells without a value are empty.
std::string row_of(const Event& event);

/// "a collision of bodies 3 and 7 at t = 1.5".
std::string words_of(const Event& event);

}  // namespace pleiad::encounters
