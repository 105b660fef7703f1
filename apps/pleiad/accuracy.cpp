/// `pleiad accuracy`: force error and time of every solver, on the bodies of a file or a model.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/solvers.hpp"
#include "bench_arguments.hpp"
#include "commands.hpp"
#include "core/clock.hpp"
#include "core/print.hpp"
#include "core/threads.hpp"
#include "numbers.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <memory>
#include <optional>

#include <unistd.h>

namespace pleiad::app {
namespace {

struct AccuracyArguments {
  std::string file, model, n;
  std::vector<std::string> settings;
  std::string precision = "mixed", backend = "cpu";
  std::uint64_t seed = 1;
  std::optional<double> eps;
  double longest = 300;
  int threads = 0;
  BenchArguments out;
};

/// The bodies, and the softening that goes with them.
std::pair<Snapshot, double> bodies_of(AccuracyArguments& a, Claims& claims) {
  if (a.file.empty() == a.model.empty())
    throw UsageError("pleiad accuracy: give a snapshot or --model, one of the two");
  if (!a.model.empty()) {
    if (!a.n.empty()) a.settings.push_back("n=" + a.n);
    return {make_model(a.model, a.settings, a.seed), model_named(a.model).suggested_softening};
  }
  if (!a.n.empty() || !a.settings.empty())
    throw UsageError("pleiad accuracy: -n and --set are for --model, not for a file");
  auto content = read_snapshot(a.file);
  claims.reads_all(content.files);
  claims.reads_all(content.beside);
  return {std::move(content.snapshot), 0};
}

/// On a terminal a line that is rewritten; else a line now and then.
class Progress {
 public:
  void operator()(const std::string& what) {
    if (isatty(STDERR_FILENO) == 1) return show_progress(what);
    constexpr double pause = 2;
    const double now = seconds() - start_;
    if (count_++ > 0 && now < told_ + pause) return;
    print_err("pleiad: {:.0f} s: {}\n", now, what);
    told_ = now;
  }

 private:
  double start_ = seconds(), told_ = 0;
  int count_ = 0;
};

void execute(AccuracyArguments& a) {
  bench::Report report;
  auto claims = claims_of(a.out);
  claims.reads(a.file);
  if (!a.out.from.empty()) {
    report.table = earlier_rows(a.out);
    report.heading = {bench::heading_of(report.table)};
    report.plot = bench::plot_of_curve(report.table);
    return publish(report, a.out);
  }
  const auto precision = precision_named(a.precision);
  auto [snapshot, suggested] = bodies_of(a, claims);
  const double eps = a.eps.value_or(suggested);
  snapshot.bodies.softening.clear();  // one for all, as --eps says
  const std::string name = a.model.empty() ? a.file : a.model;
  validate(snapshot.bodies, eps, name);
  set_threads(a.threads);
  const Gravity gravity{.G = snapshot.G, .softening = {eps}, .boundary = snapshot.boundary};
  publish(bench::accuracy_curve(snapshot.bodies, gravity,
                                {.name = name,
                                 .precision = precision,
                                 .where = a.backend == "cuda" ? Device::cuda : Device::cpu,
                                 .longest_seconds = a.longest},
                                Progress()),
          a.out);
}

}  // namespace

void add_accuracy(Command app, int&) {
  auto command = app.add_subcommand(
      "accuracy", "Measure force error and time of all solvers: direct sums and every order of the trees");
  const auto a = std::make_shared<AccuracyArguments>();
  command.add_option("file", a->file, "a snapshot in any format");
  command.add_option("--model", a->model, "a model of `pleiad ic --list` instead");
  command.add_option("-n,--bodies", a->n, "number of bodies of the model").transform(whole_number(2));
  command.add_option("--set", a->settings, "parameters of the model: name=value");
  command.add_option("--seed", a->seed, "random seed of the model").transform(seed_number());
  command.add_option("--eps", a->eps, "Plummer softening length (default: suited to the model; 0 for a file)")
      .check(number(0));
  command.add_option("--precision", a->precision, "precision of the trees: f32, mixed, f64 (default: mixed)");
  command.add_option("--backend", a->backend, "cpu, cuda (default: cpu)").one_of({"cpu", "cuda"});
  command.add_option("--threads", a->threads, "CPU threads (0: all)").transform(whole_number(0, 4096));
  command
      .add_option("--longest", a->longest,
                  "time budget in seconds (300); settings that would exceed it are skipped")
      .check(number(0, 1e9, true));
  command.add_option("--json", a->out.json, "write the table as JSON to this file, or - for stdout");
  command.add_option("--csv", a->out.csv, "write the table as CSV to this file, or - for stdout");
  command
      .add_option("--from", a->out.from,
                  "show and plot the rows of an earlier --json file instead of measuring")
      .existing_file();
  command.add_option("--plot", a->out.plot, "plot the curves to this .png file (needs gnuplot)");
  command.footer("Example: pleiad accuracy --model galaxy -n 100000 --plot galaxy.png");
  command.callback([a] { execute(*a); });
}

}  // namespace pleiad::app
