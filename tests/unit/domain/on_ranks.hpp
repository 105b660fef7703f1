/// Evaluations of one tree on several simulated ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/distributed_tree.hpp"
#include "ranks/simulated.hpp"
#include "unit/tree/solving.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace pleiad::domain_test {

using tree_test::Masses;
using tree_test::Sums;

/// Where the bodies of each rank begin; after the last, how many there are.
using Begins = std::vector<std::size_t>;
inline Begins evenly(std::size_t n, int ranks) {
  Begins begins;
  for (int r = 0; r <= ranks; ++r) begins.push_back(n * std::size_t(r) / std::size_t(ranks));
  return begins;
}

struct Law {
  double eps = 0;
  Boundary boundary{};
  bool potential = true;
};

/// The sums of all bodies, after `evaluations` of them. `works`: of each rank, and the bytes that it held.
template <class P>
Sums<P> on_ranks(const TreeSettings& settings, std::span<const Mass<double>> bodies, const Begins& begins,
                 const Law& law, int evaluations = 1, std::vector<domain::RankWork>* works = nullptr,
                 std::vector<std::size_t>* bytes = nullptr) {
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  const auto all = tree_test::as<typename P::Position>(bodies);
  Sums<P> sums(all.size(), {nan, nan, nan, nan});
  const int ranks = int(begins.size()) - 1;
  if (works) works->resize(std::size_t(ranks));
  if (bytes) bytes->resize(std::size_t(ranks));
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    const auto r = std::size_t(comm.rank());
    const auto size = begins[r + 1] - begins[r];
    const auto tree = domain::make_distributed_tree<P>(comm, settings, works ? &(*works)[r] : nullptr);
    for (int k = 0; k < evaluations; ++k)
      tree->evaluate({.targets = std::span(all).subspan(begins[r], size),
                      .sources = {},
                      .sums = std::span(sums).subspan(begins[r], size),
                      .softening = {law.eps},
                      .boundary = law.boundary,
                      .potential = law.potential});
    if (bytes) (*bytes)[r] = tree->bytes();
  });
  return sums;
}

template <class P>
Sums<P> on_one_process(const TreeSettings& settings, std::span<const Mass<double>> bodies, const Law& law) {
  const auto own = tree_test::as<typename P::Position>(bodies);
  Sums<P> sums(own.size());
  make_tree_solver<P>(settings)->evaluate({.targets = own,
                                           .sources = own,
                                           .sums = sums,
                                           .softening = {law.eps},
                                           .boundary = law.boundary,
                                           .potential = law.potential});
  return sums;
}

template <class P>
void expect_same_bits(const TreeSettings& settings, std::span<const Mass<double>> bodies, const Law& law,
                      std::initializer_list<int> ranks = {1, 2, 3, 4, 7}) {
  const auto expected = on_one_process<P>(settings, bodies, law);
  for (const int r : ranks) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, text_of(settings) + ", ranks: " + std::to_string(r));
    const auto sums = on_ranks<P>(settings, bodies, evenly(bodies.size(), r), law);
    EXPECT_TRUE(tree_test::same_bits(sums, expected));
  }
}

}  // namespace pleiad::domain_test
