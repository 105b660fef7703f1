/// What an added force refers to: a source, an external potential, pairs of bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace pleiad::added {

/// Whether one of the bodies is its source.
bool has_source(const AddedForce& force);
/// Whether forces of this kind, or some of them, have one.
bool may_have_source(const AddedForceKind& kind);
/// Whether it acts between the bodies of pairs in regularised groups, and nowhere else.
bool is_between_pairs(const AddedForce& force);
/// The place of the external potential in Gravity::potentials; empty for a force that refers to none.
std::optional<std::size_t> medium_of(const AddedForce& force);
/// Why some force refers to a potential that is not there, in one sentence; empty if none does.
std::optional<std::string> missing_medium(const Gravity& gravity);

}  // namespace pleiad::added
