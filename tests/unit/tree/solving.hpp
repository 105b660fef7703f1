/// Evaluations of trees for tests.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenes.hpp"

#include <pleiad/kernel/tree.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

namespace pleiad::tree_test {

template <class P>
using Sums = std::vector<Vec4<typename P::Sum>>;

/// The sums are poisoned before, so that a body left out is a NaN.
template <class P>
Sums<P> evaluate(ForceSolver<P>& solver, std::span<const Mass<double>> bodies, double eps,
                 bool potential = true) {
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  const auto own = as<typename P::Position>(bodies);
  Sums<P> sums(bodies.size(), {nan, nan, nan, nan});
  solver.evaluate({.targets = own, .sources = own, .sums = sums, .softening = {eps}, .potential = potential});
  return sums;
}
template <class P>
Sums<P> solve(const TreeSettings& settings, std::span<const Mass<double>> bodies, double eps,
              bool potential = true) {
  const auto solver = make_tree_solver<P>(settings);
  return evaluate<P>(*solver, bodies, eps, potential);
}
template <class T>
bool same_bits(const std::vector<Vec4<T>>& a, const std::vector<Vec4<T>>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

template <class P>
constexpr const char* name() {
  return std::is_same_v<P, F32> ? "f32" : std::is_same_v<P, F64> ? "f64" : "mixed";
}
inline constexpr std::array orders{3, 4, 5, 6, 8};

/// Calls test(P{}, settings) for each precision, narrow, and wide where it is a choice.
template <class Test>
void for_all_precisions(TreeSettings s, const Test& test) {
  for (const bool wide : {false, true}) {
    s.wide = wide;
    const testing::ScopedTrace trace(__FILE__, __LINE__, text_of(s));
    test(F32{}, s), test(Mixed{}, s);
    if (!wide) test(F64{}, s);
  }
}
template <class P>
bool is_wide(const TreeSettings& s) {
  return s.wide || std::is_same_v<P, F64>;
}

/// |sum m a| / sum m |a|
template <class T>
double unbalanced(std::span<const Mass<double>> bodies, const std::vector<Vec4<T>>& sums) {
  Vec3<double> sum{};
  double size = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3<double> f{bodies[i].m * double(sums[i].x), bodies[i].m * double(sums[i].y),
                         bodies[i].m * double(sums[i].z)};
    sum += f, size += norm(f);
  }
  return norm(sum) / size;
}

}  // namespace pleiad::tree_test
