/// The hierarchy of bounding volumes: the binary radix tree of the bodies' keys (T. Karras, "Maximizing
/// parallelism in the construction of BVHs, octrees, and k-d trees", High Performance Graphics 2012), with
/// leaves of several bodies. The box and the sphere of a cell depend on its bodies only.
///
/// A cell is cut where the highest bit changes in which its keys differ, so that gaps between clumps are
/// found at once, whatever their widths: there are no chains of cells with one child. Karras finds all cells
/// at once, in any order; here the same cells are found level by level, since they are to lie breadth first.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "tree/curve.hpp"
#include "tree/division.hpp"
#include "tree/structures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace pleiad::tree {
namespace {

constexpr unsigned key_bits = 3 * Tree::levels_per_key;

class Prefixes {
 public:
  Prefixes(Tree& tree, std::span<const std::uint64_t> keys) : keys_(keys) {
    // Bodies that share a key get finer ones.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
    for (std::uint32_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      while (end < keys.size() && keys[end] == keys[begin]) ++end;
      if (end - begin > 1) runs.emplace_back(begin, end);
    }
    if (runs.empty()) return;
    finer_.resize(keys.size());
    parallel_for(runs.size(), [&](std::size_t k) {
      const auto [begin, end] = runs[k];
      sort_within(tree, keys[begin], begin, std::span(finer_).subspan(begin, end - begin));
    });
  }

  /// Squared side of the smallest box along the curve that contains all: x is halved first, then y, then z.
  double side2(std::uint32_t begin, std::uint32_t end) const {
    return std::ldexp(4.0, -2 * int(common_bits(begin, end) / 3));
  }
  static std::uint32_t body(std::uint32_t k) { return k; }
  bool divisible(std::uint32_t begin, std::uint32_t end) const {
    return common_bits(begin, end) < 2 * key_bits;
  }
  std::uint32_t halve(std::uint32_t begin, std::uint32_t end) const {
    const auto common = common_bits(begin, end);
    const auto& keys = common < key_bits ? keys_ : std::span<const std::uint64_t>(finer_);
    const unsigned bit = key_bits - 1 - common % key_bits;
    return static_cast<std::uint32_t>(
        std::partition_point(keys.begin() + begin, keys.begin() + end,
                             [bit](std::uint64_t key) { return (key >> bit & 1) == 0; }) -
        keys.begin());
  }

 private:
  /// How many bits of the first and the last of them are the same, from the highest on.
  unsigned common_bits(std::uint32_t begin, std::uint32_t end) const {
    constexpr unsigned unused = 64 - key_bits;
    if (const auto differ = keys_[begin] ^ keys_[end - 1]; differ != 0)
      return unsigned(std::countl_zero(differ)) - unused;
    const auto differ = finer_.empty() ? 0 : finer_[begin] ^ finer_[end - 1];
    return key_bits + unsigned(std::countl_zero(differ)) - unused;
  }

  std::span<const std::uint64_t> keys_;
  std::vector<std::uint64_t> finer_;  ///< empty when all keys differ
};

}  // namespace

void divide_by_prefixes(Tree& tree, std::span<const std::uint64_t> keys, Need need) {
  Prefixes prefixes(tree, keys);
  divide_in_halves(tree, prefixes, std::move(need));
}

}  // namespace pleiad::tree
