/// The scan: kernels x precisions x threads x numbers of bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/scan.hpp"

#include "bench/columns.hpp"
#include "bench/course.hpp"
#include "bench/problems.hpp"
#include "bench/stop.hpp"
#include "direct/absent.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t cpu_sizes[] = {256, 1024, 4096, 16384};
constexpr Precision all_precisions[] = {Precision::f32, Precision::mixed, Precision::f64};

/// Lists filled in and checked.
struct Axes {
  std::vector<std::size_t> sizes;
  std::vector<Precision> precisions;
  std::vector<int> threads;
};

Axes axes_of(const ScanOptions& options, int cores) {
  Axes axes{options.sizes, options.precisions, options.threads};
  if (axes.sizes.empty()) axes.sizes.assign(std::begin(cpu_sizes), std::end(cpu_sizes));
  if (axes.precisions.empty()) axes.precisions.assign(std::begin(all_precisions), std::end(all_precisions));
  if (axes.threads.empty()) axes.threads = cores > 1 ? std::vector{1, cores} : std::vector{1};
  for (const int t : axes.threads)
    if (t < 1 || t > cores)
      throw UsageError(fmt::format("threads = {} must be from 1 to {}, what this machine offers", t, cores));
  std::sort(axes.sizes.begin(), axes.sizes.end());
  return axes;
}

/// All sizes of one kernel, precision and number of threads.
void scan_sizes(Case what, const Axes& axes, const ScanOptions& options, Problems& problems,
                const Progress& progress, const PeakMeter& peak, std::vector<Row>& rows, Report& report) {
  double seconds_per_interaction = 0;
  for (const auto n : axes.sizes) {
    const double forecast = seconds_per_interaction * double(n) * double(n);
    if (options.sizes.empty() && forecast > options.longest_seconds) {
      report.notes.push_back(
          fmt::format("{} {} left out from N = {}: {:.1f} s per evaluation (set -n to measure it)",
                      what.kernel->name, pleiad::name_of(what.precision), n, forecast));
      return;
    }
    progress(fmt::format("{} {} N = {} threads {}", what.kernel->name, pleiad::name_of(what.precision), n,
                         what.threads));
    try {
      rows.push_back(
          measure(what, problems.get(n, what.precision, Masses::equal, what.kernel), options.rules, peak));
      if (what.precision == Precision::mixed && what.kernel->traits.open)
        rows.back().disc = measure_disc(what, problems.disc(n, what.precision), options.rules);
      seconds_per_interaction = 1 / rows.back().interactions_per_second();
    } catch (const NumericalError& error) {
      report.refused.emplace_back(error.what());
    }
  }
}

}  // namespace

Report scan(const ScanOptions& options, const Progress& progress, const PeakMeter& peak) {
  const Place place = place_of(Device::cpu);
  const Axes axes = axes_of(options, place.machine.cores);
  Report report{.heading = {}, .notes = {}, .table = evaluations(), .plot = {}, .refused = {}};
  Problems problems;
  std::vector<Row> rows;
  until_stopped(report, [&] {
    for (const auto* kernel : options.kernels)
      for (const auto precision : axes.precisions) {
        if (!kernel->has(precision)) continue;
        for (const int threads : axes.threads) {
          if (threads > 1 && !kernel->traits.threaded) {
            if (!options.threads.empty())
              report.notes.push_back(
                  fmt::format("{} runs on one thread: not measured on {}", kernel->name, threads));
            continue;
          }
          scan_sizes({.kernel = kernel, .precision = precision, .threads = threads, .shape = {}}, axes,
                     options, problems, progress, peak, rows, report);
        }
      }
  });
  if (rows.empty() && report.refused.empty() && report.stopped.empty())
    throw UsageError(
        "nothing to measure: no requested kernel has the requested precision and threads (see pleiad "
        "bench --list)");
  for (const auto& row : rows) report.table.rows.push_back(cells_of(row, place));
  report.heading = {heading_of(place), problem_in_words()};
  report.notes.push_back(
      "limit: the multiply-add rate measured with each row, divided by the operations of the kernel's "
      "formulation; errors: |da|/|a| "
      "against long double");
  report.plot = plot_of_evaluations(report.table);
  return report;
}

Report list_kernels(std::span<const DirectKernel* const> kernels) {
  Report report;
  report.table.columns = {{"rung", "rung"},       {"kernel", "kernel"},
                          {"device", "device"},   {"precisions", "precisions"},
                          {"traits", "promises"}, {"idea", "idea"}};
  for (const auto* kernel : kernels) {
    std::vector<std::string_view> precisions, promises;
    for (const auto p : all_precisions)
      if (kernel->has(p)) precisions.push_back(pleiad::name_of(p));
    const auto& t = kernel->traits;
    for (const auto& [has, name] : {std::pair<bool, std::string_view>{t.simd, "simd"},
                                    {t.threaded, "threaded"},
                                    {t.reproducible, "reproducible"},
                                    {t.any_threads, "any-threads"},
                                    {t.separate_targets, "separate-targets"},
                                    {t.open, "open-space"},
                                    {t.periodic, "periodic"},
                                    {t.all_images, "all-images"},
                                    {t.potential, "potential"}})
      if (has) promises.push_back(name);
    report.table.rows.push_back({std::int64_t{number_in_course(kernel->rung)}, std::string(kernel->name),
                                 std::string(kernel->device == Device::cpu ? "cpu" : "cuda"),
                                 fmt::format("{}", fmt::join(precisions, " ")),
                                 fmt::format("{}", fmt::join(promises, " ")), std::string(kernel->idea)});
  }
  for (const auto& absent : absent_kernels())
    report.table.rows.push_back({std::int64_t{number_in_course(absent.rung)}, std::string(absent.name),
                                 std::string("cuda"), std::string("not in this build"), Cell(),
                                 std::string(absent.idea)});
  return report;
}

}  // namespace pleiad::bench
