/// Defaults of a snapshot file: the units that its readers assume, and a BoxSize that contains all bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "io/files/share.hpp"

#include <pleiad/files.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pleiad {
namespace {

using Columns = std::array<const std::vector<double>*, 3>;
Columns places_of(const Bodies& b) { return {&b.x, &b.y, &b.z}; }

double larger(double a, double b) { return std::max(a, b); }

/// The largest coordinate, in size.
double reach_of(const Bodies& b) {
  return blocked_fold(
      b.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double reach = 0;
        for (const auto* a : places_of(b))
          for (std::size_t i = begin; i < end; ++i) reach = larger(reach, std::abs((*a)[i]));
        return reach;
      },
      larger);
}

/// The largest x, y and z, and the largest of their negatives.
std::array<double, 6> bounds_of(const Bodies& b) {
  std::array<double, 6> bounds;
  bounds.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; const auto* a : places_of(b)) {
    for (const double v : *a) bounds[k] = larger(bounds[k], v), bounds[k + 3] = larger(bounds[k + 3], -v);
    ++k;
  }
  return bounds;
}

std::optional<Units> usual_units(const Format& format, const Units& own,
                                 const std::array<double, 6>& bounds) {
  if (format.readers_units.empty() || !own.physical) return std::nullopt;
  const Units readers = units_named(format.readers_units);
  double extent = 0;
  for (std::size_t k = 0; k < 3; ++k) extent = larger(extent, bounds[k] + bounds[k + 3]);
  constexpr double small = 1e-3;  // such as planets, for which kpc are unsuitable
  if (extent * (own.length_cm / readers.length_cm) < small) return std::nullopt;
  return readers;
}

double box_size(double reach, const Units& from, const std::optional<Units>& to) {
  if (to && *to != from) reach *= from.length_cm / to->length_cm;
  if (!(reach > 0 && reach < 1e300)) return 1;
  const double decade = std::pow(10, std::floor(std::log10(4 * reach)));
  for (const double step : {1, 2, 5})
    if (step * decade >= 4 * reach) return step * decade;
  return 10 * decade;
}

}  // namespace

std::optional<Units> usual_units(const Format& format, const Units& units) {
  if (format.readers_units.empty() || !units.physical) return std::nullopt;
  return units_named(format.readers_units);
}

std::optional<Units> usual_units(const Format& format, const Snapshot& s) {
  return usual_units(format, s.units, bounds_of(s.bodies));
}

std::optional<Units> usual_units(const Format& format, const Snapshot& own, ranks::Communicator& ranks) {
  auto bounds = bounds_of(own.bodies);
  for (double& bound : bounds) bound = ranks::max(ranks, bound);
  return usual_units(format, own.units, bounds);
}

double automatic_box_size(const Snapshot& snapshot, const std::optional<Units>& units) {
  return box_size(reach_of(snapshot.bodies), snapshot.units, units);
}

double automatic_box_size(const Snapshot& own, const std::optional<Units>& units,
                          ranks::Communicator& ranks) {
  return box_size(ranks::max(ranks, reach_of(own.bodies)), own.units, units);
}

}  // namespace pleiad
