/// Steps per second of a damped system: a serial loop, one thread per body, shared tiles, and the best that
/// Pleiad does here; on a GPU also block sizes, flags of the compiler and kinds of loads.
///
/// 512 steps, fewer when a step is long; N = 256 ... 8192 on the processor and to 32768 on the GPU, blocks of
/// 8 ... 1024 at N = 16384 (damped.hpp). All programs do the same steps and must end in the same state.
/// Single precision carries positions to u = 2^-24 of the cube per step, and forces in another order differ
/// by some sqrt(N) u of themselves, which damping (velocities remember 20 steps) turns into 20 dt^2 sqrt(N) u
/// < 0.002 u per step: so after s steps positions may differ by 2 (s + 16) u, and no more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments/damped.hpp"
#include "bench/shapes.hpp"
#include "bench/speed_up.hpp"
#include "core/larger.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double unit_roundoff = 0x1p-24;

/// The largest distance between two states, in units of the cube.
double largest_distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    take_larger(largest, d);
  }
  return largest;
}

Table empty_table() {
  Table table{.columns = {{"part", "scan"},
                          {"variant", "variant"},
                          column("kernel"),
                          column("shape"),
                          column("n"),
                          {"steps_per_second", "FPS", "{:.5g}"},
                          column("spread"),
                          {"published_fps", "published", "{:.5g}"},
                          {"published_on", ""},
                          column("ms"),
                          {"speed_up", "speed-up", "{:.1f}"},
                          {"published_speed_up", "published", "{:.1f}"},
                          {"gain", "gain", "{:.2f}"},
                          {"gain_over", ""},
                          {"published_gain", "published", "{:.1f}"},
                          column("interactions_per_second"),
                          column("fraction_of_limit"),
                          {"difference", "difference", "{:.1e}"},
                          {"steps_compared", ""}},
              .rows = {}};
  for (const auto* key : {"threads", "device", "precision", "gpus", "commit"})
    table.columns.push_back(column(key));
  table.columns.push_back({"refused", ""});
  return table;
}

/// A row by the names of its cells; the others are empty.
class RowOf {
 public:
  explicit RowOf(const Table& table) : table_(table), cells_(table.columns.size()) {}
  RowOf& set(std::string_view key, Cell value) {
    const auto at = std::ranges::find(table_.columns, key, &Column::key);
    cells_.at(std::size_t(at - table_.columns.begin())) = std::move(value);
    return *this;
  }
  std::vector<Cell> cells() { return std::move(cells_); }

 private:
  const Table& table_;
  std::vector<Cell> cells_;
};

/// What is the same with and without a measurement.
RowOf row_of(const Table& table, const std::string& part, const DampedProgram& program, std::size_t n) {
  RowOf row(table);
  row.set("part", part).set("variant", program.variant).set("n", std::int64_t(n));
  if (const auto* fps = published_of(program, n))
    row.set("published_fps", fps->value).set("published_on", fps->hardware);
  if (part == "bodies" && program.block > 0)
    if (const auto* ratio = one_published({.source = "S3",
                                           .experiment = "speed-up over serial",
                                           .kernel = program.variant,
                                           .n = n,
                                           .block = program.block}))
      row.set("published_speed_up", ratio->value);
  if (program.published_gain) row.set("published_gain", *program.published_gain);
  return row;
}

/// The programs of a scan, compared with the serial loop, or with the best program on the processor where
/// that would take minutes.
class Comparison {
 public:
  Comparison(const ExperimentOptions& options, const Progress& progress, Report& report)
      : wanted_(options.steps.value_or(512)),
        budget_(options.quick ? 0.1 : 0.2),
        serial_beyond_(!options.sizes.empty()),
        no_gpu_(why_no_gpu()),
        progress_(progress),
        report_(report) {}

  void of(const DampedScan& scan) {
    part_ = scan.part, n_ = scan.n;
    const auto measurable = [&](const DampedProgram& p) { return can_run(p); };
    const bool with_serial = part_ == "bodies" && (n_ <= largest_serial || serial_beyond_);
    if (with_serial || std::ranges::any_of(scan.programs, measurable)) begin(with_serial);
    for (const auto& program : scan.programs)
      if (can_run(program)) measure(program);
      else if (program.on_gpu() && !no_gpu_.empty() && published_of(program, n_) != nullptr)
        add_refused(program, no_gpu_);
  }

 private:
  bool can_run(const DampedProgram& program) const {
    if (program.on_gpu()) return no_gpu_.empty();
    // The best on the processor says nothing of a publication that is at its GPU by now.
    return n_ <= largest_serial || serial_beyond_ || no_gpu_.empty();
  }

  /// The state that all are compared with.
  void begin(bool with_serial) {
    const auto program = with_serial ? serial_program() : DampedProgram{"", "cpu/symmetric", 0};
    tell(with_serial ? program.variant : program.kernel);
    start_ = damped_bodies(n_);
    steps_ = affordable_steps(start_, program, wanted_, budget_);
    oracle_ = run_damped(start_, program, steps_, budget_);
    serial_seconds_ = with_serial ? oracle_.step.median : 0;
    if (with_serial && serial_peak_ == 0) serial_peak_ = peak_of_serial_loop();
    fps_.clear();
    if (with_serial) add(program, oracle_, 0);
  }

  void measure(const DampedProgram& program) {
    tell(program.variant);
    try {
      auto outcome = run_damped(start_, program, steps_, program.on_the_stack ? budget_ : 0);
      const auto distance = difference(program, outcome);
      if (!distance) return;
      // Timed over as many steps as this program can afford, not over the serial loop's few.
      if (!program.on_the_stack)
        outcome.step =
            run_damped(start_, program, affordable_steps(start_, program, wanted_, budget_ / 3), budget_)
                .step;
      add(program, outcome, *distance);
    } catch (const UsageError& error) {  // a shape that cannot be launched
      add_refused(program, error.what());
    } catch (const NumericalError& error) {
      report_.refused.emplace_back(error.what());
    }
  }

  /// The distance of the two final states; nothing, and a refusal, when it is more than rounding.
  std::optional<double> difference(const DampedProgram& program, const DampedOutcome& outcome) {
    const double distance = largest_distance(outcome.bodies, oracle_.bodies),
                 bound = 2 * double(steps_ + 16) * unit_roundoff;
    if (distance <= bound) return distance;
    report_.refused.push_back(
        fmt::format("no figure for damping-fps at N = {}: {} ({}) and the serial loop differ by {:.3g} after "
                    "{} steps, more than the {:.3g} of rounding",
                    n_, program.kernel, program.variant, distance, steps_, bound));
    return {};
  }

  /// Throws when the figure is beyond what the hardware can do.
  void add(const DampedProgram& program, const DampedOutcome& outcome, double difference) {
    const auto& what = outcome.what;
    const double n = double(n_), seconds = outcome.step.median, rate = n * n / seconds;
    const double limit = possible_limit(what, n_, rate);
    auto row = row_of(report_.table, part_, program, n_);
    if (serial_seconds_ > 0) row.set("speed_up", speed_up(what, seconds, limit));
    if (const auto base = fps_.find(program.base); base != fps_.end())
      row.set("gain", 1 / seconds / base->second).set("gain_over", program.base);
    fps_[program.variant] = 1 / seconds;
    auto& place = places_[what.device()];
    if (!place) place = place_of(what.device());
    if (!place->gpu) row.set("threads", std::int64_t{what.threads});
    row.set("kernel", std::string(what.name()))
        .set("shape", name_of(what.shape))
        .set("steps_per_second", 1 / seconds)
        .set("spread", outcome.step.spread())
        .set("ms", 1e3 * seconds)
        .set("interactions_per_second", rate)
        .set("fraction_of_limit", rate / limit)
        .set("difference", difference)
        .set("steps_compared", std::int64_t(steps_))
        .set("device", place->device())
        .set("precision", std::string("f32"))
        .set("gpus", std::int64_t{place->gpu ? 1 : 0})
        .set("commit", place->machine.commit);
    report_.table.rows.push_back(row.cells());
  }
  /// Before a program is doubted, the serial loop is measured again, step by step.
  double speed_up(const Case& what, double seconds, double limit) {
    try {
      return possible_speed_up(what, n_, seconds, serial_seconds_, limit, serial_peak_);
    } catch (const NumericalError&) {
      serial_seconds_ = std::min(serial_seconds_, fastest_step(start_, serial_program(), 0.2));
      return possible_speed_up(what, n_, seconds, serial_seconds_, limit, serial_peak_);
    }
  }
  void add_refused(const DampedProgram& program, const std::string& why) {
    auto row = row_of(report_.table, part_, program, n_);
    const auto block = program.kernel.find(" block=");
    row.set("kernel", program.kernel.substr(0, block)).set("refused", why);
    if (block != std::string::npos) row.set("shape", program.kernel.substr(block + 1));
    report_.table.rows.push_back(row.cells());
  }
  void tell(const std::string& variant) const {
    progress_(fmt::format("damping-fps N = {}: {}", n_, variant));
  }

  std::uint64_t wanted_;
  double budget_;
  bool serial_beyond_;
  std::string no_gpu_;
  const Progress& progress_;
  Report& report_;
  std::map<Device, std::optional<Place>> places_;
  double serial_peak_ = 0;
  // Of the present scan.
  std::string part_;
  std::size_t n_ = 0;
  Bodies start_;
  std::uint64_t steps_ = 0;
  DampedOutcome oracle_;
  double serial_seconds_ = 0;
  std::map<std::string, double> fps_;
};

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.precision && *options.precision != Precision::f32)
    throw UsageError("damping-fps is an experiment in f32: the publication keeps all state in floats");
  const bool gpu = why_no_gpu().empty();
  if (!gpu && options.kernel && of_gpu(*options.kernel))
    (void)direct_kernel(options.kernel->substr(0, options.kernel->find(' ')));  // says why it cannot be used
  Report report;
  report.table = empty_table();
  Comparison comparison(options, progress, report);
  until_stopped(report, [&] {
    for (const auto& scan : damped_scans(options)) comparison.of(scan);
  });
  report.heading = {
      heading_of(place_of(Device::cpu)),
      "semi-implicit Euler with damping 0.95, single precision; speed-up over the serial loop; difference: "
      "largest distance from its final state (beyond N = 8192 from that of cpu/symmetric)",
      "gain: over the variant beside it, of a build over the same with -O3; -O1 and -O3 are options of "
      "ptxas, the assembler for the GPU"};
  if (gpu) {
    report.heading.insert(report.heading.begin(), heading_of(place_of(Device::cuda)));
    report.notes.push_back(
        "CUDA 13 and later do not support the publication's compute capability, 5.0: 7.5 is the "
        "oldest "
        "that can be compiled, and the driver compiles it for this GPU");
  }
  return report;
}

/// In words for the legend: "GeForce 840M: shared tiles".
std::string published_name(const Table& table, const std::vector<Cell>& row) {
  const auto hardware = text(table, row, "published_on");
  return fmt::format("{}: {}", hardware.substr(0, std::min(hardware.find(" ("), hardware.find(','))),
                     text(table, row, "variant"));
}

/// Steps per second against N, with the slope of 1 / N^2, and against the block; what was published dashed in
/// the colour of what was measured.
std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Damped system: steps per second",
            .x_label = "",
            .y_label = "steps per second",
            .panels = {{.title = "", .slope = -2, .x_label = "bodies"},
                       {.title = "N = 16384", .x_label = "threads per block"}}};
  const auto add = [&](const std::vector<Cell>& row, const std::string& name, const char* key) {
    const double fps = number(table, row, key);
    const auto part = text(table, row, "part"), shape = text(table, row, "shape");
    if (!(fps > 0)) return;
    if (part == "bodies") plot.panels[0].add(name, number(table, row, "n"), fps);
    else if (part == "block") plot.panels[1].add(name, shape_named(shape).threads_per_block, fps);
  };
  for (const auto& row : table.rows) add(row, text(table, row, "variant"), "steps_per_second");
  for (const auto& row : table.rows) add(row, published_name(table, row), "published_fps");
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  for (auto& panel : plot.panels)
    for (auto& series : panel.series) {
      const auto colon = series.name.find(": ");
      if (series.dashed = colon != std::string::npos; !series.dashed) continue;
      for (const auto& own : panel.series)
        if (own.name == series.name.substr(colon + 2)) series.colour = own.colour;
    }
  return plot.panels.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

extern constinit const Experiment damping_fps;
constinit const Experiment damping_fps{
    .name = "damping-fps",
    .idea =
        "steps per second of a damped system: serial loop, one thread per body, shared tiles, Pleiad's "
        "choice; "
        "block sizes, compiler flags and loads on a GPU",
    .published =
        "GPU over serial CPU 67.8x at N = 8192; fast math 2x (one thread per body) and 1.6x (tiles); "
        "the table printed N = 32768 as 32876",
    .run = run,
    .draw = draw,
    .columns = empty_table,
    .read_on = "docs/published-benchmarks.md, S3"};

}  // namespace pleiad::bench
