/// The crossover: direct sums, the best of each tree that a wide scan finds, and what the planner chooses,
/// from a thousand bodies to ten million.
///
/// The scan knows nothing of the planner's search: for every order, criterion, leaf and group it walks along
/// a grid of accuracy parameters to the loosest at which 99 % of the bodies have at most the asked error. At
/// last the fastest of each solver and the planner's choice are measured again in turns, so that what
/// disturbs one disturbs the others. The planner leaves a tenth of the accuracy for other samples; the scan
/// uses all of it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "core/threads.hpp"
#include "tree/settings.hpp"
#include "tune/planner.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// What is walked along at most in the scan.
struct Grid {
  std::vector<int> fmm_orders{4, 5, 6, 8}, walk_orders{1, 2, 3, 4, 5};
  std::vector<int> fmm_leaves{32, 48, 64, 96, 128}, walk_leaves{16, 32, 64}, groups{32, 64, 128, 256};
};
const Grid quick_grid{{5, 6}, {2, 4}, {48, 96}, {32}, {128}};

std::vector<TreeSettings> combinations(const Grid& grid, Device where) {
  std::vector<TreeSettings> all;
  const auto add = [&](TreeSettings s) {
    s.device = where, s.theta = 0.7, s.tolerance = 0.1;
    if (!fault_in(s)) all.push_back(s);
  };
  for (const auto mac : {Mac::error, Mac::spheres}) {
    for (const int order : grid.fmm_orders)
      for (const int leaf : grid.fmm_leaves)
        add({.solver = Solver::fmm, .order = order, .mac = mac, .leaf_size = leaf});
    for (const int order : grid.walk_orders)
      for (const int leaf : grid.walk_leaves)
        for (const int group : grid.groups)
          add({.solver = Solver::barnes_hut, .order = order, .mac = mac, .leaf_size = leaf, .group = group});
  }
  return all;
}

/// The accuracy parameters, from loose to tight: a quarter of a power of ten, or 0.05 of an angle.
std::vector<double> parameters_of_mac(Mac mac) {
  std::vector<double> all;
  if (mac == Mac::error)
    for (int k = 0; k < 29; ++k) all.push_back(tune::rounded(0.9 * std::pow(10.0, -0.25 * k)));
  else
    for (int k = 0; k < 18; ++k) all.push_back(tune::rounded(1 - 0.05 * k));
  return all;
}

class Scan {
 public:
  Scan(tune::Trial& trial, double accuracy, double direct, const Progress& progress)
      : trial_(trial), accuracy_(accuracy), direct_(direct), progress_(progress) {}

  void all(const std::vector<TreeSettings>& combinations) {
    for (const auto& s : combinations) walk(s);
  }
  /// Of each solver.
  const std::map<Solver, tune::Measurement>& best() const { return best_; }

 private:
  using Key = std::tuple<Solver, int, Mac>;

  /// Along the accuracy parameters from where combinations of the same kind ended: looser while it is
  /// accurate, or tighter until it is.
  void walk(TreeSettings s) {
    const auto parameters = parameters_of_mac(s.mac);
    auto& at = ended_.try_emplace(Key{s.solver, s.order, s.mac}, parameters.size() / 4).first->second;
    bool was_accurate = false, was_rough = false;
    for (std::size_t k = at;;) {
      (s.mac == Mac::error ? s.tolerance : s.theta) = parameters[k];
      const auto t = measure(s);
      at = k;
      // Nothing tighter is faster.
      if (!t.meets && (was_accurate || lost(s.solver, t) || k + 1 == parameters.size())) return;
      if (t.meets && (was_rough || k == 0)) return;
      (t.meets ? was_accurate : was_rough) = true;
      t.meets ? --k : ++k;
    }
  }
  tune::Measurement measure(const TreeSettings& s) {
    progress_(text_of(s));
    const auto found = best_.find(s.solver);
    const double rival = std::min(direct_, found == best_.end() ? 1e300 : found->second.seconds);
    auto t = trial_.run(s, accuracy_, rival);
    if (t.meets && (found == best_.end() || t.seconds < found->second.seconds)) best_[s.solver] = t;
    return t;
  }
  bool lost(Solver solver, const tune::Measurement& t) const {
    const auto found = best_.find(solver);
    return found != best_.end() && t.seconds > 1.5 * found->second.seconds;
  }

  tune::Trial& trial_;
  double accuracy_, direct_;
  const Progress& progress_;
  std::map<Key, std::size_t> ended_;
  std::map<Solver, tune::Measurement> best_;
};

/// Of one number of bodies.
struct Outcome {
  tune::DirectSums direct;
  std::map<std::string, tune::Measurement> trees;  ///< by solver
  tune::Plan plan;
  tune::Measurement planned;  ///< direct sums when they were chosen
  double planning = 0;        ///< seconds
};

Outcome outcome_of(const Bodies& bodies, const Gravity& gravity, const EngineOptions& engine, double accuracy,
                   bool quick, const Progress& progress) {
  Outcome out;
  const auto where = engine.backend == pleiad::name_of(Device::cuda) ? Device::cuda : Device::cpu;
  progress("direct sums");
  const std::size_t whole = where == Device::cuda ? std::size_t{1} << 20 : 100'000;
  out.direct = tune::time_direct_sums(bodies, gravity, engine, make_engine, quick ? 0 : whole);
  const double start = seconds();
  out.plan = tune::plan(bodies, gravity, engine, {.accuracy = accuracy}, make_engine,
                        [&](const std::string& text) { progress("planner: " + text); });
  out.planning = seconds() - start;
  if (engine.precision == Precision::f64 && where == Device::cuda) return out;
  tune::Trial trial(where, bodies, gravity, engine.precision);
  Scan scan(trial, accuracy, out.direct.seconds, progress);
  scan.all(combinations(quick ? quick_grid : Grid{}, where));
  std::vector<tune::Measurement> finals;
  for (const auto& [solver, t] : scan.best()) finals.push_back(t);
  if (out.plan.method) finals.push_back({.method = out.plan.method, .seconds = 1e300, .errors = {}});
  for (int round = 0; round < 3; ++round)
    for (auto& f : finals) {
      progress("again: " + text_of(f.method));
      const auto t = trial.run(*f.tree(), accuracy, 1e300, 2);
      const double before = f.seconds;
      f = t, f.seconds = std::min(before, t.seconds);
    }
  for (const auto& f : finals) {
    auto& best = out.trees[std::string(pleiad::name_of(f.tree()->solver))];
    if (!best.method || f.seconds < best.seconds) best = f;
  }
  if (out.plan.method) out.planned = finals.back();
  return out;
}

Table columns() {
  return {.columns = {{"n", "N"},
                      {"solver", "solver"},
                      {"ms", "ms", "{:.4g}"},
                      {"measured", "of N", "{}"},
                      {"over_best", "over best", "{:.3f}"},
                      {"error_p50", "error p50", "{:.1e}"},
                      {"error_p99", "p99", "{:.1e}"},
                      {"error_max", "max", "{:.1e}"},
                      {"planning_s", "planning s", "{:.3g}"},
                      {"tried", "tried", "{}"},
                      {"kernel", "kernel"},
                      {"accuracy", ""},
                      {"model", ""},
                      column("precision"),
                      column("threads"),
                      {"gpus", ""},
                      column("device"),
                      column("commit")},
          .rows = {}};
}

void add_rows(Table& table, const Outcome& out, std::size_t n, const ExperimentOptions& options,
              const EngineOptions& engine, const Place& place) {
  tune::Measurement direct{.seconds = out.direct.seconds, .errors = {}};
  const auto planned = !out.plan.method ? direct : out.planned;
  double best = direct.seconds;
  for (const auto& [solver, t] : out.trees) best = std::min(best, t.seconds);
  const auto add = [&](const std::string& solver, const tune::Measurement& t, bool is_planned) {
    const bool exact = t.tree() == nullptr;
    const auto error = [&](double value) { return exact ? Cell() : Cell(value); };
    table.rows.push_back({std::int64_t(n), solver, 1e3 * t.seconds,
                          std::int64_t(exact ? out.direct.measured : n), t.seconds / best,
                          error(t.errors.median), error(t.errors.p99), error(t.errors.largest),
                          is_planned ? Cell(out.planning) : Cell(),
                          is_planned ? Cell(std::int64_t(out.plan.tried.size())) : Cell(),
                          exact ? std::string("direct") : text_of(t.method), *options.accuracy, options.model,
                          std::string(pleiad::name_of(engine.precision)), std::int64_t{threads()},
                          std::int64_t{out.direct.gpus}, place.device(), place.machine.commit});
  };
  add("direct", direct, false);
  for (const auto& [solver, t] : out.trees) add(solver, t, false);
  add("planner", planned, true);
}

std::optional<Plot> draw(const Table& table) {
  if (table.rows.empty()) return {};
  Plot plot{
      .title = fmt::format("Direct sums, trees, and the planner's choice: {}, error {:g}, {}",
                           text(table, table.rows[0], "model"), number(table, table.rows[0], "accuracy"),
                           text(table, table.rows[0], "device")),
      .x_label = "bodies",
      .y_label = "ms of one evaluation",
      .panels = {{.title = ""}}};
  for (const auto& row : table.rows) {
    const auto solver = text(table, row, "solver");
    const double n = number(table, row, "n");
    // What is scaled from fewer bodies is dashed.
    const bool scaled = number(table, row, "measured") < n;
    plot.panels[0].add(scaled ? solver + ", scaled" : solver, n, number(table, row, "ms"));
    auto& series =
        *std::ranges::find(plot.panels[0].series, scaled ? solver + ", scaled" : solver, &Series::name);
    series.dashed = scaled || solver == "planner";
  }
  return plot;
}

std::vector<std::size_t> sizes_of(const ExperimentOptions& options, Device where) {
  if (!options.sizes.empty()) return options.sizes;
  const std::size_t most = options.most > 0        ? options.most
                           : options.quick         ? 10'000
                           : where == Device::cuda ? 10'000'000
                                                   : 1'000'000;
  std::vector<std::size_t> sizes;
  for (std::size_t n = 1000; n <= most; n *= 10)
    for (const std::size_t each : {n, 3 * n})
      if (each <= most) sizes.push_back(each);
  return sizes;
}

Report run(const ExperimentOptions& asked, const Progress& progress) {
  auto options = asked;
  if (!options.accuracy) options.accuracy = 1e-3;
  if (options.model.empty()) options.model = "plummer";
  const auto where = options.backend == pleiad::name_of(Device::cuda) ? Device::cuda : Device::cpu;
  const EngineOptions engine{.precision = options.precision.value_or(Precision::mixed),
                             .backend = std::string(pleiad::name_of(where)),
                             .threads = options.threads};
  set_threads(options.threads);
  const auto place = place_of(where);
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  // The sphere of every other table of trees.
  const double eps = options.model == "plummer" ? 1e-3 : model_named(options.model).suggested_softening;
  until_stopped(report, [&] {
    for (const auto n : sizes_of(options, where)) {
      const auto told = [&](const std::string& text) { progress(fmt::format("N = {}: {}", n, text)); };
      const std::array settings{fmt::format("n={}", n)};
      const auto snapshot = make_model(options.model, settings, 1);
      add_rows(report.table,
               outcome_of(snapshot.bodies, {.G = snapshot.G, .softening = {eps}}, engine, *options.accuracy,
                          options.quick, told),
               n, options, engine, place);
    }
  });
  double worst = 0;
  for (const auto& row : report.table.rows)
    if (text(report.table, row, "solver") == "planner")
      worst = std::max(worst, number(report.table, row, "over_best"));
  report.notes.push_back(
      fmt::format("the planner's choice takes at most {:.3f} times as long as the best", worst));
  return report;
}

}  // namespace

extern constinit const Experiment crossover;
constinit const Experiment crossover{
    .name = "crossover",
    .idea = "the fastest solver against the number of bodies, by a wide scan, and the choice of the planner",
    .published = "none; goal: the planner within 10 % of the best",
    .solvers = true,
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/solvers.md"};

}  // namespace pleiad::bench
