/// Potentials at a time: what follows from their parameters and the time alone, computed on the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/sum.hpp"

#include <pleiad/potential.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::potentials {

[[noreturn]] void throw_off_track(const Potential& potential, double time);
template <class T>
double value_of(T number) {
  return double(number);
}
inline double value_of(Dual number) { return number.value; }

/// The polynomial of Dehnen (2000) that rises from 0 at s = -1 to 1 at s = 1; constant outside.
template <class T>
T risen(T s) {
  if (s < T(-1)) return T(0);
  if (s > T(1)) return T(1);
  const T s2 = s * s;
  return ((T(3.0 / 16) * s2 - T(5.0 / 8)) * s2 + T(15.0 / 16)) * s + T(0.5);
}

/// Position at a time; UsageError before the first time of the track and after the last.
template <class T>
Vec3<T> on_track(const Potential& p, T time) {
  constexpr std::size_t columns = 7;
  const auto& rows = p.track;
  const std::size_t count = rows.size() / columns;
  if (time < T(rows.front()) || time > T(rows[columns * (count - 1)])) throw_off_track(p, value_of(time));
  std::size_t below = 0, above = count - 1;
  while (above - below > 1) {
    const std::size_t middle = (below + above) / 2;
    if (time < T(rows[columns * middle])) above = middle;
    else below = middle;
  }
  const double *from = &rows[columns * below], *to = from + columns;
  const double h = to[0] - from[0];
  const T s = (time - T(from[0])) / T(h);
  const auto along = [&](int axis) {
    const double x = from[1 + axis], v = h * from[4 + axis], dx = to[1 + axis] - x, w = h * to[4 + axis];
    return T(x) + s * (T(v) + s * (T(3 * dx - 2 * v - w) + s * T(v + w - 2 * dx)));
  };
  return {along(0), along(1), along(2)};
}

/// `time` is a Dual with rate 1 for the time derivatives.
template <class T>
Instant<T> instant_of(const Potential& p, T time) {
  using std::cos;
  using std::exp;
  using std::sin;
  Instant<T> now{.kind = p.kind};
  with_kind(p.kind, [&]<class Kind>(Kind) {
    if constexpr (Prepared<Kind>) Kind::prepare(p.parameters, now.numbers);
    else std::copy_n(p.parameters, Potential::most_parameters, now.numbers);
  });
  now.rows = p.table.data(), now.row_count = static_cast<int>(p.table.size()) / Table::columns;
  now.centre = {T(p.centre.x), T(p.centre.y), T(p.centre.z)};
  if (!p.track.empty()) now.centre = on_track(p, time);
  else if (!(p.velocity == Vec3<double>{}))
    now.centre += Vec3<T>{T(p.velocity.x) * time, T(p.velocity.y) * time, T(p.velocity.z) * time};
  if (p.angle != 0 || p.omega != 0) {
    const T angle = T(p.angle) + T(p.omega) * time;
    now.turned = true, now.cosine = cos(angle), now.sine = sin(angle);
  }
  now.scaled = p.rise_from < p.rise_to || p.e_fold != 0;
  if (p.rise_from < p.rise_to)
    now.strength = risen((time - T(p.rise_from)) * T(2) / (T(p.rise_to) - T(p.rise_from)) - T(1));
  if (p.e_fold != 0) now.strength *= exp(time / T(p.e_fold));
  return now;
}
/// All of them, in their order.
template <class T>
std::vector<Instant<T>> instants_of(std::span<const Potential> potentials, T time) {
  std::vector<Instant<T>> all;
  all.reserve(potentials.size());
  for (const auto& p : potentials) all.push_back(instant_of(p, time));
  return all;
}
inline Vec3<double> velocity_of_centre(const Potential& p, double time) {
  const auto centre = instant_of<Dual>(p, {time, 1}).centre;
  return {centre.x.rate, centre.y.rate, centre.z.rate};
}
/// The field of one potential at a time.
template <class T>
Field<T> field_of(const Potential& potential, double G, Vec3<T> position, T time = T(0)) {
  return field_of(instant_of<T>(potential, time), G, position);
}

}  // namespace pleiad::potentials
