/// See project.hpp; and the choice of a view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/project.hpp"

#include "core/threads.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

double component(const Vec3<double>& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
double& component(Vec3<double>& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// A value and its weight.
using Weighted = std::pair<double, double>;

/// The value below which `fraction` of the weight lies, of values in ascending order.
double weighted_quantile(const std::vector<Weighted>& values, double fraction) {
  double total = 0, sum = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values)
    if ((sum += weight) >= fraction * total) return value;
  return values.empty() ? 0 : values.back().first;
}

bool luminous(Type type) { return type != Type::halo && type != Type::boundary; }

/// Whether body i is among some hundred thousand of n, which show where all of them are. By a hash of the
/// number: bodies of one kind may follow each other in steps.
bool one_of_many(std::uint64_t i, std::size_t n) {
  constexpr std::size_t enough = std::size_t{1} << 18;
  if (n <= enough) return true;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9U;
  i = (i ^ i >> 27) * 0x94d049bb133111ebU;
  return (i ^ i >> 31) % (n / enough + 1) == 0;
}

/// A body that a view may show.
struct Seen {
  Vec3<double> position;
  double mass = 0;
  Type type = Type::halo;
};

/// The bodies that can be drawn; of very many bodies a part. `first`: the number of the first of them among
/// `all`.
std::vector<Seen> seen_of(const Bodies& bodies, std::size_t first, std::size_t all) {
  return joined_blocks<Seen>(bodies.size(), [&](std::size_t begin, std::size_t end, std::vector<Seen>& seen) {
    for (std::size_t i = begin; i < end; ++i)
      if (one_of_many(first + i, all) && render_detail::drawable(bodies, i))
        seen.push_back({bodies.position(i), bodies.mass[i], bodies.type[i]});
  });
}

/// The bodies that a view should hold: the luminous ones where there are any.
std::vector<Seen> worth_seeing(std::vector<Seen> seen) {
  const auto shines = [](const Seen& s) { return luminous(s.type); };
  if (seen.size() > render_detail::few_bodies && std::ranges::any_of(seen, shines))
    std::erase_if(seen, [&](const Seen& s) { return !shines(s); });
  return seen;
}

/// Centred on the centre of mass, wide enough for all bodies wherever they turn about it.
void hold_all(const std::vector<Seen>& chosen, View& view) {
  double total = 0;
  for (const Seen& s : chosen) total += s.mass;
  for (const Seen& s : chosen)
    view.centre += s.position * (total > 0 ? s.mass / total : 1.0 / double(chosen.size()));
  for (const Seen& s : chosen)
    view.half_width = std::max(view.half_width, 1.2 * norm(s.position - view.centre));
}

/// Centre on the medians by mass, then the square that holds 98 % of the mass.
void hold_most(const std::vector<Seen>& chosen, View& view) {
  double total = 0;
  for (const Seen& s : chosen) total += s.mass;
  const auto sorted = [&](const auto& value) {
    std::vector<Weighted> values;
    values.reserve(chosen.size());
    for (const Seen& s : chosen) values.emplace_back(value(s.position), total > 0 ? s.mass : 1.0);
    std::ranges::sort(values);
    return values;
  };
  parallel_for(3, [&](std::size_t axis) {
    const auto values = sorted([&](const Vec3<double>& x) { return component(x, int(axis)); });
    // The middle of the middle 60 %: like the median for one object, and between the two of an encounter.
    component(view.centre, int(axis)) =
        0.5 * (weighted_quantile(values, 0.2) + weighted_quantile(values, 0.8));
  });
  const auto values = sorted([&](const Vec3<double>& x) {
    const Vec3<double> d = x - view.centre;
    return std::max(std::abs(component(d, view.axes[0])), std::abs(component(d, view.axes[1])));
  });
  // Discs develop tails; clusters and halos keep their size.
  view.half_width = (luminous(chosen[0].type) ? 1.35 : 1.1) * weighted_quantile(values, 0.98);
}

/// All of a periodic box.
View view_of_box(const Boundary& boundary, const std::array<int, 2>& axes, int size) {
  return {
      .axes = axes,
      .centre = boundary.length * 0.5,
      .half_width = 0.5 * std::max(component(boundary.length, axes[0]), component(boundary.length, axes[1])),
      .size = size};
}

View view_of(std::vector<Seen> seen, const std::array<int, 2>& axes, int size) {
  View view{.axes = axes, .size = size};
  const auto chosen = worth_seeing(std::move(seen));
  if (!chosen.empty()) {
    if (chosen.size() <= render_detail::few_bodies) hold_all(chosen, view);
    else hold_most(chosen, view);
  }
  // Bodies on one spot leave the scale open; so does a spread that is only the rounding of their coordinates.
  const double far = std::max({std::abs(view.centre.x), std::abs(view.centre.y), std::abs(view.centre.z)});
  if (!(view.half_width > 1e-12 * far)) view.half_width = far > 0 ? 0.1 * far : 1;
  return view;
}

using MassOfTypes = std::array<double, splat::types>;

/// The mass of the lightest body of each type that has some; 1 where none has.
MassOfTypes lightest(const Bodies& b, ranks::Communicator& ranks) {
  constexpr double no_mass = std::numeric_limits<double>::infinity();
  MassOfTypes none;
  none.fill(no_mass);
  const auto of_block = [&](std::size_t begin, std::size_t end) {
    auto least = none;
    for (std::size_t i = begin; i < end; ++i)
      if (auto& m = least[std::size_t(b.type[i])]; b.mass[i] > 0) m = std::min(m, b.mass[i]);
    return least;
  };
  auto least = blocked_fold(b.size(), none, of_block, [](MassOfTypes one, const MassOfTypes& other) {
    for (std::size_t type = 0; type < one.size(); ++type) one[type] = std::min(one[type], other[type]);
    return one;
  });
  for (auto& m : least) m = -m;
  ranks.max(least);
  for (auto& m : least) m = -m;
  std::ranges::replace(least, no_mass, 1.0);
  return least;
}

}  // namespace

View fit_view(const Snapshot& snapshot, std::array<int, 2> axes, int size) {
  if (snapshot.boundary.periodic) return view_of_box(snapshot.boundary, axes, size);
  return view_of(seen_of(snapshot.bodies, 0, snapshot.bodies.size()), axes, size);
}

View fit_view(const Snapshot& own, std::array<int, 2> axes, int size, ranks::Communicator& ranks) {
  if (own.boundary.periodic) return view_of_box(own.boundary, axes, size);
  const auto counts = all_gather(ranks, std::uint64_t{own.bodies.size()});
  const auto first = std::accumulate(counts.begin(), counts.begin() + ranks.rank(), std::size_t{0}),
             all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const auto seen = seen_of(own.bodies, first, all);
  return view_of(all_gather<Seen>(ranks, seen).data, axes, size);
}

void follow(View& view, Vec3<double> middle) {
  const auto off = middle - view.centre;
  const double distance = norm(off), free = 0.05 * view.half_width;
  if (distance > free && std::isfinite(distance)) view.centre += off * (1 - free / distance);
}

namespace render_detail {

splat::Projection projection_of(const View& view, const Boundary& boundary) {
  return {.across = view.axes[0],
          .up = view.axes[1],
          .centre = view.centre,
          .half_width = view.half_width,
          .size = view.size,
          .boundary = boundary};
}

Spot place_of(Vec3<double> position, const View& view) {
  return projection_of(view, {}).place_of(component(position, view.axes[0]),
                                          component(position, view.axes[1]));
}

bool drawable(const Bodies& bodies, std::size_t i) {
  return std::isfinite(bodies.x[i]) && std::isfinite(bodies.y[i]) && std::isfinite(bodies.z[i]) &&
         std::isfinite(bodies.mass[i]);
}

std::array<std::vector<Spot>, splat::types> project(const Snapshot& snapshot, const View& view,
                                                    ranks::Communicator& ranks) {
  const Bodies& bodies = snapshot.bodies;
  const auto least = lightest(bodies, ranks);
  const auto projection = projection_of(view, snapshot.boundary);
  std::array<std::vector<Spot>, splat::types> spots;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto type = std::size_t(bodies.type[i]);
    projection.each_image(bodies.position(i), bodies.mass[i] > 0 ? bodies.mass[i] : least[type],
                          [&](const Spot& s) { spots[type].push_back(s); });
  }
  return spots;
}

}  // namespace render_detail
}  // namespace pleiad
