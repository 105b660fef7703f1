/// What every communicator has to carry, for any number of ranks: each function is called by every rank and
/// throws std::logic_error where something else has arrived.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace pleiad::ranks {

inline void need(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// Rank a sends rank b `(a + 2 b) % 4 * scale` numbers, nothing to some.
inline void exchange_unequal_parts(Communicator& t, std::size_t scale) {
  const auto count = [&](int a, int b) { return std::size_t(a + 2 * b) % 4 * scale; };
  const auto number = [](int a, int b, std::size_t k) {
    return std::uint32_t(1000 * a + 100 * b) + std::uint32_t(k);
  };
  std::vector<std::uint32_t> mine;
  std::vector<std::size_t> begins{0};
  for (int b = 0; b < t.ranks(); ++b) {
    for (std::size_t k = 0; k < count(t.rank(), b); ++k) mine.push_back(number(t.rank(), b, k));
    begins.push_back(mine.size());
  }
  const auto got = all_to_all<std::uint32_t>(t, mine, begins);
  need(got.begins.size() == std::size_t(t.ranks()) + 1 && got.begins.back() == got.data.size(), "begins");
  for (int a = 0; a < t.ranks(); ++a) {
    const auto part = got.of(a);
    need(part.size() == count(a, t.rank()), "number of elements");
    for (std::size_t k = 0; k < part.size(); ++k) need(part[k] == number(a, t.rank(), k), "element");
  }
}

/// Rank a gives a * scale numbers.
inline void gather_unequal_parts(Communicator& t, std::size_t scale) {
  const std::vector<double> mine(std::size_t(t.rank()) * scale, t.rank() + 0.5);
  const auto got = all_gather<double>(t, mine);
  for (int a = 0; a < t.ranks(); ++a) {
    need(got.of(a).size() == std::size_t(a) * scale, "number of elements gathered");
    need(std::ranges::all_of(got.of(a), [&](double x) { return x == a + 0.5; }), "element gathered");
  }
  need(all_gather(t, t.rank()).size() == std::size_t(t.ranks()), "one value each");
}

/// The next block travels while the present one is in use.
inline void broadcast_in_turn(Communicator& t, std::size_t size) {
  std::array<std::vector<int>, 2> blocks{std::vector<int>(size), std::vector<int>(size)};
  const auto begin = [&](int root) {
    auto& block = blocks[std::size_t(root % 2)];
    if (root == t.rank()) std::ranges::fill(block, 7 + root);
    return begin_broadcast<int>(t, block, root);
  };
  auto wait = begin(0);
  for (int root = 0; root < t.ranks(); ++root) {
    wait();
    if (root + 1 < t.ranks()) wait = begin(root + 1);
    const auto& block = blocks[std::size_t(root % 2)];
    need(std::ranges::all_of(block, [&](int x) { return x == 7 + root; }), "element broadcast");
  }
}

inline void reduce(Communicator& t) {
  std::vector<std::uint64_t> counts{1, std::uint64_t(t.rank()), std::uint64_t{1} << 40};
  t.sum(counts);
  const auto n = std::uint64_t(t.ranks());
  need(counts == std::vector<std::uint64_t>{n, n * (n - 1) / 2, n << 40}, "sums");
  std::vector<double> most{-double(t.rank()) - 1, double(t.rank())};
  t.max(most);
  need(most == std::vector<double>{-1, double(n - 1)}, "maxima");
  need(all(t, true) && !all(t, t.rank() != t.ranks() - 1), "whether all agree");
}

/// `scale`: of the messages.
inline void converse(Communicator& t, std::size_t scale) {
  for (const std::size_t s : {std::size_t{0}, std::size_t{1}, scale}) {
    exchange_unequal_parts(t, s);
    gather_unequal_parts(t, s);
    broadcast_in_turn(t, s);
    t.barrier();
    reduce(t);
  }
}

}  // namespace pleiad::ranks
