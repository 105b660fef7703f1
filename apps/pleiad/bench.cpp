/// `pleiad bench`: how fast and how exact the kernels are on this machine, and the experiments of the
/// published accounts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"
#include "bench/scan.hpp"
#include "bench/step.hpp"
#include "commands.hpp"

#include <pleiad/error.hpp>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::app {
namespace {

using namespace pleiad::bench;

struct Arguments {
  std::vector<std::string> kernels, precisions;
  std::vector<std::size_t> sizes;
  std::vector<int> threads;
  std::string experiment, json, csv, plot;
  std::uint64_t steps = 0;
  bool quick = false, list = false;
};

/// One line on a terminal, rewritten; nothing elsewhere.
void show_progress(const std::string& what) {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\033[K{}", what);
}

void publish(const Report& report, const Arguments& a) {
  show_progress("");
  bench::publish(report, {.json = a.json, .csv = a.csv, .plot = a.plot}, std::cout);
}

std::vector<Precision> precisions_of(const Arguments& a) {
  std::vector<Precision> precisions;
  for (const auto& name : a.precisions) precisions.push_back(precision_named(name));
  return precisions;
}

template <class T>
T only(const std::vector<T>& values, const char* option, T otherwise) {
  if (values.size() > 1)
    throw UsageError(fmt::format("{}: one value only here, not {}", option, values.size()));
  return values.empty() ? otherwise : values.front();
}

void run_cpu(const Arguments& a) {
  std::vector<const DirectKernel*> kernels;
  for (const auto& name : a.kernels) kernels.push_back(&direct_kernel(name));
  if (kernels.empty())
    for (const auto* kernel : direct_kernels())
      if (kernel->device == Device::cpu) kernels.push_back(kernel);
  ScanOptions options{.kernels = kernels,
                      .sizes = a.sizes,
                      .precisions = precisions_of(a),
                      .threads = a.threads,
                      .rules = {}};
  if (a.quick) {
    options.rules = {.budget_seconds = 0.03, .quiet = 0.02, .least_samples = 3, .sample_seconds = 1e-4};
    options.longest_seconds = 0.1;
  }
  publish(scan(options, show_progress), a);
}

void run_step(const Arguments& a) {
  StepOptions options;
  if (!a.sizes.empty()) options.sizes = a.sizes;
  if (!a.precisions.empty()) options.precisions = precisions_of(a);
  options.threads = a.threads;
  options.kernel = only<std::string>(a.kernels, "--kernel", "auto");
  if (a.quick) options.budget_seconds = 0.1;
  publish(step_overhead(options, show_progress), a);
}

void run_experiments(const Arguments& a) {
  ExperimentOptions options{.kernel = {},
                            .precision = {},
                            .steps = {},
                            .sizes = a.sizes,
                            .threads = only(a.threads, "--threads", 0),
                            .quick = a.quick};
  if (!a.kernels.empty()) options.kernel = only<std::string>(a.kernels, "--kernel", "");
  if (!a.precisions.empty()) options.precision = only(precisions_of(a), "--precision", Precision::f32);
  if (a.steps > 0) options.steps = a.steps;
  publish(run_experiment(experiment_named(a.experiment), options, show_progress), a);
}

void run_bench(const Arguments& a) {
  if (a.list) return publish(list_kernels(direct_kernels()), a);
  if (!a.experiment.empty()) return run_experiments(a);
  throw UsageError(
      "pleiad bench: say what: cpu, step, --experiment NAME or --list (see pleiad bench --help)");
}

void add_common(CLI::App& command, Arguments& a) {
  command.add_option("--kernel", a.kernels, "kernels, by their names in pleiad bench --list");
  command.add_option("-n,--bodies", a.sizes, "numbers of bodies");
  command.add_option("--precision", a.precisions, "f32, mixed, f64");
  command.add_option("--threads", a.threads, "numbers of threads, as in 1,2")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--quick", a.quick, "shorter measurements with more noise");
  command.add_option("--json", a.json, "write the table as JSON to this file, or - for stdout");
  command.add_option("--csv", a.csv, "write the table as CSV to this file, or - for stdout");
  command.add_option("--plot", a.plot,
                     "draw a plot into this .png file through gnuplot, its script beside it");
}

}  // namespace

void add_bench(CLI::App& app, int&) {
  auto* bench = app.add_subcommand("bench", "measure kernels, steps and the published experiments");
  const auto a = std::make_shared<Arguments>();
  add_common(*bench, *a);
  bench->add_flag("--list", a->list, "print the catalogue of kernels");
  std::string names;
  for (const auto* e : experiments()) names += fmt::format("\n  {}: {}", e->name, e->idea);
  bench->add_option("--experiment", a->experiment, "run a published experiment:" + names);
  bench->add_option("--steps", a->steps, "steps of the experiment")->check(CLI::PositiveNumber);
  bench->footer(
      "Example: pleiad bench cpu --kernel cpu/simd cpu/symmetric -n 4096 16384 --precision f32 --plot "
      "rates.png");
  bench->require_subcommand(0, 1);
  auto* cpu =
      bench->add_subcommand("cpu", "rate and error of every kernel, size, precision and number of threads");
  add_common(*cpu, *a);
  cpu->footer("Example: pleiad bench cpu -n 16384 --json rates.json");
  auto* step = bench->add_subcommand("step", "what a whole leapfrog step costs beyond its force evaluation");
  add_common(*step, *a);
  step->footer("Example: pleiad bench step -n 256");
  bench->callback([=] {
    if (cpu->parsed()) run_cpu(*a);
    else if (step->parsed()) run_step(*a);
    else run_bench(*a);
  });
}

}  // namespace pleiad::app
