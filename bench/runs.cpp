/// Complete runs: each in a separate process, whose summary is read; then the same steps by the engine alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/runs.hpp"

#include "bench/columns.hpp"
#include "bench/gpu.hpp"
#include "bench/stop.hpp"
#include "bench/timing.hpp"
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "render/process.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double run_dt = 1.0 / 4096, softening = 1e-3;

constexpr std::array cases{
    // What most runs are like: outputs as they are by default.
    RunCase{.name = "cpu-million", .n = 1'000'000, .steps = 20, .accuracy = 1e-3},
    RunCase{.name = "cpu-million-100", .n = 1'000'000, .steps = 100, .accuracy = 1e-3, .goal = 1.2},
    RunCase{
        .name = "gpu-16m", .device = Device::cuda, .n = std::size_t{1} << 24, .steps = 32, .accuracy = 1e-3},
    RunCase{.name = "gpu-million",
            .device = Device::cuda,
            .n = std::size_t{1} << 20,
            .steps = 16,
            .accuracy = 1e-3},
    RunCase{.name = "gpu-million-direct",
            .device = Device::cuda,
            .n = std::size_t{1} << 20,
            .steps = 4,
            .precision = Precision::mixed},
    // With many outputs.
    RunCase{.name = "gpu-16m-movie",
            .device = Device::cuda,
            .n = std::size_t{1} << 24,
            .steps = 1000,
            .accuracy = 1e-3,
            .rows = 100,
            .snapshots = 10,
            .pictures = 100,
            .checkpoint_seconds = 60,
            .goal = 1.15},
    RunCase{.name = "gpu-million-movie",
            .device = Device::cuda,
            .n = std::size_t{1} << 20,
            .steps = 10'000,
            .accuracy = 1e-3,
            .rows = 100,
            .pictures = 100,
            .goal = 1.15},
};

const RunCase& case_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& c : cases) {
    if (c.name == name) return c;
    names.push_back(c.name);
  }
  throw UsageError(fmt::format("--case: no '{}'; there are {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

/// A folder of its own below another, gone with all that is in it.
class Folder {
 public:
  explicit Folder(const fs::path& below) {
    auto name = (below / "pleiad-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw ResourceError(fmt::format("no folder can be made in '{}': {}", below.string(),
                                      std::generic_category().message(errno)));
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { remove(path_); }
  const fs::path& path() const { return path_; }
  static void remove(const fs::path& what) {
    std::error_code failed;
    fs::remove_all(what, failed);
  }

 private:
  fs::path path_;
};

std::string parameters_of(const RunCase& c) { return fmt::format("n={}", c.n); }

Options options_of(const RunCase& c, const RunsOptions& asked) {
  Options o;
  o.ic.model = "plummer";
  o.ic.parameters = {parameters_of(c)};
  o.gravity.softening = softening;
  o.time.dt = run_dt, o.time.t_end = run_dt * double(c.steps);
  o.engine.backend = name_of(c.device);
  o.engine.precision = name_of(c.precision);
  o.engine.threads = asked.threads, o.engine.gpus = asked.gpus;
  o.solver.accuracy = c.accuracy;
  const auto interval = [&](std::uint64_t count) {
    return count == 0 ? 0 : run_dt * double(std::max<std::uint64_t>(c.steps / count, 1));
  };
  o.output.diagnostics_interval = interval(c.rows);
  o.output.snapshot_interval = interval(c.snapshots);
  o.output.picture_interval = interval(c.pictures);
  o.checkpoint.interval_seconds = c.checkpoint_seconds;
  return o;
}

RunCase smaller(RunCase c) {
  c.n /= 64;
  c.steps = std::min<std::uint64_t>(c.steps, 200);
  for (auto* count : {&c.rows, &c.snapshots, &c.pictures}) *count = std::min<std::uint64_t>(*count, 20);
  c.goal = 0;  // so small a run is its setup
  return c;
}

/// What a plain program reaches: bytes per second written one after another, and on the disk.
double disk_speed(const fs::path& folder, std::size_t bytes) {
  const auto file = folder / "plain";
  const std::vector<char> piece(std::size_t{8} << 20, 'x');
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wb"), std::fclose);
  if (!out) throw ResourceError(fmt::format("'{}' cannot be written", file.string()));
  std::setvbuf(out.get(), nullptr, _IONBF, 0);
  const double seconds = seconds_of([&] {
    for (std::size_t done = 0; done < bytes; done += piece.size())
      if (std::fwrite(piece.data(), 1, std::min(piece.size(), bytes - done), out.get()) == 0)
        throw ResourceError(fmt::format("'{}': no room for {} bytes", file.string(), bytes));
    ::fsync(::fileno(out.get()));
  });
  Folder::remove(file);
  return double(bytes) / seconds;
}

/// Of the last snapshot of a run; 0 without one.
std::size_t bytes_of(const std::string& file) {
  std::error_code failed;
  const auto bytes = fs::file_size(file, failed);
  return failed ? 0 : std::size_t(bytes);
}

std::size_t files_in(const fs::path& folder, std::string_view ending) {
  if (!path_exists(folder)) return 0;
  return std::size_t(std::ranges::count_if(entries_of(folder),
                                           [&](const auto& file) { return file.extension() == ending; }));
}

std::size_t rows_in(const fs::path& table) {
  std::istringstream lines(read_file(table));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) rows += !line.starts_with('#');
  return rows;
}

/// One step as the run made it, by an engine that does nothing else.
Timing time_steps(const RunCase& c, const RunsOptions& asked, const std::string& kernel) {
  const std::array parameters{parameters_of(c)};
  const auto start = make_model("plummer", parameters, 1);
  const Gravity gravity{.G = 1, .softening = {softening}, .boundary = {}, .dimension = 3};
  const auto engine = make_engine(start.bodies, gravity,
                                  {.precision = c.precision,
                                   .backend = std::string(name_of(c.device)),
                                   .method = force_method_of(kernel),
                                   .threads = asked.threads,
                                   .gpus = asked.gpus});
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = run_dt};
  const double once =
      std::min(seconds_of([&] { engine->advance(plan, 1); }), seconds_of([&] { engine->advance(plan, 1); }));
  const double budget = asked.quick ? 0.05 : 3;
  const auto batch = std::uint64_t(std::clamp(0.1 * budget / once, 1.0, 1000.0));
  return repeat([&] { return seconds_of([&] { engine->advance(plan, batch); }) / double(batch); },
                {.budget_seconds = budget / double(batch), .least_samples = 3, .sample_seconds = 0});
}

/// What is written beside the steps.
constexpr std::array beside{"snapshots", "pictures", "checkpoints"};
/// Parts of a whole run in the order in which it meets them; "tuning" is a part of the setup.
constexpr std::array parts{"setup",     "tuning",   "steps",       "rows",
                           "snapshots", "pictures", "checkpoints", "ending"};

Table table_of_runs() {
  Table table;
  table.columns = {{"case", "run"}};
  for (const auto* key : {"kernel", "device", "precision", "n", "gpus", "threads"})
    table.columns.push_back(column(key));
  table.columns.insert(table.columns.end(), {{"steps", "steps"},
                                             {"seconds", "seconds", "{:.2f}"},
                                             {"step_ms", "ms/step alone", "{:.4g}"},
                                             {"step_spread", ""},
                                             {"over_steps", "over steps alone", "{:.2f}"},
                                             {"goal", "goal", "{:.2f}"}});
  for (const auto* part : parts)
    table.columns.push_back({std::string(part) + "_seconds", std::string(part) + " s", "{:.2f}"});
  for (const auto* part : beside) table.columns.push_back({std::string(part) + "_beside_seconds", ""});
  table.columns.insert(table.columns.end(), {{"rest_seconds", "rest s", "{:.2f}"},
                                             {"rows_written", "rows"},
                                             {"snapshots_written", "snapshots"},
                                             {"pictures_written", "pictures"},
                                             {"snapshot_bytes", ""},
                                             {"disk_bytes_per_second", "disk MB/s", "{:.0f}", 1e-6},
                                             {"accuracy", "asked"},
                                             {"force_error_p99", "p99", "{:.2e}"},
                                             {"force_error_p99_high", "at most", "{:.2e}"},
                                             {"energy_error", "dE/E", "{:.1e}"},
                                             {"state_hash", "state"}});
  for (const auto* key : {"commit", "simd_target", "compiler", "driver", "runtime"})
    table.columns.push_back(column(key));
  return table;
}

class Runs {
 public:
  Runs(const RunsOptions& options, const Progress& progress)
      : options_(options), progress_(progress), folder_(options.directory) {}

  Report all() {
    const bool with_gpu = why_no_gpu().empty();
    std::vector<RunCase> chosen;
    for (const auto& name : options_.cases) chosen.push_back(case_named(name));
    if (chosen.empty())
      std::ranges::copy_if(cases, std::back_inserter(chosen),
                           [&](const RunCase& c) { return (c.device == Device::cuda) == with_gpu; });
    for (const auto& c : chosen)
      if (c.device == Device::cuda) (void)this_gpu();  // without one, that is the reason
    report_.table = table_of_runs();
    until_stopped(report_, [&] {
      for (const auto& c : chosen) measure(options_.quick ? smaller(c) : c);
    });
    finish();
    return std::move(report_);
  }

 private:
  const Place& place_for(Device device) {
    auto& place = places_[device == Device::cuda ? 1 : 0];
    if (!place) place = place_of(device);
    return *place;
  }

  void measure(const RunCase& c) {
    progress_(fmt::format("{}: {} bodies, {} steps", c.name, c.n, c.steps));
    try {
      report_.table.rows.push_back(row_of(c));
    } catch (const NumericalError& e) {
      report_.refused.emplace_back(e.what());
    }
    Folder::remove(folder_.path() / "run");
  }

  /// Runs the case; its summary, with the seconds of the whole process.
  ordered_json run(const RunCase& c) {
    const auto problem = folder_.path() / "problem.toml";
    write_file_atomically(problem, to_toml(options_of(c, options_)));
    render_detail::Outcome outcome;
    const double seconds = seconds_of([&] {
      outcome = render_detail::run_program(
          {options_.program.string(), "run", problem.string(), "--output", "run", "--quiet"}, folder_.path(),
          std::chrono::hours(2));
    });
    if (!outcome.good())
      throw NumericalError(fmt::format("no figure for {}: {}", c.name, outcome.why("pleiad run")));
    auto summary = ordered_json::parse(read_file(folder_.path() / "run" / "summary.json"), nullptr, false);
    if (summary.is_discarded())
      throw NumericalError(fmt::format("no figure for {}: its summary is no JSON", c.name));
    summary["whole_seconds"] = seconds;
    return summary;
  }

  std::vector<Cell> row_of(const RunCase& c) {
    const auto summary = run(c);
    const auto output = folder_.path() / "run";
    const auto snapshot = folder_.path() / summary["files"]["last_snapshot"].get<std::string>();
    const auto bytes = bytes_of(snapshot);
    const auto speed = bytes > 0 ? disk_speed(folder_.path(), std::min(bytes, std::size_t{1} << 30)) : 0;
    const auto kernel = summary["kernel"].get<std::string>();
    progress_(fmt::format("{}: its steps alone", c.name));
    const auto step = time_steps(c, options_, kernel);
    const double seconds = summary["whole_seconds"].get<double>();
    const auto& [machine, gpu] = place_for(c.device);
    std::vector<Cell> row{std::string(c.name),
                          kernel,
                          gpu ? gpu->name : machine.device,
                          summary["precision"].get<std::string>(),
                          std::int64_t(c.n),
                          gpu ? Cell(summary["gpus"].get<std::int64_t>()) : Cell(std::int64_t{0}),
                          gpu ? Cell() : Cell(summary["threads"].get<std::int64_t>()),
                          std::int64_t(c.steps),
                          seconds,
                          1e3 * step.median,
                          step.spread(),
                          seconds / (double(c.steps) * step.median),
                          c.goal > 0 ? Cell(c.goal) : Cell()};
    double told = 0;
    for (const auto* part : parts) {
      const double spent = summary["spent"].at(part).get<double>();
      if (std::string_view(part) != "tuning") told += spent;
      row.emplace_back(spent);
    }
    for (const auto* part : beside) row.emplace_back(summary["spent"]["beside"].at(part).get<double>());
    const auto error = [&](const char* key) {
      return summary.contains("force_error") ? Cell(summary["force_error"][key].get<double>()) : Cell();
    };
    row.insert(row.end(), {seconds - told, std::int64_t(rows_in(output / "diagnostics.txt")),
                           std::int64_t(files_in(output / "snapshots", ".hdf5")),
                           std::int64_t(files_in(output / "pictures", ".png")), std::int64_t(bytes),
                           speed > 0 ? Cell(speed) : Cell(), c.accuracy > 0 ? Cell(c.accuracy) : Cell(),
                           error("p99"), error("p99_high"), summary["energy_error"].get<double>(),
                           summary["state_hash"].get<std::string>(), machine.commit,
                           gpu ? Cell() : Cell(machine.simd_target), gpu ? Cell() : Cell(machine.compiler),
                           gpu ? Cell(gpu->driver) : Cell(), gpu ? Cell(gpu->runtime) : Cell()});
    return row;
  }

  void finish() {
    for (const auto& place : places_)
      if (place) report_.heading.push_back(heading_of(*place));
    report_.heading.push_back(
        fmt::format("pleiad run of Plummer spheres, eps = {:g}, dt = 1/4096, in a separate process, from "
                    "its start to its end",
                    softening));
    report_.notes.push_back(
        "over steps alone: the total time over that of the same steps in an engine without outputs; "
        "concurrent outputs count only while the steps wait for them; tuning is a part of the setup; the "
        "rest is "
        "start and end of the process; disk: one plain file as large as a snapshot, written and "
        "synced");
  }

  RunsOptions options_;
  const Progress& progress_;
  Folder folder_;
  std::optional<Place> places_[2];
  Report report_;
};

}  // namespace

std::span<const RunCase> run_cases() { return cases; }

Report measure_runs(const RunsOptions& options, const Progress& progress) {
  return Runs(options, progress).all();
}

}  // namespace pleiad::bench
