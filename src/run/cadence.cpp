#include "run/cadence.hpp"

#include "run/comoving.hpp"
#include "run/fitting.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::run {
namespace {

/// Times of a device in seconds: of an evaluation at least, of a body in an evaluation by a tree, of a pair
/// in a direct sum (in double precision twice), and of a row beyond its evaluation, at least and for each
/// body.
struct Speed {
  double least, tree_body, pair, row, row_body;
};
constexpr Speed gpu{.least = 2e-6, .tree_body = 1.2e-9, .pair = 3e-13, .row = 2e-4, .row_body = 1e-10};
constexpr Speed processor{.least = 3e-7, .tree_body = 2.5e-7, .pair = 2e-10, .row = 3e-5, .row_body = 8e-8};
/// Cells and lists, whose kernels wait for one another.
constexpr double least_tree_on_gpu = 8e-4;
/// Time of the evaluation of a row relative to that of a step: potentials are summed too. A tree computes
/// them with the last accelerations before the row, if the step ends with these.
constexpr double diagnostic_of_pairs = 1.3, diagnostic_of_tree = 1.15;

double evaluations_of_row(bool tree, const Integrator& integrator) {
  if (!tree) return diagnostic_of_pairs;
  return ends_with_kick(integrator) ? diagnostic_of_tree - 1 : diagnostic_of_tree;
}

/// Steps between events of this price: `wanted` events, or as many as take `share` of the time of the steps,
/// and in any case as many as take `free` seconds.
std::uint64_t spaced(double steps, double wanted, double price, double step, double share, double free) {
  const double every = std::max(1.0, std::floor(steps / wanted));
  const double budget = std::max(free, share * step * steps);
  const double affordable = std::ceil(steps * price / budget);
  return static_cast<std::uint64_t>(std::clamp(std::max(every, affordable), 1.0, std::max(steps, 1.0)));
}

}  // namespace

Prices prices_of(const EngineDescription& engine, std::size_t n, const Integrator& integrator) {
  const bool on_gpu = engine.gpus > 0, tree = engine.method.tree.has_value();
  const auto& speed = on_gpu ? gpu : processor;
  const double bodies = double(n), twice = engine.precision == name_of(Precision::f64) ? 2 : 1;
  const double evaluation = tree ? std::max(on_gpu ? least_tree_on_gpu : 0, bodies * speed.tree_body)
                                 : std::max(speed.least, twice * bodies * bodies * speed.pair);
  return {.step = evaluation * integrator.evaluations,
          .row = evaluation * evaluations_of_row(tree, integrator) + speed.row + bodies * speed.row_body,
          .frame = 0.04 + bodies * 1e-7};
}

std::uint64_t steps_between_rows(double steps, const Prices& p) {
  return spaced(steps, 200, p.row, p.step, 1.0 / 15, 0.04);
}

std::uint64_t steps_between_frames(double steps, const Prices& p) {
  return spaced(steps, 500, p.frame, p.step, 1.0 / 30, 1);
}

void settle_cadence(Options& o, const Simulation& simulation) {
  settle_cadence(o, simulation, simulation.size());
}

void settle_cadence(Options& o, const Simulation& simulation, std::size_t bodies) {
  const double length = o.time.t_end - simulation.time();
  if (!(length > 0)) return;
  const auto& integrator = *simulation.method().integrator;
  const auto prices = prices_of(simulation.describe(), bodies, integrator);
  // In an adaptive run only the longest step is known.
  const bool longest = o.time.has_budget() && !simulation.method().equal_steps;
  // Equal steps meet each row: a row that is a little longer than its steps would take one more.
  const double in_length = length / o.time.dt,
               whole = simulation.method().equal_steps ? std::ceil(in_length * (1 - 1e-9))
                                                       : std::nearbyint(in_length),
               steps = std::max(longest ? 200.0 : 1.0, whole);
  const auto settle = [&](double& interval, std::uint64_t every) {
    if (interval == 0)
      interval = o.time.meets_times() ? length * double(every) / steps : o.time.dt * double(every);
  };
  auto every_row = steps_between_rows(steps, prices);
  if (o.cosmology.active())
    every_row =
        std::clamp<std::uint64_t>(std::uint64_t(largest_log_row / o.time.dt * (1 + 1e-9)), 1, every_row);
  settle(o.output.diagnostics_interval, every_row);
  if (o.output.movie) settle(o.output.picture_interval, steps_between_frames(steps, prices));
}

void settle_cadence(Options& o, double start, std::span<const double> all_steps) {
  constexpr double rows = 20;
  const double length = o.time.t_end - start;
  auto& row = o.output.diagnostics_interval;
  if (row != 0 || !(length > 0)) return;
  if (o.time.adaptive) {
    row = length / rows;
    return;
  }
  // Where the steps of some systems never meet but at the end, they have rows there alone.
  const double dt = common_multiple(all_steps, length);
  row = dt > 0 ? dt * std::max(1.0, std::floor(std::nearbyint(length / dt) / rows)) : length;
}

}  // namespace pleiad::run
