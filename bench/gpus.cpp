/// `pleiad bench gpus`: the same system on one, two and four GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/multi_gpu.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"
#include "bench/stop.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t gpus_sizes[] = {256, 1024, 4096, 16384, 65536, 262144, 1048576};

/// A kernel, and the numbers of bodies for which it is of interest.
struct Candidate {
  std::string name;
  std::size_t from = 0, to = std::numeric_limits<std::size_t>::max();
};
std::vector<Candidate> candidates(Precision precision) {
  const std::string symmetric = precision == Precision::f32   ? "cuda/equal-mass"
                                : precision == Precision::f64 ? "cuda/fp64-symmetric"
                                                              : "cuda/mixed-symmetric";
  return {{"auto"}, {"cuda/split-reduced", 1024, 65536}, {symmetric, 8192}};
}

class Gpus {
 public:
  Gpus(const GpusOptions& options, const Progress& progress)
      : options_(options), progress_(progress), place_(place_of(Device::cuda)) {
    auto& o = options_;
    if (o.sizes.empty()) o.sizes.assign(std::begin(gpus_sizes), std::end(gpus_sizes));
    std::sort(o.sizes.begin(), o.sizes.end());
    if (o.precisions.empty()) o.precisions = {Precision::mixed};
    if (o.gpus.empty())
      for (const int count : {1, 2, 4})
        if (count <= gpu_count()) o.gpus.push_back(count);
    for (const int count : o.gpus)
      if (count < 1 || count > gpu_count())
        throw ResourceError(fmt::format("{} GPUs asked for; there {} {}", count,
                                        gpu_count() == 1 ? "is" : "are", gpu_count()));
    std::sort(o.gpus.begin(), o.gpus.end());
    report_.table = table_of_gpus();
  }

  Report all() {
    until_stopped(report_, [&] {
      for (const auto precision : options_.precisions)
        for (const auto& candidate : asked_for(precision))
          for (const auto n : options_.sizes)
            if (candidate.from <= n && n <= candidate.to)
              for (const int count : options_.gpus) row_of(candidate.name, precision, n, count);
    });
    finish();
    return std::move(report_);
  }

 private:
  std::vector<Candidate> asked_for(Precision precision) const {
    if (options_.kernels.empty()) return candidates(precision);
    std::vector<Candidate> all;
    for (const auto& name : options_.kernels) all.push_back({name});
    return all;
  }

  void row_of(const std::string& kernel, Precision precision, std::size_t n, int count) {
    progress_(fmt::format("gpus: {} {} N = {} on {}", kernel, name_of(precision), n, count));
    try {
      const auto& bodies = problems_.bodies(n);
      const auto engine = make_engine(
          bodies, problem_gravity,
          {.precision = precision, .backend = "cuda", .method = force_method_of(kernel), .gpus = count});
      const auto described = engine->describe();
      const auto what = case_of(described, precision);
      const int used = described.gpus;
      const auto row = measure_multi_gpu(stepper_of(*engine), what, used, bodies, problems_.get(n, precision),
                                         options_.budget_seconds);
      const auto key = fmt::format("{} {} {}", described.kernel(), name_of(precision), n);
      const auto [same, first] = hashes_.try_emplace(key, row.hash);
      if (!first && same->second != row.hash)
        throw NumericalError(
            fmt::format("no figure for {} on {} GPUs: its state after {} steps is {}, and {} on fewer",
                        name_of(what, n), used, row.hashed_steps, row.hash, same->second));
      const auto one =
          times_.try_emplace(fmt::format("{} {} {}", kernel, name_of(precision), n), row.step.median).first;
      add(what, kernel == "auto", n, count, used, one->second, row);
    } catch (const NumericalError& error) {
      report_.refused.emplace_back(error.what());
    } catch (const UsageError& error) {  // not in this precision, or too many bodies
      report_.notes.push_back(
          fmt::format("no row for {} {} N = {}: {}", kernel, name_of(precision), n, error.what()));
    }
  }

  void add(const Case& what, bool chosen, std::size_t n, int count, int used, double of_first,
           const MultiGpuRow& r) {
    report_.table.rows.push_back({std::string(what.name()),
                                  place_.device(),
                                  std::string(name_of(what.precision)),
                                  std::int64_t(n),
                                  std::int64_t{count},
                                  std::int64_t{used},
                                  name_of(what.shape),
                                  chosen ? Cell(std::string("yes")) : Cell(),
                                  1e3 * r.step.median,
                                  r.step.spread(),
                                  r.rate,
                                  1 / r.step.median,
                                  of_first / r.step.median,
                                  r.rate / r.limit,
                                  r.error.rms,
                                  r.error.p99,
                                  r.error.max,
                                  r.hash,
                                  std::int64_t(r.hashed_steps),
                                  std::int64_t(r.batch),
                                  std::int64_t(r.step.samples),
                                  r.limit,
                                  place_.machine.commit,
                                  place_.gpu->driver,
                                  place_.gpu->runtime});
  }

  void finish() {
    report_.heading = {heading_of(place_), "leapfrog steps through the engine; " + problem_in_words()};
    for (const int count : options_.gpus)
      if (count > 1)
        if (const auto why = why_no_exchange(count, cuda::Exchange::direct); !why.empty())
          report_.notes.push_back(fmt::format("{} GPUs exchange through the host: {}", count, why));
    report_.notes.push_back(
        "speed-up: over the first number of GPUs in the list; % limit: of the GPUs in use; state: hash after "
        "the first steps (16, 2 beyond 16384 bodies), equal for any number of GPUs");
    report_.plot = plot_of_gpus(report_.table);
  }

  GpusOptions options_;
  const Progress& progress_;
  Place place_;
  Problems problems_;
  std::map<std::string, std::string> hashes_;
  std::map<std::string, double> times_;
  Report report_;
};

}  // namespace

Table table_of_gpus() {
  Table table;
  for (const auto* key : {"kernel", "device", "precision", "n"}) table.columns.push_back(column(key));
  table.columns.insert(table.columns.end(),
                       {{"gpus", "GPUs"}, {"used", "used"}, column("shape"), {"chosen", "by auto"}});
  for (const auto* key : {"ms", "spread", "interactions_per_second", "steps_per_second"})
    table.columns.push_back(column(key));
  table.columns.push_back({"speed_up", "speed-up", "{:.2f}"});
  for (const auto* key : {"fraction_of_limit", "error_rms", "error_p99", "error_max"})
    table.columns.push_back(column(key));
  table.columns.insert(table.columns.end(),
                       {{"state_hash", "state"}, {"hashed_steps", ""}, {"steps_per_batch", "batch"}});
  for (const auto* key : {"samples", "limit_interactions_per_second", "commit", "driver", "runtime"})
    table.columns.push_back(column(key));
  return table;
}

std::optional<Plot> plot_of_gpus(const Table& table) {
  if (table.rows.empty()) return {};
  Plot plot{.title = "Full steps on " + text(table, table.rows[0], "device"),
            .x_label = "bodies",
            .y_label = "10^9 interactions per second",
            .panels = {}};
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    Panel panel{.title = std::string(name_of(precision))};
    for (const auto& row : table.rows) {
      if (text(table, row, "precision") != panel.title) continue;
      const auto kernel = text(table, row, "chosen") == "yes" ? "auto" : text(table, row, "kernel");
      const double gpus = number(table, row, "gpus");
      panel.add(fmt::format("{}, {:.0f} GPU{}", kernel, gpus, gpus == 1 ? "" : "s"), number(table, row, "n"),
                1e-9 * number(table, row, "interactions_per_second"));
    }
    if (!panel.series.empty()) plot.panels.push_back(std::move(panel));
  }
  return plot;
}

Report measure_gpus(const GpusOptions& options, const Progress& progress) {
  return Gpus(options, progress).all();
}

}  // namespace pleiad::bench
