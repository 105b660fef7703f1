/// Arguments of all forms of `pleiad bench`: kernels, sizes, precisions, and files for the report.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/report.hpp"
#include "bench/scan.hpp"
#include "command_line.hpp"
#include "io/durable/claims.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {

struct BenchArguments {
  std::vector<std::string> kernels, precisions, shapes, masses, cases;
  std::vector<std::size_t> sizes;
  std::vector<int> threads, gpus;
  std::string experiment, json, csv, plot, from, backend, model, simd, directory;
  std::uint64_t steps = 0, systems = 0;
  std::size_t most = 0;
  std::optional<double> accuracy;
  bool quick = false, list = false, cuda_samples = false;
};

/// Help of --kernel.
inline constexpr const char* kernel_help =
    "kernels, named or numbered as in pleiad bench --list: cuda/tile or cuda/2";
/// Rewrites the number of a rung, such as cuda/2, to the name of its kernel.
Rule name_of_rung();
void add_common(Command command, BenchArguments& a);
/// Claims the files that --from reads and --json, --csv and --plot write, before anything is measured.
Claims claims_of(const BenchArguments& a);
/// One line on a terminal, rewritten; nothing elsewhere.
void show_progress(const std::string& what);
void publish(const bench::Report& report, const BenchArguments& a);
/// Publishes what `measure` finds, with its progress shown. A signal ends it before the next row: the rows so
/// far are published, and the exit code is that of what stopped early.
void publish_measured(const BenchArguments& a,
                      const std::function<bench::Report(const bench::Progress&)>& measure);
/// The table in the file that --from names.
bench::Table earlier_rows(const BenchArguments& a);
std::vector<Precision> precisions_of(const BenchArguments& a);
/// The requested kernels, else all of the device in this build.
std::vector<const DirectKernel*> kernels_of(const BenchArguments& a, Device device);

template <class T>
T only(const std::vector<T>& values, const char* option, T otherwise) {
  if (values.size() > 1)
    throw UsageError(fmt::format("{}: one value only here, not {}", option, values.size()));
  return values.empty() ? otherwise : values.front();
}

/// `pleiad bench gpu` and `pleiad bench --cuda-samples`.
void add_gpu_options(Command gpu, BenchArguments& a);
void run_gpu(const BenchArguments& a);
void run_cuda_samples(const BenchArguments& a);

/// `pleiad bench run`.
void add_run_options(Command run, BenchArguments& a);
void run_runs(const BenchArguments& a);

}  // namespace pleiad::app
