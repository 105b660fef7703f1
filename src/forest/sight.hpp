/// What a rank sees of the whole tree: the cells that several ranks share, built by every rank from what all
/// show of their own; and below them what it has asked others for.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forest/cells.hpp"
#include "forest/part.hpp"
#include "ranks/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::forest {

/// All calls are collective but where it says otherwise. A rank without bodies sees nothing.
template <class M>
class Sight {
 public:
  /// `own`: the moments of the part's cells.
  Sight(ranks::Transport& transport, const Part& part, tree::Memory<M>& own)
      : transport_(transport),
        part_(part),
        own_(own),
        parcel_(own),
        served_(std::size_t(transport.ranks())),
        got_(served_.size()) {}

  /// Shows the largest cells that are wholly of one rank to all. The shared cells above then lack moments.
  void look_up();
  /// Gives the part's shared cells, whose moments are of its own bodies only, those of the whole. Not
  /// collective.
  void complete_own();
  /// Fetches the children of these cells; false when no rank asks for any.
  bool fetch(std::span<const std::uint32_t> cells);
  /// Fetches the bodies of these leaves.
  void fetch_bodies(std::span<const std::uint32_t> leaves);
  /// Tells the least accelerations of cells that others know.
  void tell_accelerations();

  Known<M> known;
  std::uint64_t cells_fetched = 0;

 private:
  struct Asked {
    std::vector<std::uint32_t> cells;  ///< known ones, owner by owner
    ranks::Received<std::uint32_t> of_me;
  };
  void find_branches(std::uint32_t c);
  void complete_own(std::uint32_t own, std::uint32_t whole);
  Asked ask(std::span<const std::uint32_t> cells);

  ranks::Transport& transport_;
  const Part& part_;
  tree::Memory<M>& own_;
  Parcel<M> parcel_;
  std::vector<std::uint32_t> branches_;             ///< own cells, along the curve, whose parents are shared
  std::vector<std::uint32_t> known_branches_;       ///< of all ranks, along the curve
  std::uint32_t top_ = 0;                           ///< shared cells and branches come before the others
  std::vector<std::vector<std::uint32_t>> served_;  ///< to each rank: own cells
  std::vector<std::vector<std::uint32_t>> got_;     ///< from each rank: known cells
};

}  // namespace pleiad::forest
