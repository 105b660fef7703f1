#include "run/convergence.hpp"

#include "capabilities/comoving.hpp"
#include "control/candidates.hpp"
#include "control/position_error.hpp"
#include "io/config/config.hpp"
#include "run/energy_record.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// Bodies that are this far apart, in units of the size, have parted: their distance says nothing of the
/// step.
constexpr double parted = 0.1;
/// A single orbit is right while its error is below this.
constexpr double right = 0.01;
constexpr double first_shift = 1e-8;

/// The step of a level. Hermite's step grows with the square root of eta, and so do block steps that follow
/// from accelerations; others with eta.
Method at_level(Method method, int level, double softening) {
  const auto& integrator = *method.integrator;
  const bool by_root = integrator.needs_jerks || (integrator.in_blocks && !method.blocks.by_pairs(softening));
  method.dt = std::ldexp(method.dt, -level);
  if (method.adaptive || integrator.in_blocks)
    method.eta = std::ldexp(method.eta, by_root ? -2 * level : -level);
  return method;
}

std::string name_of(const Method& m) {
  return m.adaptive ? fmt::format("eta = {:g}", m.eta) : fmt::format("dt = {:g}", m.dt);
}

double size_of(const Bodies& b) {
  Vec3<double> mean{};
  const double n = static_cast<double>(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) mean += b.position(i) * (1 / n);
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto d = b.position(i) - mean;
    sum += dot(d, d) / n;
  }
  return std::sqrt(sum);
}

struct Apart {
  double mean = 0, largest = 0;
};
Apart apart(const Bodies& a, const Bodies& b, double size) {
  Apart found;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto d = a.position(i) - b.position(i);
    found.mean += dot(d, d) / static_cast<double>(a.size());
    found.largest = std::max(found.largest, norm(d));
  }
  return {std::sqrt(found.mean) / size, found.largest / size};
}

/// The bodies with each position moved by `length` in a direction of its own.
Snapshot shifted(Snapshot s, double length) {
  auto& b = s.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) {
    Random random(1, i);
    const double z = random.uniform(-1, 1), angle = random.uniform(0, 2 * std::numbers::pi),
                 r = std::sqrt(1 - z * z);
    b.x[i] += length * r * std::cos(angle), b.y[i] += length * r * std::sin(angle), b.z[i] += length * z;
  }
  b.low.clear(), b.series.clear();
  return s;
}

/// The runs at work.
class Comparison {
 public:
  Comparison(ConvergenceRequest& request, Convergence& found) : request_(request), found_(found) {
    auto& o = request.options;
    if (o.cosmology.active())
      throw UsageError(*why_not(ComovingFacts{.compared = true}), Error::Code::unsupported);
    std::vector<std::string> notes;
    auto start = prepare(o);
    const Resolving resolving{.cache = request.cache};
    const auto initial = start.initial;
    auto accurate = accurate_start(o, std::move(start.initial), resolving, notes);
    engine_ = accurate.engine;
    const auto base = method_of(o);
    const double eps = o.gravity.softening;
    for (int k = 0; k < request.levels; ++k)
      add(initial, at_level(base, k, eps), engine_, name_of(at_level(base, k, eps)));
    found.levels = runs_.size();
    for (const double accuracy : request.accuracies) {
      auto other = o;
      other.solver.accuracy = accuracy;
      other.engine.kernel = "auto";
      add(initial, base, resolved_engine(other, initial.bodies, resolving, notes),
          fmt::format("accuracy = {:g}", accuracy));
    }
    const double size = size_of(initial.bodies);
    if (!(size > 0)) throw InputError(fmt::format("{}: all bodies are at one place", origin_of(o)));
    found.first_shift = first_shift;
    twin_.emplace(shifted(initial, first_shift * size), gravity_of(o), at_level(base, 1, eps), engine_);
    if (o.time.reverse) twin_->reverse_velocities();
    found.order = base.integrator->order, found.bodies = initial.bodies.size();
    found.energy_name = name_of_energy_error(gravity_of(o), runs_.front().kept_pattern_speed());
    found.units = initial.units.name;
    find_times(initial.time, base);
  }

  void make() {
    look();
    for (const double time : times_) {
      for (auto& run : runs_) run.run_until(time), run.need_finite();
      twin_->run_until(time);
      look();
      if (request_.progress) request_.progress(fmt::format("t = {:g}", time));
    }
    for (std::size_t k = 0; k < runs_.size(); ++k) found_.runs[k].steps = double(runs_[k].step());
  }

 private:
  void add(const Snapshot& initial, const Method& method, const EngineOptions& engine, std::string name) {
    runs_.emplace_back(initial, gravity_of(request_.options), method, engine);
    if (request_.options.time.reverse) runs_.back().reverse_velocities();
    found_.runs.push_back({.name = std::move(name), .method = runs_.back().describe().kernel()});
  }

  /// Whole steps of the coarsest run, and the end.
  void find_times(double start, const Method& base) {
    const double end = request_.options.time.t_end, length = end - start;
    if (!(length > 0)) throw UsageError("time.t_end is where the run starts: there is nothing to compare");
    const double steps = base.adaptive ? request_.rows : length / base.dt;
    const auto every = static_cast<std::uint64_t>(std::max(1.0, std::ceil(steps / request_.rows)));
    const double dt = base.adaptive ? length / request_.rows : base.dt;
    for (std::uint64_t k = every; double(k) < steps * (1 - 1e-9); k += every)
      times_.push_back(time_of_step(start, dt, k));
    times_.push_back(end);
  }

  /// The row of now.
  void look() {
    ComparisonRow row;
    row.time = runs_.front().time();
    const std::size_t finest = found_.levels - 1;
    row.size = size_of(runs_[finest].snapshot().bodies);
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const auto d = runs_[k].diagnostics();
      row.energy_errors.push_back(d.energy_error);
      auto& run = found_.runs[k];
      run.last_energy_error = d.energy_error;
      run.worst_energy_error = std::max(run.worst_energy_error, std::abs(d.energy_error));
      const std::size_t other = k < finest ? k + 1 : 0;
      const auto d2 = k == finest
                          ? Apart{none, none}
                          : apart(runs_[k].snapshot().bodies, runs_[other].snapshot().bodies, row.size);
      row.distances.push_back(d2.mean), row.largest.push_back(d2.largest);
    }
    const auto& exact = runs_[finest].snapshot().bodies;
    const auto off = control::position_error(runs_.front().snapshot().bodies, exact);
    // Of order p the finest run has 2^-p of the error for each halving of the step.
    row.position_error = off.largest / (1 - std::exp2(-double(found_.order) * double(finest)));
    row.farthest = exact.id[off.body];
    row.shift = apart(twin_->snapshot().bodies, runs_[1].snapshot().bodies, row.size).mean;
    found_.rows.push_back(std::move(row));
  }

  ConvergenceRequest& request_;
  Convergence& found_;
  EngineOptions engine_;
  std::vector<Simulation> runs_;
  std::optional<Simulation> twin_;
  std::vector<double> times_;
};

double order_between(double coarse, double fine) {
  return coarse > 0 && fine > 0 ? std::log2(coarse / fine) : none;
}

/// The orders, of distances before orbits have parted.
void find_orders(Convergence& c) {
  const auto whole = [&](const ComparisonRow& r) {
    return std::all_of(r.distances.begin(), r.distances.begin() + std::ptrdiff_t(c.levels - 1),
                       [](double d) { return d <= parted; });
  };
  auto last = std::find_if_not(c.rows.begin() + 1, c.rows.end(), whole);
  const auto& row = *(last - 1);
  c.compared_at = row.time;
  for (std::size_t k = 0; k < c.runs.size(); ++k) {
    auto& run = c.runs[k];
    run.distance = row.distances[k];
    const bool step = k + 1 < c.levels;
    run.energy_order = step ? order_between(run.worst_energy_error, c.runs[k + 1].worst_energy_error) : none;
    run.distance_order = k + 2 < c.levels ? order_between(row.distances[k], row.distances[k + 1]) : none;
  }
}

/// How a shift grows: as a power of time, or by e in a time.
void find_growth(Convergence& c) {
  const auto& rows = c.rows;
  std::size_t last = 0;
  while (last + 1 < rows.size() && rows[last + 1].shift <= parted) ++last;
  if (last < 4)
    return c.findings.push_back(
        fmt::format("a shift of {:g} parts all orbits within {:g}: nothing is "
                    "said of single orbits",
                    first_shift, rows[std::min(last + 1, rows.size() - 1)].time));
  const std::size_t half = last / 2;
  const double grown = std::log(rows[last].shift / rows[half].shift), from = rows.front().time;
  const double times = std::log((rows[last].time - from) / (rows[half].time - from));
  const double power = grown / times;
  if (power < 2.5) {
    c.findings.push_back(
        fmt::format("regular: a shift of the positions grows {:.3g} times until t = {:g}, like t^{:.1f}",
                    rows[last].shift / first_shift, rows[last].time, std::max(power, 0.0)));
    return;
  }
  const double fold = (rows[last].time - rows[half].time) / grown;
  c.findings.push_back(
      fmt::format("chaotic: a shift of the positions grows by e every {:.3g}, {:.3g} times until t = {:g}",
                  fold, rows[last].shift / first_shift, rows[last].time));
  const double lost = rows[last].time + fold * std::log(right / (0x1p-53 * rows[last].shift / first_shift));
  c.findings.push_back(
      fmt::format("whatever the step, rounding makes single orbits wrong by {:g} of the size about "
                  "t = {:.3g}; after it only statistics mean something",
                  right, lost));
}

/// Until when the orbits of the finest run are right: of order p its error is the distance to the run with
/// twice its step over 2^p - 1.
void find_end_of_orbits(Convergence& c) {
  const std::size_t pair = c.levels - 2;
  const double factor = 1 / (std::exp2(c.order) - 1);
  for (const auto& row : c.rows)
    if (!(row.distances[pair] * factor <= right)) {
      c.findings.push_back(fmt::format(
          "single orbits of the finest run are right to {:g} of the size until t = {:g}", right, row.time));
      return;
    }
  const double largest = std::max_element(c.rows.begin(), c.rows.end(), [&](const auto& a, const auto& b) {
                           return a.distances[pair] < b.distances[pair];
                         })->distances[pair];
  c.findings.push_back(
      fmt::format("single orbits of the finest run are right to {:.1e} of the size until the end, t = {:g}",
                  largest * factor, c.rows.back().time));
}

/// Which of few bodies is wrong first in the coarsest run: its energy, which heavy ones have, does not tell.
void find_farthest(Convergence& c) {
  const auto& name = c.runs.front().name;
  const auto wrong =
      std::ranges::find_if(c.rows, [](const auto& row) { return !(row.position_error <= right); });
  if (wrong != c.rows.end())
    return c.findings.push_back(fmt::format(
        "with {}, positions are right to {:g} of their distances from the heaviest body until t = "
        "{:.3g}: body {} is wrong first",
        name, right, wrong->time, wrong->farthest));
  const auto& last = c.rows.back();
  c.findings.push_back(
      fmt::format("with {}, positions are right to {:.1e} of their distances from the heaviest body at the "
                  "end: body {} is "
                  "the farthest off",
                  name, last.position_error, last.farthest));
}

}  // namespace

Convergence convergence_of(ConvergenceRequest request) {
  auto& o = request.options;
  check(o);
  if (o.ensemble.active()) throw UsageError("pleiad converge: it is for one system, not for an ensemble");
  if (o.encounters.changes_bodies())
    throw UsageError(
        "pleiad converge: bodies that merge or are removed cannot be compared; leave out [encounters]");
  if (request.levels < 2) throw UsageError("pleiad converge: --levels must be at least 2");
  Convergence found;
  {
    Comparison comparison(request, found);
    comparison.make();
  }
  find_orders(found);
  find_growth(found);
  if (found.bodies <= control::few_bodies) find_farthest(found);
  find_end_of_orbits(found);
  return found;
}

std::string csv_of(const Convergence& c) {
  std::string text = fmt::format(
      "# units: {}\n# energy error: {}; distances: root mean square over the bodies, and of the farthest "
      "one, in "
      "units of the size\n",
      c.units, c.energy_name);
  for (const auto& run : c.runs)
    text += fmt::format(
        "# {}: {}, {:.0f} steps, worst energy error {:.3e}, order {:.2f}, distance {:.3e} at t = {:g}, "
        "order {:.2f}\n",
        run.name, run.method, run.steps, run.worst_energy_error, run.energy_order, run.distance,
        c.compared_at, run.distance_order);
  for (const auto& finding : c.findings) text += "# " + finding + "\n";
  text += "time,size";
  for (std::size_t k = 0; k < c.runs.size(); ++k) text += fmt::format(",energy_error_{}", k + 1);
  for (std::size_t k = 0; k < c.runs.size(); ++k)
    if (k + 1 != c.levels) text += fmt::format(",distance_{0},largest_distance_{0}", k + 1);
  text += ",shift\n";
  for (const auto& row : c.rows) {
    text += fmt::format("{},{:.9g}", row.time, row.size);
    for (const double e : row.energy_errors) text += fmt::format(",{:.9g}", e);
    for (std::size_t k = 0; k < c.runs.size(); ++k)
      if (k + 1 != c.levels) text += fmt::format(",{:.9g},{:.9g}", row.distances[k], row.largest[k]);
    text += fmt::format(",{:.9g}\n", row.shift);
  }
  return text;
}

}  // namespace pleiad::run
