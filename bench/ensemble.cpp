/// Many small systems at once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/ensemble.hpp"

#include "bench/columns.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"
#include "bench/state_hash.hpp"
#include "bench/stop.hpp"
#include "bench/timing.hpp"
#include "reference/reference.hpp"

#include <pleiad/ensemble.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::uint64_t hashed_steps = 16;
constexpr double ensemble_dt = 1e-4, sample_seconds = 5e-3, far_away = 1e6;

std::vector<Snapshot> spheres(std::size_t systems, std::size_t n) {
  const std::string settings[] = {fmt::format("n={}", n)};
  std::vector<Snapshot> all;
  for (std::size_t k = 0; k < systems; ++k) all.push_back(make_model("plummer", settings, k + 1));
  return all;
}

Ensemble ensemble_of(const std::vector<Snapshot>& systems, const Method& method,
                     const EngineOptions& engine) {
  std::vector<Member> members;
  for (const auto& system : systems) members.push_back(member_of(system, problem_gravity, method));
  return {std::move(members), engine};
}

/// One semi-implicit Euler step of length 1 from rest leaves the accelerations in the velocities, unrounded:
/// relative errors of the bodies of some systems, against the oracle for the positions as the precision
/// stores them.
ForceError error_of(std::vector<Snapshot> systems, const EngineOptions& engine) {
  for (auto& s : systems)
    for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz}) std::fill(v->begin(), v->end(), 0.0);
  auto ensemble = ensemble_of(systems, {.integrator = &integrator_named("euler"), .dt = 1}, engine);
  ensemble.run_until(1);
  std::vector<double> relative;
  for (const auto k : {std::size_t{0}, systems.size() / 2, systems.size() - 1}) {
    const auto& b = systems[k].bodies;
    std::vector<Mass<double>> at;
    for (std::size_t i = 0; i < b.size(); ++i)
      at.push_back(engine.precision == Precision::f32
                       ? Mass<double>{float(b.x[i]), float(b.y[i]), float(b.z[i]), float(b.mass[i])}
                       : Mass<double>{b.x[i], b.y[i], b.z[i], b.mass[i]});
    const auto exact = reference::pulls(at, at, problem_gravity.softening, {});
    const auto after = ensemble.snapshot(k).bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Vec3<long double> off{after.vx[i] - exact[i].x, after.vy[i] - exact[i].y,
                                  after.vz[i] - exact[i].z};
      relative.push_back(double(norm(off) / norm(exact[i].xyz())));
    }
  }
  std::sort(relative.begin(), relative.end());
  ForceError error{.p99 = relative[std::size_t(std::ceil(0.99 * double(relative.size()))) - 1],
                   .max = relative.back(),
                   .sample = relative.size()};
  for (const double e : relative) error.rms += e * e / double(relative.size());
  error.rms = std::sqrt(error.rms);
  // Some hundred operations on numbers of one size: anything beyond is a body left out or a wrong one.
  const double u = engine.precision == Precision::f64 ? 0x1p-53 : 0x1p-24;
  if (!(error.rms <= 256 * u))
    throw NumericalError(
        fmt::format("no figure for the ensemble in {}: its force errors (rms {:.3g}) are not explained "
                    "by rounding",
                    name_of(engine.precision), error.rms));
  return error;
}

struct EnsembleRow {
  EngineDescription what;
  Timing round;  ///< one step of every system
  ForceError error;
  std::string hash;
  double limit = 0;
};

EnsembleRow measure_row(const std::vector<Snapshot>& systems, const EngineOptions& engine, double budget) {
  auto ensemble = ensemble_of(systems, {.integrator = &integrator_named("kdk"), .dt = ensemble_dt}, engine);
  ensemble.run_towards(far_away, hashed_steps);
  EnsembleRow row{.what = ensemble.describe(), .round = {}, .error = error_of(systems, engine), .hash = {}};
  row.hash = hash_of([&](auto add) {
    for (std::size_t k = 0; k < systems.size(); ++k) add(ensemble.snapshot(k).bodies);
  });
  const double once =
      seconds_of([&] { ensemble.run_towards(far_away, hashed_steps); }) / double(hashed_steps);
  const auto batch = std::uint64_t(std::clamp(std::ceil(sample_seconds / once), 1.0, 20000.0));
  row.round = repeat(
      [&] {
        const double before = ensemble.interactions();
        const double seconds = seconds_of([&] { ensemble.run_towards(far_away, batch); });
        const double n = double(systems[0].bodies.size()),
                     wanted = double(batch) * double(systems.size()) * n * n;
        if (ensemble.interactions() - before != wanted)
          throw NumericalError(fmt::format("no figure: {} rounds took {} interactions, not {}", batch,
                                           ensemble.interactions() - before, wanted));
        return seconds;
      },
      {.budget_seconds = budget, .quiet = 0.005, .least_samples = 3, .sample_seconds = 0});
  for (double* t : {&row.round.median, &row.round.low_quartile, &row.round.high_quartile})
    *t /= double(batch);
  const double n = double(systems[0].bodies.size());
  row.limit = possible_limit(case_of(row.what, engine.precision), systems[0].bodies.size(),
                             double(systems.size()) * n * n / row.round.median);
  return row;
}

Table empty_table() {
  Table table;
  for (const auto* key : {"kernel", "device", "precision"}) table.columns.push_back(column(key));
  table.columns.push_back({"systems", "systems"});
  for (const auto* key : {"n", "gpus", "threads", "shape", "ms", "spread", "interactions_per_second",
                          "steps_per_second", "fraction_of_limit", "error_rms", "error_p99", "error_max"})
    table.columns.push_back(column(key));
  table.columns.push_back({"state_hash", "state"});
  for (const auto* key : {"samples", "limit_interactions_per_second", "commit"})
    table.columns.push_back(column(key));
  return table;
}

}  // namespace

Report measure_ensemble(const EnsembleBench& options, const Progress& progress) {
  if (options.systems < 1) throw UsageError("--systems must be at least 1");
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {64};
  auto precisions = options.precisions;
  if (precisions.empty()) precisions = {Precision::f32, Precision::mixed, Precision::f64};
  Report report;
  report.table = empty_table();
  until_stopped(report, [&] {
    for (const auto n : sizes) {
      if (n < 2)
        throw UsageError(fmt::format("N = {} must be at least 2: a body alone has no error to measure", n));
      progress(fmt::format("{} systems of {} bodies", options.systems, n));
      const auto systems = spheres(options.systems, n);
      for (const auto precision : precisions) {
        progress(fmt::format("{} systems of {} bodies {}", options.systems, n, name_of(precision)));
        try {
          const auto row = measure_row(
              systems,
              {.precision = precision, .backend = options.backend, .method = force_method_of(options.kernel)},
              options.budget_seconds);
          const auto what = case_of(row.what, precision);
          const auto place = place_of(what.device());
          const double rounds = 1 / row.round.median,
                       rate = double(options.systems) * double(n) * double(n) * rounds;
          if (report.heading.empty()) report.heading = {heading_of(place)};
          report.table.rows.push_back({std::string(what.name()),
                                       place.device(),
                                       std::string(name_of(precision)),
                                       std::int64_t(options.systems),
                                       std::int64_t(n),
                                       std::int64_t{place.gpu ? 1 : 0},
                                       place.gpu ? Cell() : Cell(std::int64_t{row.what.threads}),
                                       name_of(what.shape),
                                       1e3 * row.round.median,
                                       row.round.spread(),
                                       rate,
                                       double(options.systems) * rounds,
                                       rate / row.limit,
                                       row.error.rms,
                                       row.error.p99,
                                       row.error.max,
                                       row.hash,
                                       std::int64_t(row.round.samples),
                                       row.limit,
                                       place.machine.commit});
        } catch (const NumericalError& error) {
          report.refused.emplace_back(error.what());
        }
      }
    }
  });
  report.heading.push_back(
      "leapfrog steps of independent Plummer spheres; ms: one step of every system; steps/s: sum over all");
  return report;
}

}  // namespace pleiad::bench
