/// Forms of block time steps at equal errors of the energy: levels with a factor of two between their steps,
/// as block-kdk has them, or of four; and the classic form, in which bodies are pulled by all others at
/// places between the ends of their steps, and which keeps no momentum.
///
/// All of them are made here by the same direct sums, and their work is counted in two ways: by pairs, which
/// is the work of direct sums; and as a tree would have it, where sets of bodies cost as much as their share
/// of all bodies, and the classic form builds a tree of all bodies at each end of a step, for a fifth of an
/// evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/block_scenes.hpp"
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

enum class Work { pairs, tree };
/// The share of an evaluation in which a tree is built.
constexpr double building = 0.2;

struct FormsScene {
  std::string_view name;
  double eps, dt, length;
  Snapshot (*make)(std::size_t n);
};
const std::array forms_scenes{FormsScene{"cusp", 2e-3, 1.0 / 16, 1,
                                         [](std::size_t n) {
                                           return model("hernquist", {{"n", double(n)}});
                                         }},
                              FormsScene{"cluster", 1e-3, 1.0 / 32, 0.5, cluster_in_halo}};

/// Bodies, and the accelerations of some of them by some.
class Stars {
 public:
  Stars(const Snapshot& start, double eps, double eta, Work work)
      : G_(start.G), eps2_(eps * eps), unit_(std::sqrt(2 * eta * eps)), work_(work), bodies_(start.bodies) {
    for (std::size_t i = 0; i < size(); ++i) {
      everyone_.push_back(std::uint32_t(i));
      x_.push_back(bodies_.position(i)), v_.push_back(bodies_.velocity(i));
    }
  }
  using Set = std::vector<std::uint32_t>;
  std::size_t size() const { return bodies_.size(); }
  const Set& everyone() const { return everyone_; }

  /// Accelerations of `targets` by `sources`, in the order of the targets.
  void evaluate(const Set& targets, const Set& sources, std::vector<Vec3<double>>& a) {
    const double n = double(size()), some = double(targets.size());
    if (work_ == Work::pairs) cost_ += some * double(sources.size()) / (n * n);
    else cost_ += &targets != &sources ? building + (1 - building) * some / n : some / n;
    a.resize(targets.size());
    for_each_index(targets.size(), [&](std::size_t k) {
      const auto here = x_[targets[k]];
      Vec3<double> sum{};
      for (const auto j : sources) {
        const auto d = x_[j] - here;
        const double r2 = dot(d, d) + eps2_;
        sum += bodies_.mass[j] / (r2 * std::sqrt(r2)) * d;
      }
      a[k] = G_ * sum;
    });
  }
  /// The step that a body with this acceleration wants.
  double wanted(const Vec3<double>& a) const { return unit_ / std::sqrt(norm(a)); }
  void kick(std::uint32_t i, const Vec3<double>& a, double h) { v_[i] += h * a; }
  void drift(const Set& set, double h) {
    for (const auto i : set) x_[i] += h * v_[i];
  }
  /// Whether two sets cost less than one: `ratio` steps of all bodies, or one of all and the steps of a part,
  /// which is found once.
  bool pays(std::size_t part, std::size_t all, int ratio) const {
    const double share = double(part) / double(all);
    const double cost = work_ == Work::pairs ? share * share : share;
    return 1 + (ratio + 1) * cost <= ratio;
  }
  double cost() const { return cost_; }  ///< in evaluations of all bodies
  struct Totals {
    double energy = 0, momenta = 0;  ///< momenta: the sum of |m v|
    Vec3<double> momentum{};
  };
  Totals totals() const {
    Snapshot now;
    now.G = G_, now.bodies = bodies_;
    Totals found;
    for (std::size_t i = 0; i < size(); ++i) {
      auto& b = now.bodies;
      b.x[i] = x_[i].x, b.y[i] = x_[i].y, b.z[i] = x_[i].z;
      b.vx[i] = v_[i].x, b.vy[i] = v_[i].y, b.vz[i] = v_[i].z;
      found.momentum += b.mass[i] * v_[i], found.momenta += b.mass[i] * norm(v_[i]);
    }
    Simulation s(std::move(now), {.G = G_, .softening = {std::sqrt(eps2_)}},
                 {.integrator = &integrator_named("kdk"), .dt = 1},
                 {.precision = Precision::f64, .backend = "cpu"});
    found.energy = s.energies().total();
    return found;
  }

 private:
  double G_, eps2_, unit_, cost_ = 0;
  Work work_;
  Bodies bodies_;
  Set everyone_;
  std::vector<Vec3<double>> x_, v_;
};

/// The last level has this number.
constexpr int finest = 14;

/// Hierarchical splitting: see src/integrate/block_kdk.cpp, whose ratio is two.
class Hierarchy {
 public:
  Hierarchy(Stars& stars, int ratio) : stars_(stars), ratio_(ratio), sets_(1) {
    sets_[0].members = stars.everyone();
  }
  void advance(double dt) { step(0, 0, dt, 0, 0); }

 private:
  struct Set {
    Stars::Set members;
    std::vector<Vec3<double>> a;
    bool current = false;  ///< the accelerations are those of the present places
  };
  void need(std::size_t set) {
    auto& s = sets_[set];
    if (!std::exchange(s.current, true)) stars_.evaluate(s.members, s.members, s.a);
  }
  void kick(std::size_t set, double h) {
    const auto& s = sets_[set];
    for (std::size_t k = 0; k < s.members.size(); ++k) stars_.kick(s.members[k], s.a[k], h);
  }
  void forget_from(std::size_t set) {
    for (; set < sets_.size(); ++set) sets_[set].current = false;
  }
  /// `first` and `last`: kicks of the set around at the ends of this step.
  void step(std::size_t set, int level, double h, double first, double last) {
    need(set);
    Stars::Set finer, coarse;
    for (std::size_t k = 0; k < sets_[set].members.size(); ++k) {
      const bool fast = level < finest && stars_.wanted(sets_[set].a[k]) < h;
      (fast ? finer : coarse).push_back(sets_[set].members[k]);
    }
    const auto parts = [&](std::size_t of, double begin, double end) {
      for (int k = 0; k < ratio_; ++k)
        step(of, level + 1, h / ratio_, k == 0 ? begin : 0, k + 1 == ratio_ ? end : 0);
    };
    const bool any = !finer.empty();
    if (any && !stars_.pays(finer.size(), sets_[set].members.size(), ratio_)) return parts(set, first, last);
    kick(set, h / 2 - first);
    if (any) {
      if (set + 1 == sets_.size()) sets_.emplace_back();
      if (sets_[set + 1].members != finer) {
        if (set + 2 < sets_.size() && !std::ranges::includes(finer, sets_[set + 2].members))
          forget_from(set + 2);
        sets_[set + 1] = {.members = std::move(finer), .a = {}};
      }
      parts(set + 1, h / 2, h / 2);
    }
    stars_.drift(coarse, h);
    sets_[set].current = false;
    if (!any) forget_from(set + 1);
    need(set);
    kick(set, h / 2 - last);
  }
  Stars& stars_;
  int ratio_;
  std::vector<Set> sets_;
};

/// Bodies at the end of their steps are pulled by all others, which have drifted there.
class Classic {
 public:
  explicit Classic(Stars& stars) : stars_(stars), level_(stars.size()), a_(stars.size()) {
    stars_.evaluate(stars_.everyone(), stars_.everyone(), a_);
  }
  void advance(double dt) {
    constexpr std::int64_t ticks = std::int64_t{1} << finest;
    begin(stars_.everyone(), 0, dt);
    for (std::int64_t now = 0; now < ticks;) {
      const int deepest = std::ranges::max(level_);
      now += ticks >> deepest;
      stars_.drift(stars_.everyone(), dt / double(std::int64_t{1} << deepest));
      Stars::Set ending;
      for (const auto i : stars_.everyone())
        if (now % (ticks >> level_[i]) == 0) ending.push_back(i);
      stars_.evaluate(ending, stars_.everyone(), found_);
      for (std::size_t k = 0; k < ending.size(); ++k) {
        const auto i = ending[k];
        a_[i] = found_[k];
        stars_.kick(i, a_[i], dt / double(std::int64_t{2} << level_[i]));
      }
      if (now < ticks) begin(ending, now, dt);
    }
  }

 private:
  /// Longer steps begin at their multiples alone.
  void begin(const Stars::Set& set, std::int64_t now, double dt) {
    constexpr std::int64_t ticks = std::int64_t{1} << finest;
    for (const auto i : set) {
      const double wanted = stars_.wanted(a_[i]);
      int level = 0;
      while (level < finest &&
             (dt / double(std::int64_t{1} << level) > wanted || now % (ticks >> level) != 0))
        ++level;
      level_[i] = level;
      stars_.kick(i, a_[i], dt / double(std::int64_t{2} << level));
    }
  }
  Stars& stars_;
  std::vector<int> level_;
  std::vector<Vec3<double>> a_, found_;
};

struct Made {
  double error = 0;  ///< of the energy: the root mean square of all longest steps
  double momentum = 0, cost = 0;
};

template <class Form>
Made made(Stars& stars, Form form, const FormsScene& scene) {
  const auto start = stars.totals();
  const double from = stars.cost();
  Made found;
  const int steps = int(std::lround(scene.length / scene.dt));
  double squares = 0;
  for (int k = 0; k < steps; ++k) {
    form.advance(scene.dt);
    const auto now = stars.totals();
    const double error = (now.energy - start.energy) / start.energy;
    squares += error * error / steps;
    found.momentum = norm(now.momentum - start.momentum) / start.momenta;
  }
  found.error = std::sqrt(squares), found.cost = stars.cost() - from;
  return found;
}

constexpr std::array<std::string_view, 3> form_names{"factor 2", "factor 4", "classic"};

Made made(std::string_view form, const Snapshot& start, const FormsScene& scene, double eta, Work work) {
  Stars stars(start, scene.eps, eta, work);
  if (form == "classic") return made(stars, Classic(stars), scene);
  return made(stars, Hierarchy(stars, form == "factor 2" ? 2 : 4), scene);
}

/// The work of the first form at this error, between those that were measured; NaN outside.
double cost_at(double error, const std::vector<Made>& rows) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto &one = rows[k - 1], &two = rows[k];
    if (!(one.error >= error && error >= two.error && one.error > two.error)) continue;
    const double part = std::log(one.error / error) / std::log(one.error / two.error);
    return one.cost * std::pow(two.cost / one.cost, part);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Table columns() {
  return {.columns = {{"scene", "scene"},
                      {"n", "N"},
                      {"work", "work"},
                      {"form", "form"},
                      {"eta", "eta", "{:.3g}"},
                      {"energy_error", "rms dE/E", "{:.2e}"},
                      {"momentum_error", "dP", "{:.1e}"},
                      {"cost", "evaluations", "{:.4g}"},
                      {"gain", "gain", "{:.2f}"},
                      {"step", "longest dt", "{:.4g}"},
                      {"eps", ""},
                      {"length", ""},
                      column("device"),
                      column("commit")},
          .rows = {}};
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.backend != pleiad::name_of(Device::cpu))
    throw UsageError("the experiment block-forms counts evaluations on CPUs; leave --backend out");
  const auto place = place_of(Device::cpu);
  set_threads(options.threads);
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = options.quick ? std::vector<std::size_t>{400} : std::vector<std::size_t>{2000};
  std::vector<double> etas{0.64, 0.32, 0.16, 0.08, 0.04, 0.02, 0.01};
  if (options.quick) etas = {0.64, 0.16, 0.04};
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  until_stopped(report, [&] {
    for (const auto n : sizes)
      for (const auto& scene : forms_scenes) {
        if (!options.model.empty() && scene.name != options.model) continue;
        const auto start = scene.make(n);
        for (const auto work : {Work::pairs, Work::tree}) {
          const auto* counted = work == Work::pairs ? "pairs" : "tree";
          std::vector<Made> first;
          for (const auto form : form_names)
            for (const double eta : etas) {
              progress(fmt::format("N = {}: {}: {}, {} with eta = {:g}", n, scene.name, counted, form, eta));
              const auto m = made(form, start, scene, eta, work);
              if (form == form_names[0]) first.push_back(m);
              const double gain = cost_at(m.error, first) / m.cost;
              report.table.rows.push_back({std::string(scene.name), std::int64_t(n), std::string(counted),
                                           std::string(form), eta, m.error, m.momentum, m.cost,
                                           form != form_names[0] && gain > 0 ? Cell(gain) : Cell(), scene.dt,
                                           scene.eps, scene.length, place.device(), place.machine.commit});
            }
        }
      }
  });
  if (report.table.rows.empty() && report.stopped.empty())
    throw UsageError(fmt::format("no scene '{}': it is one of cusp, cluster", options.model),
                     Error::Code::unknown_name);
  return report;
}

/// The geometric mean of the gains of each form.
std::vector<std::string> conclude(const Table& table) {
  std::vector<std::string> lines;
  for (const auto& scene : forms_scenes)
    for (const char* counted : {"pairs", "tree"})
      for (const auto form : form_names) {
        double logs = 0;
        int rows = 0;
        for (const auto& row : table.rows) {
          const double gain = number(table, row, "gain");
          if (!(gain > 0) || text(table, row, "scene") != scene.name || text(table, row, "form") != form ||
              text(table, row, "work") != counted)
            continue;
          logs += std::log(gain), ++rows;
        }
        if (rows > 0)
          lines.push_back(
              fmt::format("{}, {}: {} takes {:.2f} times less work than a factor of 2 at its errors of the "
                          "energy, in the geometric mean",
                          scene.name, std::string_view(counted) == "pairs" ? "direct sums" : "as by a tree",
                          form, std::exp(logs / rows)));
      }
  return lines;
}

}  // namespace

extern constinit const Experiment block_forms;
constinit const Experiment block_forms{
    .name = "block-forms",
    .idea = "block time steps with factors of two and four between levels, and their classic form",
    .published =
        "the energy drift of hierarchical splitting is considerably milder than that of the classic form "
        "(Rev. Mex. A&A 58, 2022)",
    .solvers = true,
    .run = run,
    .columns = columns,
    .conclude = conclude,
    .read_on = "docs/time.md"};

}  // namespace pleiad::bench
