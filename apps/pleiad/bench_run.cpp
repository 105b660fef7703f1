/// `pleiad bench run`: complete runs, with their time divided into parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/runs.hpp"
#include "bench_arguments.hpp"
#include "io/durable/paths.hpp"
#include "numbers.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {

void add_run_options(Command run, BenchArguments& a) {
  std::vector<std::string_view> names;
  for (const auto& c : bench::run_cases()) names.push_back(c.name);
  run.add_option(
      "--case", a.cases,
      fmt::format("cases, out of {} (default: all GPU cases if there is a GPU, else all CPU cases)",
                  fmt::join(names, ", ")));
  run.add_option("--directory", a.directory,
                 "directory for the runs, whose output is deleted afterwards (default: the directory for "
                 "temporary files)")
      .existing_folder();
  run.add_option("--threads", a.threads, "CPU threads of the runs (0: all)").transform(whole_number(0, 4096));
  run.add_option("--gpus", a.gpus, "maximum number of GPUs of a run (0: as many as are faster)")
      .transform(whole_number(0, 64));
  run.add_flag("--quick", a.quick, "use a 64th of the bodies and fewer steps");
  run.add_option("--json", a.json, "write the table as JSON to this file, or - for stdout");
  run.add_option("--csv", a.csv, "write the table as CSV to this file, or - for stdout");
  run.footer("Example: pleiad bench run --case cpu-million --json run.json");
}

namespace {

/// Path of this program; "pleiad" on PATH if the system does not report it.
std::filesystem::path this_program() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::filesystem::path("pleiad") : program;
}

std::filesystem::path temporary_folder() {
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed);
  if (failed)
    throw ResourceError("no folder for temporary files: " + failed.message() + "; name one with --directory");
  return folder;
}

}  // namespace

void run_runs(const BenchArguments& a) {
  const bench::RunsOptions options{
      .program = this_program(),
      .directory = a.directory.empty() ? temporary_folder() : absolute_path(a.directory),
      .cases = a.cases,
      .threads = only(a.threads, "--threads", 0),
      .gpus = only(a.gpus, "--gpus", 0),
      .quick = a.quick};
  publish_measured(a, [&](const bench::Progress& told) { return bench::measure_runs(options, told); });
}

}  // namespace pleiad::app
