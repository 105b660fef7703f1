/// Bodies on their way to the ranks of their keys: the same exchange, whether ranks compute on their host or
/// on a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/cuts.hpp"
#include "ranks/communicator.hpp"
#include "tree/dense_regions.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::domain {

/// A rank's part of the curve.
struct Part {
  int rank = 0;
  Cuts cuts;
  std::vector<std::uint64_t> firsts;  ///< bodies before each rank's along the curve; after the last, all

  std::uint64_t all() const { return firsts.back(); }
  std::uint64_t first() const { return firsts[std::size_t(rank)]; }
  tree::KeyRange own() const { return cuts.of(rank); }
};

/// Offsets of the elements for each rank (sent), and of those from each rank (came); last the number of all.
struct SendLists {
  std::vector<std::size_t> sent, came;
  /// The same lists in bytes, for elements of `bytes` bytes.
  SendLists times(std::size_t bytes) const;
};

/// The bodies of a rank and their keys where they are computed, on the host or a GPU: first those that the
/// rank was given, after `migrate` those of its part.
class Particles {
 public:
  virtual ~Particles() = default;
  /// Number and weight of the bodies that the rank was given. The weight is valid when the keys are known.
  virtual Below given() const = 0;
  /// Finds the units of the tree and the keys. False when a place, the extent or the mass of `all` bodies is
  /// not finite. Collective.
  virtual bool find_keys(std::uint64_t all) = 0;
  virtual std::vector<Below> count_below(std::span<const std::uint64_t> bounds) = 0;
  /// Sends the bodies to the ranks of their keys, and sorts those that come. Bodies come in the order of
  /// their indices, so that a stable sort gives the order of one process. Collective.
  virtual void migrate(const Part& part, const SendLists& lists) = 0;

  // Dense regions (src/tree/dense_regions.hpp) whose surroundings are on several ranks.

  /// Keys a dense region apart, from that of body `begin` on.
  struct Samples {
    std::uint64_t first = 0, last = 0, count = 0;
  };
  virtual Samples sample_keys(std::size_t begin, std::uint32_t dense) = 0;
  /// Raises the levels of own bodies next to dense regions, and returns octants of others that are next to
  /// them. Two consecutive samples may be on two ranks: `before` is the last one before the own ones, and
  /// `behind` the next one after them.
  virtual std::vector<tree::NearDense> mark_near_dense(const Part& part, std::optional<std::uint64_t> before,
                                                       std::optional<std::uint64_t> behind) = 0;
  /// Raises levels as other ranks have found.
  virtual void raise_levels(std::span<const tree::NearDense> octants) = 0;

  /// Makes the cells: those with bodies of other ranks are divided down to those without any.
  virtual void divide(const Part& part) = 0;
};

/// The part outlives an evaluation: its cuts are where those of the next are looked for first.
class DomainExchange {
 public:
  DomainExchange(ranks::Communicator& comm, Particles& particles) : comm_(comm), particles_(particles) {}

  /// Sends the bodies to the ranks of their keys and makes the cells of those that come. Octants of up to
  /// `together` bodies are of one part. False, and nothing is there, when a place, the extent or the mass of
  /// all bodies is not finite. UsageError for more bodies than there are numbers. Collective.
  bool exchange_particles(std::uint32_t leaf_size, std::uint64_t together);

  const Part& part() const { return part_; }
  const SendLists& lists() const { return lists_; }
  /// Bodies that have been sent to other ranks.
  std::uint64_t migrated() const;

 private:
  void find_levels_near_dense(std::uint32_t leaf_size);

  ranks::Communicator& comm_;
  Particles& particles_;
  Part part_;
  SendLists lists_;
};

}  // namespace pleiad::domain
