/// Ewald summation over the bodies of all ranks: as cpu/ewald, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/source_blocks.hpp"
#include "ranks/collective.hpp"

#include <pleiad/kernel/direct.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// The pulls of all sources on some of the targets of p: the groups of ewald_rows from `begins` on. `own`:
/// this rank's sources; p.sources is not looked at; p.self: the place of target 0 among all sources, or none.
/// Collective; other ranks may have other targets. Every rank sums the waves of its own sources, and receives
/// those of all.
template <class P>
void collective_ewald(const ranks::Collective& all, SourceBlocks<Mass<typename P::Position>>& blocks,
                      const PairProblem<P>& p, std::span<const Mass<typename P::Position>> own,
                      std::span<const std::size_t> begins);

}  // namespace pleiad
