#include "bench/solvers.hpp"

#include "bench/columns.hpp"
#include "core/threads.hpp"
#include "engine/arrays.hpp"
#include "tree/cpu/methods.hpp"
#include "tree/settings.hpp"
#include "tune/planner.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

struct Point {
  std::string solver;
  Precision precision = Precision::mixed;
  tune::Measurement tried;
};

/// Errors of direct sums on the sample; their time is that of all bodies.
template <class P>
Point direct_point(const Bodies& bodies, const Gravity& gravity, Precision precision, Device where) {
  using Real = typename P::Position;
  const EngineOptions options{.precision = precision, .backend = std::string(pleiad::name_of(where))};
  const auto sample = sample_of(bodies, sample_size(bodies.size()));
  std::vector<Mass<Real>> x(bodies.size()), targets;
  std::vector<Vec4<Real>> v(bodies.size());
  to_arrays<Real>(bodies, x, v);
  for (const auto i : sample.bodies) targets.push_back(x[i]);
  std::vector<Vec4<typename P::Sum>> sums(sample.bodies.size());
  direct_kernel("cpu/threads")
      .template run<P>()({.targets = targets,
                          .sources = x,
                          .sums = sums,
                          .softening = gravity.softening,
                          .self = PairProblem<P>::none},
                         {});
  const auto exact = exact_accelerations(bodies, gravity, sample.bodies);
  std::vector<Vec3<double>> found;
  for (const auto& s : sums)
    found.push_back({gravity.G * double(s.x), gravity.G * double(s.y), gravity.G * double(s.z)});
  const auto choice = where == Device::cpu ? choose_direct_kernel(bodies.size(), precision, gravity)
                                           : choose_device_kernel(bodies.size(), precision, gravity);
  return {.solver = fmt::format("direct {}", pleiad::name_of(precision)),
          .precision = precision,
          .tried = {.method = choice.method,
                    .seconds = tune::time_direct_sums(bodies, gravity, options, make_engine).seconds,
                    .errors = errors_of(found, exact, sample, gravity.G,
                                        rounding_of(bodies, gravity, sample, exact)),
                    .meets = true}};
}

/// The accuracy parameters of a criterion, from the loosest on.
struct ParameterValues {
  Mac mac;
  double TreeSettings::*parameter;
  std::array<double, 8> values;
};
constexpr ParameterValues by_error{
    Mac::error, &TreeSettings::tolerance, {0.99, 0.4, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5}};
constexpr ParameterValues by_angle{
    Mac::spheres, &TreeSettings::theta, {1, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2, 0.15}};

/// All trees, a accuracy parameter at a time: each order's loosest first, so that what time is left is every
/// order's.
class Curves {
 public:
  Curves(const Bodies& bodies, const Gravity& gravity, const CurveOptions& options, double enough, double end,
         const Progress& progress, std::vector<Point>& points)
      : trial_(options.where, bodies, gravity, options.precision),
        options_(options),
        enough_(enough),
        end_(end),
        progress_(progress),
        points_(points) {}

  /// How many evaluations were left out for want of time; then no tighter accuracy parameter of that order
  /// was tried.
  int add_all() {
    for (const auto* method : tree::methods())
      for (const auto& parameters : {by_error, by_angle})
        lines_.push_back({.settings = {.device = options_.where,
                                       .solver = method->solver,
                                       .order = method->order,
                                       .mac = parameters.mac},
                          .parameters = parameters});
    for (std::size_t k = 0; k < by_error.values.size(); ++k)
      for (auto& line : lines_)
        if (!line.ended) turn(line, line.parameters.values[k]);
    return left_out_;
  }

 private:
  /// One order with one criterion.
  struct Line {
    TreeSettings settings;
    ParameterValues parameters;
    double error = INFINITY, seconds = 0, growth = 2;  ///< of the last accuracy parameter
    bool ended = false;
  };
  void turn(Line& line, double parameter) {
    auto& s = line.settings;
    s.*line.parameters.parameter = parameter;
    line.ended = fault_in(s).has_value() || !measure(line);
    if (line.ended) return;
    const double last = line.error, error = points_.back().tried.errors.p99;
    line.error = error;
    // Where rounding is what is left, there may be more in double precision.
    if (constexpr double rounding = 3e-6; error <= rounding && !(error <= 0.7 * last)) {
      line.ended = s.wide || options_.precision == Precision::f64 || options_.where == Device::cuda;
      if (line.ended) return;
      s.wide = true;
      line.ended = !measure(line) || !(points_.back().tried.errors.p99 <= 0.7 * error);
      if (line.ended) return;
      line.error = points_.back().tried.errors.p99;
    }
    line.ended = points_.back().tried.seconds > enough_;
  }
  /// False when it would take longer than what is left, by how the time has grown from accuracy parameter to
  /// accuracy parameter; the first of an order is taken to be as long as that of any other.
  bool measure(Line& line) {
    const bool first = line.seconds == 0;
    const double expected = first ? longest_first_ : line.growth * line.seconds;
    if (seconds() + expected > end_) {
      ++left_out_;
      return false;
    }
    progress_(fmt::format("{}: {}", options_.name, text_of(line.settings)));
    points_.push_back({.solver = fmt::format("{} {} {}", pleiad::name_of(line.settings.solver),
                                             line.settings.order, pleiad::name_of(line.settings.mac)),
                       .precision = options_.precision,
                       .tried = trial_.run(line.settings, 1e300)});
    const double took = points_.back().tried.seconds;
    if (first) longest_first_ = std::max(longest_first_, took);
    else line.growth = std::max(1.5, took / line.seconds);
    line.seconds = took;
    return true;
  }

  tune::Trial trial_;
  const CurveOptions& options_;
  double enough_, end_, longest_first_ = 0;
  const Progress& progress_;
  std::vector<Point>& points_;
  std::vector<Line> lines_;
  int left_out_ = 0;
};

std::vector<Point> measure(const Bodies& bodies, const Gravity& gravity, const CurveOptions& options,
                           const Progress& progress, int& left_out) {
  const double end = seconds() + options.longest_seconds;
  std::vector<Point> points;
  const auto direct = [&]<class P>(P, Precision precision) {
    progress(fmt::format("{}: direct sums, {}", options.name, pleiad::name_of(precision)));
    points.push_back(direct_point<P>(bodies, gravity, precision, options.where));
  };
  direct(F32{}, Precision::f32), direct(Mixed{}, Precision::mixed), direct(F64{}, Precision::f64);
  // What takes much longer than exact sums is of no use.
  const double enough = 2 * points[2].tried.seconds;
  if (options.where == Device::cpu || options.precision != Precision::f64)
    left_out = Curves(bodies, gravity, options, enough, end, progress, points).add_all();
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.tried.errors.p99 > b.tried.errors.p99; });
  return points;
}

/// Of a tree: its tolerance or theta.
Cell accuracy_parameter(const TreeSettings* tree) {
  if (tree == nullptr) return {};
  return tree->mac == Mac::error ? tree->tolerance : tree->theta;
}

Table table_of(const std::vector<Point>& points, std::size_t n, const Place& place) {
  Table table{.columns = {{"best", "best"},
                          {"solver", "solver"},
                          column("precision"),
                          {"kernel", ""},
                          {"dial", "tolerance/theta", "{:.3g}"},
                          {"n", ""},
                          column("ms"),
                          {"error_p50", "error p50", "{:.1e}"},
                          {"error_p99", "p99", "{:.1e}"},
                          {"error_p99_low", "p99 from", "{:.1e}"},
                          {"error_p99_high", "p99 to", "{:.1e}"},
                          {"error_max", "max", "{:.1e}"},
                          {"pairs_per_body", "pairs/body", "{:.0f}"},
                          {"cells_per_body", "cells/body", "{:.2f}"},
                          {"bytes_per_body", "bytes/body", "{:.0f}"},
                          column("threads"),
                          column("device"),
                          column("commit")},
              .rows = {}};
  for (const auto& p : points) {
    const auto& t = p.tried;
    const bool beaten = std::any_of(points.begin(), points.end(), [&](const Point& other) {
      const auto& o = other.tried;
      return o.errors.p99 <= t.errors.p99 && o.seconds <= t.seconds &&
             (o.errors.p99 < t.errors.p99 || o.seconds < t.seconds);
    });
    const bool tree = t.work.bodies > 0;
    const auto each = [&](double all) { return tree ? Cell(all / double(n)) : Cell(); };
    table.rows.push_back({std::string(beaten ? "" : "*"), p.solver, std::string(pleiad::name_of(p.precision)),
                          text_of(t.method), accuracy_parameter(t.tree()), std::int64_t(n), 1e3 * t.seconds,
                          t.errors.median, t.errors.p99, t.errors.p99_low, t.errors.p99_high,
                          t.errors.largest, tree ? each(t.work.pairs) : Cell(double(n)),
                          each(t.work.cell_pairs), each(double(t.work.bytes)), std::int64_t{threads()},
                          place.device(), place.machine.commit});
  }
  return table;
}

/// The fastest settings for each round error that any of them meets, one line each.
std::vector<std::string> answers(const std::vector<Point>& points) {
  std::vector<std::string> lines;
  for (const double error : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9}) {
    const Point* best = nullptr;
    for (const auto& p : points)
      if (p.tried.errors.p99_high <= error && (best == nullptr || p.tried.seconds < best->tried.seconds))
        best = &p;
    if (best == nullptr) break;
    lines.push_back(fmt::format("  error {:.0e}: {:.3g} ms by {}, {}", error, 1e3 * best->tried.seconds,
                                text_of(best->tried.method), pleiad::name_of(best->precision)));
  }
  if (!lines.empty()) lines.insert(lines.begin(), "fastest of these for 99 % of the bodies:");
  return lines;
}

}  // namespace

std::optional<Plot> plot_of_curve(const Table& table) {
  if (table.rows.empty()) return {};
  Plot plot{.title = fmt::format("Error and time of solvers, {} bodies", number(table, table.rows[0], "n")),
            .x_label = "error of 99 % of the bodies",
            .y_label = "ms",
            .panels = {{.title = "fmm"}, {.title = "barnes-hut"}}};
  for (auto& panel : plot.panels)
    for (const auto& row : table.rows) {
      const double error = number(table, row, "error_p99");
      const auto solver = text(table, row, "solver");
      const bool direct = solver.starts_with("direct");
      if (!(std::isfinite(error) && error > 0 && (direct || solver.starts_with(panel.title)))) continue;
      const auto name = direct ? solver : "order" + solver.substr(panel.title.size());
      panel.add(name, error, number(table, row, "ms"));
      // A colour for each order; the geometric criterion is dashed.
      auto& series = *std::find_if(panel.series.begin(), panel.series.end(),
                                   [&](const Series& each) { return each.name == name; });
      if (!direct) series.colour = name[std::string_view("order ").size()] - '0';
      series.dashed = name.ends_with(pleiad::name_of(Mac::spheres));
    }
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  if (plot.panels.empty()) return {};
  return plot;
}

Report accuracy_curve(const Bodies& bodies, const Gravity& gravity, const CurveOptions& options,
                      const Progress& progress) {
  if (bodies.size() < 2) throw UsageError("a single body has no force whose error could be measured");
  if (gravity.boundary.periodic && !gravity.boundary.all_images())
    throw UsageError(
        "trees include all images of a periodic box, so they cannot be compared for nearest images");
  const auto place = place_of(options.where);
  int left_out = 0;
  const auto points = measure(bodies, gravity, options, progress, left_out);
  Report report;
  report.table = table_of(points, bodies.size(), place);
  report.heading = {
      heading_of(place),
      fmt::format("{}: {} bodies, eps = {:g}; errors |da| / |a| of {} of them against direct sums in double "
                  "precision",
                  options.name, bodies.size(), gravity.softening.eps, points[0].tried.errors.sample)};
  for (auto& line : answers(points)) report.heading.push_back(std::move(line));
  report.notes = {"*: no other row is both faster and more accurate",
                  "solver: method, order of the expansion, acceptance criterion (error: by a tolerance of "
                  "the force error; "
                  "spheres: by an opening angle theta)",
                  "p50, p99, max: relative force error of half, of 99 % and of all of the measured bodies; "
                  "p99 from, to: its "
                  "95 % confidence interval"};
  if (left_out > 0)
    report.notes.push_back(
        fmt::format("tighter settings of {} orders were skipped: {:g} s had passed (--longest)", left_out,
                    options.longest_seconds));
  report.plot = plot_of_curve(report.table);
  return report;
}

}  // namespace pleiad::bench
