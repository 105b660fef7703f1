/// A scan: seed and values of each system of an ensemble, computed from the configuration only, so that a
/// resumed run has the same ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pleiad::run {

/// One key of ensemble.vary.
struct Varied {
  std::string key;                  ///< the name of its column: as written, or "seed"
  std::string path;                 ///< "gravity.softening", or "" for a parameter of the model
  std::vector<std::string> values;  ///< of the scan; empty when drawn
  double low = 0, high = 0;         ///< range of drawn values
  bool numbers = true;              ///< the values are numbers
  bool logarithmic = false;         ///< evenly spaced in their logarithm
  bool drawn() const { return values.empty(); }
  bool is_seed() const { return path == "initial_conditions.seed"; }
};

class Scan {
 public:
  /// Makes the scan of the options. UsageError, which names the entry, for invalid entries, and for keys that
  /// systems must share.
  explicit Scan(const Options& options);

  const std::vector<Varied>& varied() const { return varied_; }
  /// Systems in all, and points of the scan among them.
  std::size_t size() const { return points_ * each_; }
  std::size_t points() const { return points_; }
  /// Seed of system k. A varied initial_conditions.seed is the seed of its point, regardless of
  /// ensemble.seeds; of the ensemble.count systems there the first has this seed, the next ones the following
  /// numbers.
  std::uint64_t seed(std::size_t k) const;
  /// The values of system k in the order of varied(), as texts.
  std::vector<std::string> values(std::size_t k) const;
  /// The options of system k alone.
  Options options(std::size_t k) const;

 private:
  std::vector<std::size_t> places(std::size_t k) const;
  void need_room_for_seeds() const;
  const Options base_;
  std::vector<Varied> varied_;
  std::size_t points_ = 1, each_ = 1;
};

}  // namespace pleiad::run
