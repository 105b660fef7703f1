/// `pleiad`: parses the command line, calls a command, and turns every result into an exit code and at most
/// one line on stderr.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"
#include "commands.hpp"
#include "cpu/target.hpp"
#include "environment.hpp"
#include "exit.hpp"
#include "help.hpp"
#include "launcher.hpp"
#include "output.hpp"
#include "ranks/agree.hpp"
#include "usage.hpp"
#include "version.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::app {
namespace {

/// Parses the command line, and executes the command in its callback.
int command_line(int argc, char** argv) {
  int result = static_cast<int>(Exit::done);
  CommandLine line("pleiad",
                   "Pleiad, a gravitational N-body simulator: initial conditions in; snapshots, diagnostics "
                   "and pictures out.");
  auto app = line.root();
  app.add_version_flag("--version", version, "Print the version, commit, compiler and vector instructions");
  app.footer(
      "Examples:\n  pleiad ic plummer -n 4096 -o plummer.hdf5\n  pleiad run plummer.hdf5 --eps 0.02 --dt "
      "0.0078125 --t-end 10 --output plummer\n  pleiad config > mine.toml\n`pleiad COMMAND --help` explains "
      "a command. Exit codes: 0 done, 1 internal error, 2 usage error, 3 bad input,\n4 missing resource "
      "(memory, disk, device), 5 numerical failure, 75 stopped early, with a checkpoint or the rows so far.");
  app.require_subcommand(1, 1);
  for (const auto add :
       {add_run, add_ic, add_info, add_convert, add_render, add_plot, add_analyse, add_converge, add_view,
        add_accuracy, add_bench, add_tune, add_verify, add_doctor, add_config, add_completion})
    add(app, result);
  if (const auto mistake = line.parse(with_help(app, {argv + std::min(argc, 1), argv + argc}))) {
    abandon_ranks(static_cast<int>(Exit::usage), [&] { complain_about_usage(explain(app, *mistake)); });
    return static_cast<int>(Exit::usage);
  }
  return result;
}

int complain_about(const std::exception& error, Exit code) {
  // A command that could not print is reported once, by finish_output.
  if (!output_failed())
    abandon_ranks(static_cast<int>(code), [&] {
      if (const int rank = launched().rank; rank > 0)
        complain(fmt::format("rank {}: {}", rank, error.what()));
      else complain(error.what());
    });
  return output_failed() ? static_cast<int>(Exit::done) : static_cast<int>(code);
}

constexpr const char* no_memory =
    "out of memory; reduce the number of bodies (-n, initial_conditions.parameters), systems "
    "(ensemble.count, ensemble.vary), outputs (output.*_interval), pixels (--size, output.picture_size)";

int guarded(int argc, char** argv) {
  try {
    cpu::need_simd_target();
    obey_environment();
    if (the_ranks() != nullptr || launched().ranks > 1) need_able_on_ranks(argc > 1 ? argv[1] : "");
    return command_line(argc, argv);
  } catch (const ranks::AgreedError& error) {
    if (launched().rank == 0) complain(error.what());
    return static_cast<int>(exit_of(error.kind()));
  } catch (const Error& error) {
    return complain_about(error, exit_of(error.kind()));
  } catch (const bench::EndedEarly& early) {
    return complain_about(early, Exit::stopped);
  } catch (const std::bad_alloc&) {
    return complain_about(std::runtime_error(no_memory), Exit::resource);
  } catch (const std::length_error&) {
    return complain_about(std::runtime_error(no_memory), Exit::resource);
  } catch (const std::exception& error) {
    return complain_about(error, Exit::defect);
  } catch (...) {
    return complain_about(std::runtime_error("an unknown exception"), Exit::defect);
  }
}

}  // namespace
}  // namespace pleiad::app

int main(int argc, char** argv) {
  // An exception that cannot be caught (from a noexcept function, for example) ends with an exit code of
  // Pleiad, not with a core dump.
  std::set_terminate([] {
    constexpr char message[] = "pleiad: error: terminated by an exception\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
    ::_exit(1);
  });
  pleiad::app::prepare_streams();
  const int code = pleiad::app::finish_output(pleiad::app::guarded(argc, argv));
  pleiad::app::end_ranks();
  return code;
}
