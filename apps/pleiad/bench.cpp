/// `pleiad bench`: speed and errors of the kernels on this machine, and the experiments of the published
/// benchmarks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/course.hpp"
#include "bench/ensemble.hpp"
#include "bench/experiments.hpp"
#include "bench/multi_gpu.hpp"
#include "bench/scan.hpp"
#include "bench/steps.hpp"
#include "bench/stop.hpp"
#include "bench_arguments.hpp"
#include "commands.hpp"
#include "core/print.hpp"
#include "cpu/target.hpp"
#include "numbers.hpp"
#include "run/stop.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::app {
namespace {

using namespace pleiad::bench;

bool has_column(const Table& table, std::string_view key) {
  return std::ranges::find(table.columns, key, &Column::key) != table.columns.end();
}

void run_earlier(const BenchArguments& a) {
  Report report;
  report.table = earlier_rows(a);
  // Rows of full steps have a hash of the state.
  if (has_column(report.table, "state_hash")) show_as(report.table, table_of_steps());
  report.heading = {heading_of(report.table)};
  report.plot = plot_of_evaluations(report.table);
  publish(report, a);
}

void run_cpu(const BenchArguments& a) {
  const auto kernels = kernels_of(a, Device::cpu);
  ScanOptions options{.kernels = kernels,
                      .sizes = a.sizes,
                      .precisions = precisions_of(a),
                      .threads = a.threads,
                      .rules = {}};
  if (a.quick) {
    options.rules = {.budget_seconds = 0.03, .quiet = 0.02, .least_samples = 3, .sample_seconds = 1e-4};
    options.longest_seconds = 0.1;
  }
  publish_measured(a, [&](const bench::Progress& told) { return scan(options, told); });
}

void run_systems(const BenchArguments& a) {
  EnsembleBench options{.systems = a.systems,
                        .sizes = a.sizes,
                        .precisions = precisions_of(a),
                        .kernel = only<std::string>(a.kernels, "--kernel", "auto")};
  if (a.quick) options.budget_seconds = 0.05;
  publish_measured(a, [&](const bench::Progress& told) { return measure_ensemble(options, told); });
}

void run_steps(const BenchArguments& a) {
  if (a.systems > 0) return run_systems(a);
  StepsOptions options{
      .sizes = a.sizes, .precisions = precisions_of(a), .threads = a.threads, .kernels = a.kernels};
  if (a.quick) options.budget_seconds = 0.05, options.longest_seconds = 0.1;
  publish_measured(a, [&](const bench::Progress& told) { return measure_steps(options, told); });
}

void run_gpus(const BenchArguments& a) {
  if (!a.from.empty()) {
    Report report;
    report.table = earlier_rows(a);
    show_as(report.table, table_of_gpus());
    report.heading = {heading_of(report.table)};
    report.plot = plot_of_gpus(report.table);
    return publish(report, a);
  }
  GpusOptions options{.sizes = a.sizes, .precisions = precisions_of(a), .gpus = a.gpus, .kernels = a.kernels};
  if (a.quick) options.budget_seconds = 0.03;
  publish_measured(a, [&](const bench::Progress& told) { return measure_gpus(options, told); });
}

/// Options that only some experiments have; they are refused for others rather than ignored.
void take_solvers(const Experiment& experiment, ExperimentOptions& options, const BenchArguments& a) {
  if (!a.backend.empty()) options.backend = a.backend;
  options.model = a.model, options.accuracy = a.accuracy, options.most = a.most;
  if (experiment.solvers || (a.backend.empty() && a.model.empty() && !a.accuracy && a.most == 0)) return;
  throw UsageError(fmt::format(
      "--backend, --model, --accuracy and --most are for the experiments crossover and trees, not for {}",
      experiment.name));
}

void run_experiments(const BenchArguments& a) {
  const auto& experiment = experiment_named(a.experiment);
  if (!a.from.empty()) return publish(earlier_experiment(experiment, earlier_rows(a)), a);
  ExperimentOptions options{.kernel = {},
                            .precision = {},
                            .steps = {},
                            .sizes = a.sizes,
                            .threads = only(a.threads, "--threads", 0),
                            .quick = a.quick,
                            .backend = "cpu",
                            .model = {},
                            .accuracy = {},
                            .most = 0};
  if (!a.kernels.empty()) options.kernel = only<std::string>(a.kernels, "--kernel", "");
  if (!a.precisions.empty()) options.precision = only(precisions_of(a), "--precision", Precision::f32);
  if (a.steps > 0) options.steps = a.steps;
  take_solvers(experiment, options, a);
  publish_measured(a, [&](const bench::Progress& told) { return run_experiment(experiment, options, told); });
}

/// The kernels of all builds, those that this one leaves out included, and the experiments.
void list(const BenchArguments& a) {
  auto report = list_kernels(direct_kernels());
  report.notes = {"", "experiments, measured by pleiad bench --experiment NAME:"};
  for (const auto* e : experiments()) report.notes.push_back(fmt::format("  {:<13} {}", e->name, e->idea));
  report.notes.emplace_back("docs/published-benchmarks.md says which published benchmark each repeats");
  publish(report, a);
}

void run_bench(const BenchArguments& a) {
  if (a.cuda_samples) return run_cuda_samples(a);
  if (a.list) return list(a);
  if (!a.experiment.empty()) return run_experiments(a);
  throw UsageError(
      "pleiad bench: say what to measure: cpu, gpu, gpus, steps, run, --experiment NAME, --cuda-samples "
      "or --list (see pleiad bench --help)");
}

}  // namespace

void add_common(Command command, BenchArguments& a) {
  command.add_option("--kernel", a.kernels, kernel_help).transform(name_of_rung());
  command.add_option("-n,--bodies", a.sizes, "numbers of bodies").transform(whole_number(1));
  command.add_option("--precision", a.precisions, "f32, mixed, f64");
  command.add_option("--threads", a.threads, "numbers of threads, as in 1,2")
      .delimiter(',')
      .transform(whole_number(0, 4096));
  command.add_option("--simd", a.simd, "use this instruction set instead of the machine's best, as in avx2");
  command.add_flag("--quick", a.quick, "shorter, noisier measurements");
  command.add_option("--json", a.json, "write the table as JSON to this file, or - for stdout");
  command.add_option("--csv", a.csv, "write the table as CSV to this file, or - for stdout");
  command
      .add_option("--from", a.from, "show and plot the rows of an earlier --json file instead of measuring")
      .existing_file();
  command.add_option("--plot", a.plot, "plot to this .png file (needs gnuplot); its script is kept beside it")
      .check({[](std::string& name) {
                return name.ends_with(".png") ? std::string() : fmt::format("'{}' must end in .png", name);
              },
              {},
              {}});
}

Rule name_of_rung() {
  return {[](std::string& text) {
            try {
              text = kernel_of_number(text);
              return std::string();
            } catch (const UsageError& e) {
              return std::string(e.what());
            }
          },
          {},
          {}};
}

Claims claims_of(const BenchArguments& a) {
  Claims claims;
  claims.reads(a.from);
  claims.writes(a.json, "--json");
  claims.writes(a.csv, "--csv");
  if (a.plot.empty()) return claims;
  claims.writes(a.plot, "--plot");
  claims.writes(bench::script_of(a.plot), "the script of --plot");
  return claims;
}

void show_progress(const std::string& what) {
  if (isatty(STDERR_FILENO) == 1) print_err("\r\033[K{}", what);
}

void publish(const Report& report, const BenchArguments& a) {
  show_progress("");
  bench::publish(report, {.json = a.json, .csv = a.csv, .plot = a.plot});
}

void publish_measured(const BenchArguments& a, const std::function<Report(const bench::Progress&)>& measure) {
  const run::SignalWatch watch;
  publish(measure([](const std::string& what) {
            if (auto signal = run::SignalWatch::received(); !signal.empty()) throw Stopped{std::move(signal)};
            show_progress(what);
          }),
          a);
}

Table earlier_rows(const BenchArguments& a) {
  std::ifstream file(a.from);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return from_json(text, a.from, column);
}

std::vector<Precision> precisions_of(const BenchArguments& a) {
  std::vector<Precision> precisions;
  for (const auto& name : a.precisions) precisions.push_back(precision_named(name));
  return precisions;
}

std::vector<const DirectKernel*> kernels_of(const BenchArguments& a, Device device) {
  std::vector<const DirectKernel*> kernels;
  for (const auto& name : a.kernels) {
    kernels.push_back(&direct_kernel(name));
    if (kernels.back()->device != device)
      throw UsageError(fmt::format("kernel '{}' is not one of pleiad bench {}", name,
                                   device == Device::cpu ? "cpu" : "gpu"));
  }
  if (kernels.empty())
    for (const auto* kernel : direct_kernels())
      if (kernel->device == device) kernels.push_back(kernel);
  return kernels;
}

void add_bench(Command app, int&) {
  auto bench = app.add_subcommand(
      "bench", "Measure kernels, time steps and the experiments of the published benchmarks");
  const auto a = std::make_shared<BenchArguments>();
  add_common(bench, *a);
  bench.add_flag("--list", a->list, "list the kernels and the experiments");
  std::string names;
  for (const auto* e : experiments()) names += fmt::format("\n  {}: {}", e->name, e->idea);
  bench.add_option("--experiment", a->experiment, "run an experiment:" + names);
  bench.add_option("--steps", a->steps, "number of steps of the experiment").transform(whole_number(1));
  bench.add_option("--backend", a->backend, "for the experiments crossover and trees: cpu, cuda")
      .one_of({"cpu", "cuda"});
  bench.add_option("--model", a->model,
                   "for the same: a model of pleiad ic --list, or a name in the experiment's table");
  bench.add_option("--accuracy", a->accuracy, "for the same: target 99th-percentile force error")
      .check(number(0, 1, true));
  bench.add_option("--most", a->most, "for the same: largest number of bodies").transform(whole_number(1000));
  bench.add_flag("--cuda-samples", a->cuda_samples,
                 "time full steps and print the three lines of NVIDIA's sample nbody; any -n");
  bench.footer(
      "Example: pleiad bench cpu --kernel cpu/simd cpu/symmetric -n 4096 16384 --precision f32 --plot "
      "rates.png");
  bench.require_subcommand(0, 1);
  auto cpu = bench.add_subcommand(
      "cpu", "Rate and error of the CPU kernels, by size, precision and number of threads");
  add_common(cpu, *a);
  cpu.footer("Example: pleiad bench cpu -n 16384 --json rates.json");
  auto gpu = bench.add_subcommand("gpu", "Rate, error and occupancy of the GPU kernels");
  add_common(gpu, *a);
  add_gpu_options(gpu, *a);
  auto steps = bench.add_subcommand("steps", "Full leapfrog steps through the engine, from 64 bodies on");
  add_common(steps, *a);
  steps
      .add_option("--systems", a->systems,
                  "number of independent systems of -n bodies (default 64) advanced at once")
      .transform(whole_number(1));
  steps.footer("Example: pleiad bench steps -n 64 4096 --kernel auto --precision mixed --json steps.json");
  auto gpus = bench.add_subcommand(
      "gpus", "Full steps on one, two and four GPUs: speed-up, and a check for identical bits");
  add_common(gpus, *a);
  gpus.add_option("--gpus", a->gpus, "numbers of GPUs, as in 1,2,4")
      .delimiter(',')
      .transform(whole_number(1, 64));
  gpus.footer("Example: pleiad bench gpus -n 65536 --precision f32 --gpus 1,2 --json gpus.json");
  auto run = bench.add_subcommand("run", "Complete runs, from the command to its end: where the time goes");
  add_run_options(run, *a);
  bench.callback([=] {
    claims_of(*a);
    if (run.parsed()) return run_runs(*a);
    cpu::use_simd_target(a->simd);
    if ((cpu.parsed() || gpu.parsed() || steps.parsed()) && !a->from.empty()) run_earlier(*a);
    else if (cpu.parsed()) run_cpu(*a);
    else if (gpu.parsed()) run_gpu(*a);
    else if (gpus.parsed()) run_gpus(*a);
    else if (steps.parsed()) run_steps(*a);
    else run_bench(*a);
  });
}

}  // namespace pleiad::app
