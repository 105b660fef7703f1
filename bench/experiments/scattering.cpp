/// Scatterings of a star by a binary, by regularised groups: cross sections of exchange and ionisation at
/// several velocities, beside the limits of high velocities.
///
/// Three equal masses, a circular binary with a = 1. Velocities at infinity are in units of the critical one,
/// v_c^2 = 3 G m / (2 a), above which the total energy is positive (Hut & Bahcall 1983, ApJ 268, 319). Impact
/// parameters are uniform in area up to 4 a v_c / v + 1.2 a, directions and phases isotropic. A cross section
/// is the share of an outcome times the area; its error is that of a binomial share.
///
/// Limits of high velocities. The star passes one of the two close by and changes its velocity by d: the
/// cross section of more than d is 4 pi (G m / (v d))^2, and d ionises if d^2 + 2 u.d > 2 G m / a for the
/// orbital velocity u. Averaged over directions and the orbit this is (40 / 9) pi a^2 (v_c / v)^2. An
/// exchange needs a head-on passage after which the star stays with less than the escape velocity, (640 / 81)
/// pi a^2 (v_c / v)^6 (Hut 1983, ApJ 268, 342). Corrections are of the order v_c / v.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "core/larger.hpp"
#include "core/threads.hpp"
#include "regular/group.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::uint64_t scattering_seed = 1;
constexpr double critical = 1.2247448713915890;  ///< velocity: the root of 3 / 2
constexpr double scattering_start = 30;          ///< distance at which the star begins
constexpr double scattering_end = 60;            ///< distance at which an outcome counts
constexpr double scattering_time = 1e5;          ///< after which it is open

enum Outcome : std::uint8_t { flyby, exchange, ionisation, unresolved };

struct Scattered {
  Outcome outcome = unresolved;
  double energy_error = 0;
  std::uint64_t evaluations = 0;
};

using regular::DoubleVec;
using regular::Group;

Vec3<double> value(const DoubleVec& a) { return {a.x.value(), a.y.value(), a.z.value()}; }

double energy_of(const std::vector<Group::Body>& bodies) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto v = value(bodies[i].v);
    sum += dot(v, v) / 2;
    for (std::size_t j = 0; j < i; ++j) sum -= 1 / norm(value(bodies[i].x - bodies[j].x));
  }
  return sum;
}

/// The velocity at infinity, in units of the critical one, and the impact parameter give the orbit of the
/// star about the binary's centre, on which it begins at a distance.
std::vector<Group::Body> incoming(double velocity, double most, std::uint64_t number) {
  Random random(scattering_seed, number, purpose_of("bench/scattering"));
  const double v = velocity * critical, impact = most * std::sqrt(random.uniform());
  const double phase = 2 * std::numbers::pi * random.uniform(),
               turn = 2 * std::numbers::pi * random.uniform();
  const auto normal = random.direction();
  // The orbit about the binary's centre, of which the mass is 3 with the star's, has the energy v^2 / 2 and
  // the angular momentum b v.
  const double mass = 3;
  const double radial =
      std::sqrt(std::max(0.0, v * v + 2 * mass / scattering_start -
                                  impact * impact * v * v / (scattering_start * scattering_start)));
  const double across = impact * v / scattering_start;
  // Directions are isotropic in the binary's frame, so the star may come along the x axis at this distance.
  const Vec3<double> side{0, std::cos(turn), std::sin(turn)};
  const Vec3<double> x{scattering_start, 0, 0}, w = Vec3<double>{-radial, 0, 0} + across * side;
  // The binary's plane: two vectors across its normal.
  const auto helper = std::abs(normal.x) < 0.5 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  auto first = cross(normal, helper);
  first *= 1 / norm(first);
  const auto second = cross(normal, first);
  const auto r = std::cos(phase) * first + std::sin(phase) * second;
  const auto u = std::sqrt(2.0) * (std::cos(phase) * second - std::sin(phase) * first);
  const auto body = [](const Vec3<double>& position, const Vec3<double>& speed) {
    return Group::Body{1, {{position.x}, {position.y}, {position.z}}, {{speed.x}, {speed.y}, {speed.z}}};
  };
  return {body(-1.0 / 3 * x - 0.5 * r, -1.0 / 3 * w - 0.5 * u),
          body(-1.0 / 3 * x + 0.5 * r, -1.0 / 3 * w + 0.5 * u), body(2.0 / 3 * x, 2.0 / 3 * w)};
}

Outcome outcome_of(const std::vector<Group::Body>& b) {
  bool apart = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const auto d = value(b[i].x - b[j].x), w = value(b[i].v - b[j].v);
    const double pair = dot(w, w) / 4 - 1 / norm(d);
    apart = apart && pair > 0 && norm(d) > scattering_end && dot(d, w) > 0;
    if (pair >= 0) continue;
    const auto r = value(b[k].x) - 0.5 * (value(b[i].x) + value(b[j].x)),
               v = value(b[k].v) - 0.5 * (value(b[i].v) + value(b[j].v));
    // The largest distance of the pair is at most 1 / |pair|.
    const double far = std::max(scattering_end, -3 / pair);
    if (norm(r) > far && dot(r, v) > 0 && dot(v, v) / 2 - 3 / norm(r) > 0) return k == 2 ? flyby : exchange;
  }
  return apart ? ionisation : unresolved;
}

Scattered scatter(double velocity, double most, std::uint64_t number) {
  Group group(incoming(velocity, most, number), {.tolerance = 1e-13});
  const double before = energy_of(group.bodies()),
               step = scattering_start / (2 * critical * std::max(velocity, 1.0));
  Scattered s;
  while (s.outcome == unresolved && group.time() < scattering_time) {
    group.advance(step);
    s.outcome = outcome_of(group.bodies());
  }
  s.energy_error = std::abs(energy_of(group.bodies()) - before);
  s.evaluations = group.evaluations();
  return s;
}

Table columns() {
  return {.columns = {{"velocity", "v / v_c", "{:.3g}"},
                      {"n", "scatterings"},
                      {"impact", "largest b / a", "{:.3g}"},
                      {"outcome", "outcome"},
                      {"count", "count"},
                      {"cross_section", "cross section / (pi a^2)", "{:.4g}"},
                      {"error", "+-", "{:.2g}"},
                      {"limit", "limit of high v", "{:.4g}"},
                      {"energy_error", "|E - E0| at worst", "{:.2e}"},
                      {"evaluations", "evaluations each", "{:.4g}"},
                      {"seconds", "seconds", "{:.3g}"},
                      {"seed", ""},
                      column("threads"),
                      column("device"),
                      column("commit")},
          .rows = {}};
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.kernel)
    throw UsageError("the experiment scattering has no kernel: its groups compute all pulls");
  set_threads(options.threads);
  const auto place = place_of(Device::cpu);
  const std::size_t n = options.sizes.empty() ? (options.quick ? 1000 : 10'000) : options.sizes.front();
  const std::vector<double> velocities =
      options.quick ? std::vector{2.0, 8.0} : std::vector{0.5, 2.0, 4.0, 8.0};
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  until_stopped(report, [&] {
    for (const double velocity : velocities) {
      progress(fmt::format("{} scatterings at {:g} times the critical velocity", n, velocity));
      const double most = 4 / velocity + 1.2;
      std::vector<Scattered> all(n);
      const auto from = std::chrono::steady_clock::now();
      for_each_index(
          n, [&](std::size_t k) { all[k] = scatter(velocity, most, k); }, 16);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
      double worst = 0, evaluations = 0;
      std::array<std::size_t, 4> counts{};
      for (const auto& s : all)
        ++counts.at(s.outcome), take_larger(worst, s.energy_error), evaluations += double(s.evaluations);
      const auto add = [&](std::string name, Outcome outcome, Cell limit) {
        const double share = double(counts.at(outcome)) / double(n), area = most * most;
        report.table.rows.push_back({velocity, std::int64_t(n), most, std::move(name),
                                     std::int64_t(counts.at(outcome)), share * area,
                                     area * std::sqrt(share * (1 - share) / double(n)), std::move(limit),
                                     worst, evaluations / double(n), seconds, std::int64_t(scattering_seed),
                                     std::int64_t{threads()}, place.device(), place.machine.commit});
      };
      const auto limit = [&](double factor, double power) {
        return velocity > 1 ? Cell(factor / std::pow(velocity, power)) : Cell();
      };
      add("ionisation", ionisation, limit(40.0 / 9, 2));
      add("exchange", exchange, limit(640.0 / 81, 6));
      add("open", unresolved, {});
    }
  });
  return report;
}

}  // namespace

extern constinit const Experiment scattering;
constinit const Experiment scattering{
    .name = "scattering",
    .idea = "cross sections of exchange and ionisation of a binary by a star, three equal masses",
    .published =
        "at high velocities (40/9) (v_c/v)^2 for ionisation and (640/81) (v_c/v)^6 for exchange, in pi a^2 "
        "(Hut "
        "1983, ApJ 268, 342); below v_c nothing is ionised",
    .run = run,
    .columns = columns,
    .read_on = "docs/clusters.md"};

}  // namespace pleiad::bench
