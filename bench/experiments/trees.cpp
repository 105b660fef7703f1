/// Trees: from how many bodies on they beat direct sums, on smooth and on clustered bodies, at a stated
/// error; and octree, kd-tree and hierarchy of bounding volumes beside each other.
///
/// On a processor, or with --backend cuda on a GPU.
///
/// Each row is the fastest settings of one solver that meet an accuracy (the 99th percentile of |da| / |a|)
/// on these bodies, as the planner finds them, with its parts: the build of the tree, the moments, the
/// forces. Direct sums in the same precision stand beside it; above 16384 bodies their time is that of 16384,
/// scaled. Structures are compared at one accuracy, and at one theta, where rows have no accuracy. On the
/// most bodies of the smooth sphere the fast multipole method is measured again with one, two, ... threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "bench/kept_cells.hpp"
#include "core/threads.hpp"
#include "tree/cpu/methods.hpp"
#include "tune/planner.hpp"
#include "tune/trial.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

Bodies of_model(std::string_view name, std::size_t n, std::uint64_t seed = 1) {
  const std::array settings{fmt::format("n={}", n)};
  return make_model(name, settings, seed).bodies;
}

/// Half of the bodies are a King cluster, a twentieth as wide as the NFW halo that it is in.
Bodies cluster_in_halo(std::size_t n) {
  const std::array king{fmt::format("n={}", n / 2), std::string("W0=9")};
  const auto cluster = make_model("king", king, 3).bodies;
  Bodies all;
  const auto halo = of_model("nfw", n - n / 2, 4);
  for (std::size_t i = 0; i < halo.size(); ++i) all.add(halo.mass[i], halo.position(i) * 10.0, {0, 0, 0});
  for (std::size_t i = 0; i < cluster.size(); ++i)
    all.add(0.02 * cluster.mass[i], cluster.position(i) * 0.05 + Vec3<double>{3, 0, 0}, {0, 0, 0});
  return all;
}

struct Scene {
  std::string_view name;
  double eps;
  Bodies (*make)(std::size_t n);
};
constexpr std::array scenes{Scene{"plummer", 1e-3, [](std::size_t n) { return of_model("plummer", n); }},
                            Scene{"galaxy", 0.1, [](std::size_t n) { return of_model("galaxy", n); }},
                            Scene{"merger", 0.1, [](std::size_t n) { return of_model("encounter", n); }},
                            Scene{"cluster in halo", 1e-3, cluster_in_halo}};

/// Two Plummer spheres, 200 times as far apart as they are wide.
Bodies two_clumps(std::size_t n) {
  Bodies all;
  for (const double side : {-1.0, 1.0}) {
    const auto clump = of_model("plummer", side < 0 ? n / 2 : n - n / 2, side < 0 ? 5 : 6);
    for (std::size_t i = 0; i < clump.size(); ++i)
      all.add(0.5 * clump.mass[i], clump.position(i) * 0.01 + Vec3<double>{side, 0, 0}, {0, 0, 0});
  }
  return all;
}
constexpr std::array structure_scenes{
    scenes[0], Scene{"two clumps", 1e-5, two_clumps},
    Scene{"uniform", 1e-3, [](std::size_t n) { return of_model("uniform-box", n); }}};
constexpr std::array usual_accuracies{1e-3, 1e-4};
constexpr std::array structures{Structure::octree, Structure::kd, Structure::bvh};

std::vector<Solver> solvers() {
  std::vector<Solver> all;
  for (const auto* method : tree::methods())
    if (std::find(all.begin(), all.end(), method->solver) == all.end()) all.push_back(method->solver);
  return all;
}

Table columns() {
  return {.columns = {{"compared", "compared"},
                      {"model", "model"},
                      {"n", "N"},
                      {"accuracy", "asked", "{:g}"},
                      {"solver", "solver"},
                      {"structure", "structure"},
                      {"ms", "ms", "{:.4g}"},
                      {"direct_ms", "direct ms", "{:.4g}"},
                      {"speedup", "faster", "{:.3g}"},
                      {"build_ms", "build", "{:.3g}"},
                      {"moments_ms", "moments", "{:.3g}"},
                      {"forces_ms", "forces", "{:.4g}"},
                      {"error_p50", "error p50", "{:.1e}"},
                      {"error_p99", "p99", "{:.1e}"},
                      {"error_max", "max", "{:.1e}"},
                      {"pairs_per_body", "pairs/body", "{:.0f}"},
                      {"cells_per_body", "cells/body", "{:.2f}"},
                      {"cells", "cells"},
                      {"depth", "depth"},
                      {"bytes_per_body", "bytes/body", "{:.0f}"},
                      {"rebuild_every", "kept for", "{}"},
                      {"refresh_ms", "refresh", "{:.3g}"},
                      {"kernel", "kernel"},
                      column("precision"),
                      column("threads"),
                      column("device"),
                      column("commit")},
          .rows = {}};
}

/// The bodies of a scene, and how direct sums do on them.
struct Case {
  const Scene& scene;
  std::size_t n;
  Bodies bodies;
  double direct = 0;  ///< seconds
  std::string name() const { return fmt::format("{} N = {}", scene.name, n); }
};

Device where_of(const ExperimentOptions& options) {
  return options.backend == pleiad::name_of(Device::cuda) ? Device::cuda : Device::cpu;
}

/// Finds what is wished for, and adds its row.
class Search {
 public:
  Search(const ExperimentOptions& options, const Progress& progress)
      : where_(where_of(options)),
        precision_(options.precision.value_or(Precision::mixed)),
        engine_{.precision = precision_,
                .backend = std::string(pleiad::name_of(where_)),
                .threads = options.threads},
        place_(place_of(where_)),
        progress_(progress) {
    report.heading = {heading_of(place_)};
    report.table = columns();
  }

  Case begin(const Scene& scene, std::size_t n) {
    Case c{.scene = scene, .n = n, .bodies = scene.make(n)};
    progress_(c.name() + ": direct sums");
    c.direct = tune::time_direct_sums(c.bodies, gravity_of(c), engine_, make_engine).seconds;
    return c;
  }
  void add(std::string_view compared, const Case& c, const tune::SolverRequest& request) {
    const auto told = [&](const std::string& text) { progress_(c.name() + ": " + text); };
    try {
      const auto plan = tune::plan(c.bodies, gravity_of(c), engine_, request, make_engine, told);
      const auto found = std::find_if(plan.tried.begin(), plan.tried.end(), [&](const tune::Measurement& t) {
        return t.method == plan.method && t.meets;
      });
      report.table.rows.push_back(cells_of(compared, c, request, *found));
    } catch (const UsageError& error) {
      report.notes.push_back(c.name() + ": " + error.what());
    }
  }
  /// Cells that are kept for some steps of the moving bodies, beside those that are always made.
  void add_kept(const Case& c, const TreeSettings& settings) {
    constexpr std::array keep{1, 2, 4, 8, 16, 32};
    constexpr double dt = 1.0 / 1024;  // of such softening; after 32 a body has crossed a leaf or two
    progress_(fmt::format("{}: {} with cells that are kept", c.name(), text_of(settings)));
    set_threads(engine_.threads);
    const auto all = measure_kept_cells(c.bodies, gravity_of(c), precision_, settings, keep, keep.back(), dt);
    for (std::size_t k = 0; k < all.size(); ++k) {
      report.table.rows.push_back(cells_of("refresh", c, {}, all[k].tried));
      set(report.table, "rebuild_every", std::int64_t{keep[k]});
      if (all[k].refresh > 0) set(report.table, "refresh_ms", 1e3 * all[k].refresh);
    }
  }
  /// The same settings with one thread, two, four, ... and all that there are.
  void add_threads(const Case& c, const TreeSettings& settings, double accuracy) {
    const int all = threads();
    tune::Trial trial(Device::cpu, c.bodies, gravity_of(c), precision_);
    for (int k = 1;; k = std::min(2 * k, all)) {
      set_threads(k);
      progress_(fmt::format("{}: {} with {} threads", c.name(), text_of(settings), k));
      const auto t = trial.run(settings, accuracy, 1e300, 5);
      report.table.rows.push_back(cells_of("threads", c, {.accuracy = accuracy}, t));
      if (k == all) break;
    }
    set_threads(engine_.threads);
  }

  Report report;

 private:
  /// In the last row.
  static void set(Table& table, std::string_view key, Cell value) {
    const auto at = std::ranges::find(table.columns, key, &Column::key) - table.columns.begin();
    table.rows.back()[std::size_t(at)] = std::move(value);
  }
  static Gravity gravity_of(const Case& c) { return {.softening = {c.scene.eps}}; }

  std::vector<Cell> cells_of(std::string_view compared, const Case& c, const tune::SolverRequest& request,
                             const tune::Measurement& t) const {
    const auto& w = t.work;
    const double each = 1 / double(c.n);
    const auto known = [](double value) { return value > 0 ? Cell(value) : Cell(); };
    const auto& settings = *t.tree();
    return {std::string(compared),
            std::string(c.scene.name),
            std::int64_t(c.n),
            request.accuracy > 0 ? Cell(request.accuracy) : Cell(),
            std::string(pleiad::name_of(settings.solver)),
            std::string(pleiad::name_of(settings.structure)),
            1e3 * t.seconds,
            1e3 * c.direct,
            c.direct / t.seconds,
            known(1e3 * w.build),
            known(1e3 * w.moments),
            known(1e3 * w.forces),
            t.errors.median,
            t.errors.p99,
            t.errors.largest,
            w.pairs * each,
            w.cell_pairs * each,
            std::int64_t(w.cells),
            std::int64_t(w.depth),
            double(w.bytes) * each,
            Cell(),
            Cell(),
            text_of(settings),
            std::string(pleiad::name_of(precision_)),
            std::int64_t{threads()},
            place_.device(),
            place_.machine.commit};
  }

  Device where_;
  Precision precision_;
  EngineOptions engine_;
  Place place_;
  const Progress& progress_;
};

/// Those of this name, or all.
template <std::size_t n>
std::vector<Scene> chosen(const std::array<Scene, n>& all, const std::string& name) {
  std::vector<Scene> some;
  for (const auto& scene : all)
    if (name.empty() || scene.name == name) some.push_back(scene);
  return some;
}

/// Direct sums and what beats them.
void compare_solvers(Search& search, const ExperimentOptions& options, std::span<const std::size_t> sizes) {
  std::vector<double> accuracies(usual_accuracies.begin(), usual_accuracies.end());
  if (options.accuracy) accuracies = {*options.accuracy};
  for (const auto& scene : chosen(scenes, options.model))
    for (const auto n : sizes) {
      const auto c = search.begin(scene, n);
      for (const auto solver : solvers())
        for (const double accuracy : accuracies)
          search.add("solvers", c, {.accuracy = accuracy, .solver = solver});
    }
}

/// What more threads bring: the fast multipole method's row for 1e-3 on the smooth sphere again.
void compare_threads(Search& search, std::size_t n) {
  const auto& t = search.report.table;
  const auto row = std::ranges::find_if(t.rows, [&](const auto& r) {
    return text(t, r, "model") == scenes[0].name && text(t, r, "solver") == "fmm" &&
           number(t, r, "n") == double(n) && number(t, r, "accuracy") == 1e-3;
  });
  if (row == t.rows.end()) return;
  const auto kernel = text(t, *row, "kernel");
  search.add_threads(search.begin(scenes[0], n), tree_settings_of(kernel), 1e-3);
}

/// Moments that are refreshed while the structure is kept.
void compare_kept(Search& search, const ExperimentOptions& options, std::size_t n) {
  if (!options.model.empty() && options.model != scenes[0].name) return;
  const auto c = search.begin(scenes[0], n);
  for (const auto structure : {Structure::octree, Structure::kd}) {
    search.add_kept(c, {.solver = Solver::fmm, .structure = structure, .order = 5, .theta = 0.7});
    search.add_kept(c, {.solver = Solver::barnes_hut, .structure = structure, .order = 2, .theta = 0.6});
  }
}

void compare_structures(Search& search, const ExperimentOptions& options,
                        std::span<const std::size_t> sizes) {
  const double accuracy = options.accuracy.value_or(usual_accuracies[0]);
  for (const auto& scene : chosen(structure_scenes, options.model))
    for (const auto n : sizes) {
      const auto c = search.begin(scene, n);
      for (const auto solver : solvers())
        for (const auto structure : structures) {
          const bool walk = solver == Solver::barnes_hut;
          search.add(
              "structures", c,
              {.solver = solver, .order = walk ? 2 : 5, .theta = walk ? 0.6 : 0.7, .structure = structure});
          search.add("structures", c, {.accuracy = accuracy, .solver = solver, .structure = structure});
        }
    }
  compare_kept(search, options, sizes.back());
}

std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Trees and direct sums", .x_label = "bodies", .y_label = "ms", .panels = {}};
  for (const auto& row : table.rows) {
    const bool of_structures = text(table, row, "compared") == "structures";
    const double n = number(table, row, "n"), accuracy = number(table, row, "accuracy");
    if (text(table, row, "compared") == "threads" || text(table, row, "compared") == "refresh") continue;
    if (!(accuracy > 0)) continue;  // one theta means another error for each structure
    const auto model = text(table, row, "model"), solver = text(table, row, "solver");
    const auto title = of_structures ? fmt::format("{}, {:g}: structures", model, accuracy) : model;
    auto panel = std::find_if(plot.panels.begin(), plot.panels.end(),
                              [&](const Panel& p) { return p.title == title; });
    if (panel == plot.panels.end()) panel = plot.panels.insert(panel, {.title = title});
    const bool there = !panel->series.empty() && panel->series[0].points.back()[0] == n;
    if (!there) panel->add("direct", n, number(table, row, "direct_ms"));
    panel->add(of_structures ? fmt::format("{}, {}", solver, text(table, row, "structure"))
                             : fmt::format("{}, {:g}", solver, accuracy),
               n, number(table, row, "ms"));
  }
  if (plot.panels.empty()) return {};
  return plot;
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  using Sizes = std::vector<std::size_t>;
  const auto sizes = [&](Sizes quick, Sizes full) {
    auto some = !options.sizes.empty() ? options.sizes : options.quick ? quick : full;
    if (options.most > 0) std::erase_if(some, [&](std::size_t n) { return n > options.most; });
    if (some.empty()) throw UsageError(fmt::format("--most {} leaves no number of bodies", options.most));
    return some;
  };
  if (!options.model.empty() && chosen(scenes, options.model).empty() &&
      chosen(structure_scenes, options.model).empty())
    throw UsageError(fmt::format(
        "--model {}: of trees it is plummer, galaxy, merger, cluster in halo, two clumps or uniform",
        options.model));
  set_threads(options.threads);
  Search search(options, progress);
  // On a GPU the tree is an octree, whose parts pleiad_tree_phases times.
  const bool gpu = where_of(options) == Device::cuda;
  const auto all = gpu ? sizes({16384, 65536}, {16384, 65536, 262144, 1048576, 4194304})
                       : sizes({1000, 4000}, {1000, 4000, 16000, 64000, 256000, 1048576});
  const auto some = gpu ? Sizes{} : sizes({3000}, {10000, 30000, 100000});
  until_stopped(search.report, [&] {
    compare_solvers(search, options, all);
    if (gpu) return;
    compare_threads(search, all.back());
    compare_structures(search, options, some);
  });
  return std::move(search.report);
}

}  // namespace

extern constinit const Experiment trees;
constinit const Experiment trees{
    .name = "trees",
    .idea =
        "trees against direct sums, smooth and clustered, at errors of 1e-3 and 1e-4, to a million bodies; "
        "comparison of octree, kd-tree and bounding volumes; cells that are kept for some steps",
    .published = "none; each row has direct sums on the same machine",
    .solvers = true,
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/published-benchmarks.md, S1; docs/solvers.md"};

}  // namespace pleiad::bench
