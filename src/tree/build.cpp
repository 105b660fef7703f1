/// Bodies in a tree's units and order, and its cells.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/build.hpp"

#include "core/threads.hpp"
#include "tree/curve.hpp"
#include "tree/dense_regions.hpp"
#include "tree/sort.hpp"
#include "tree/structures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pleiad::tree {
namespace {

/// The power of two at or above x > 0; 1 otherwise.
double power_above(double x) { return x > 0 ? std::ldexp(1.0, std::ilogb(x) + 1) : 1; }

/// The tree's units.
struct Units {
  Vec3<double> centre;
  double per_length, per_mass;
  explicit Units(const Tree& tree)
      : centre(tree.centre), per_length(1 / tree.length), per_mass(1 / tree.mass) {}
  template <class T>
  Mass<double> operator()(const Mass<T>& b) const {
    return {(double(b.x) - centre.x) * per_length, (double(b.y) - centre.y) * per_length,
            (double(b.z) - centre.z) * per_length, double(b.m) * per_mass};
  }
};

}  // namespace

void Extent::add_places(const Extent& e) {
  low = {std::min(low.x, e.low.x), std::min(low.y, e.low.y), std::min(low.z, e.low.z)};
  high = {std::max(high.x, e.high.x), std::max(high.y, e.high.y), std::max(high.z, e.high.z)};
  finite = finite && e.finite;
}

template <class T>
Extent extent_of(std::span<const Mass<T>> bodies) {
  constexpr std::size_t block = mass_block;
  std::vector<Extent> parts((bodies.size() + block - 1) / block);
  for_blocks(
      bodies.size(),
      [&](std::size_t begin, std::size_t end) {
        Extent e;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3<double> p{double(bodies[i].x), double(bodies[i].y), double(bodies[i].z)};
          e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y), std::min(e.low.z, p.z)};
          e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y), std::max(e.high.z, p.z)};
          e.mass += double(bodies[i].m);
          e.finite = e.finite && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
        }
        parts[begin / block] = e;
      },
      block);
  Extent all;
  for (const auto& e : parts) all.add_places(e), all.mass += e.mass;
  return all;
}

bool take_units(Tree& tree, const Extent& e) {
  const auto size = e.high - e.low;
  if (!e.finite || !std::isfinite(size.x) || !std::isfinite(size.y) || !std::isfinite(size.z) ||
      !std::isfinite(e.mass))
    return false;
  tree.centre = 0.5 * (e.low + e.high);
  tree.length = power_above(0.5 * std::max({size.x, size.y, size.z}));
  tree.mass = power_above(e.mass);
  return true;
}

template <class T>
std::vector<std::uint64_t> keys_of(const Tree& tree, std::span<const Mass<T>> bodies) {
  std::vector<std::uint64_t> keys(bodies.size());
  const Units in_tree(tree);
  for_blocks(bodies.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto b = in_tree(bodies[i]);
      keys[i] = key_of(b.x, b.y, b.z);
    }
  });
  return keys;
}

template <class T>
std::vector<std::uint64_t> sort_along_curve(Tree& tree, std::span<const Mass<T>> bodies) {
  tree.order.resize(bodies.size());
  std::iota(tree.order.begin(), tree.order.end(), 0U);
  auto keys = keys_of(tree, bodies);
  sort_by_key(keys, tree.order);
  return keys;
}

template <class T>
void take_bodies(Tree& tree, std::span<const Mass<T>> bodies) {
  for (auto* array : {&tree.x, &tree.y, &tree.z, &tree.m}) array->resize(bodies.size());
  const Units in_tree(tree);
  for_blocks(bodies.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto b = in_tree(bodies[tree.order[i]]);
      tree.x[i] = b.x, tree.y[i] = b.y, tree.z[i] = b.z, tree.m[i] = b.m;
    }
  });
}

template <class T>
bool build(Tree& tree, std::span<const Mass<T>> bodies, std::uint32_t leaf_size, Structure structure) {
  const std::size_t n = bodies.size();
  tree.structure = structure, tree.kept = false;
  tree.cells.clear(), tree.levels.clear(), tree.order.resize(n);
  for (auto* array : {&tree.x, &tree.y, &tree.z, &tree.m}) array->resize(n);
  if (n == 0) return true;
  if (!take_units(tree, extent_of(bodies))) return false;
  auto keys = sort_along_curve(tree, bodies);
  take_bodies(tree, bodies);
  Need need{.leaf_size = leaf_size, .levels = levels_near_dense(keys, leaf_size)};
  switch (structure) {
    case Structure::octree:
      divide_into_octants(tree, keys, std::move(need));
      break;
    case Structure::kd:
      divide_at_medians(tree, std::move(need));
      break;
    case Structure::bvh:
      divide_by_prefixes(tree, keys, std::move(need));
      break;
  }
  tree.levels.push_back(static_cast<std::uint32_t>(tree.cells.size()));
  return true;
}

template <class T>
bool refresh(Tree& tree, std::span<const Mass<T>> bodies) {
  Tree units;
  if (!take_units(units, extent_of(bodies))) return false;
  tree.kept = true;
  take_bodies(tree, bodies);
  return true;
}

template Extent extent_of(std::span<const Mass<float>>);
template Extent extent_of(std::span<const Mass<double>>);
template std::vector<std::uint64_t> keys_of(const Tree&, std::span<const Mass<float>>);
template std::vector<std::uint64_t> keys_of(const Tree&, std::span<const Mass<double>>);
template std::vector<std::uint64_t> sort_along_curve(Tree&, std::span<const Mass<float>>);
template std::vector<std::uint64_t> sort_along_curve(Tree&, std::span<const Mass<double>>);
template void take_bodies(Tree&, std::span<const Mass<float>>);
template void take_bodies(Tree&, std::span<const Mass<double>>);
template bool refresh(Tree&, std::span<const Mass<float>>);
template bool refresh(Tree&, std::span<const Mass<double>>);
template bool build(Tree&, std::span<const Mass<float>>, std::uint32_t, Structure);
template bool build(Tree&, std::span<const Mass<double>>, std::uint32_t, Structure);

}  // namespace pleiad::tree
