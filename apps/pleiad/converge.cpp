/// `pleiad converge`: the order of a simulation, and until when its orbits mean something.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench_arguments.hpp"
#include "commands.hpp"
#include "core/print.hpp"
#include "environment.hpp"
#include "io/config/config.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "numbers.hpp"
#include "plot.hpp"
#include "render/convergence_plot.hpp"
#include "render/profile_plot.hpp"
#include "run/convergence.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::app {
namespace {

namespace fs = std::filesystem;

struct ConvergeArguments {
  std::string input, output;
  std::vector<std::string> settings;
  run::ConvergenceRequest request;
};

std::string number_or_dash(double x, const char* form) {
  return std::isfinite(x) ? fmt::format(fmt::runtime(form), x) : "-";
}

void print(const run::Convergence& c) {
  print_out("{:<18} {:>10} {:>14} {:>6} {:>14} {:>6}\n", "run", "steps",
            "worst " + c.energy_name.substr(0, 8), "order", "distance", "order");
  for (const auto& run : c.runs)
    print_out("{:<18} {:>10.0f} {:>14.2e} {:>6} {:>14} {:>6}\n", run.name, run.steps, run.worst_energy_error,
              number_or_dash(run.energy_order, "{:.2f}"), number_or_dash(run.distance, "{:.2e}"),
              number_or_dash(run.distance_order, "{:.2f}"));
  print_out("Distances are to the run with the next smaller step at t = {:g}, in units of the size{}.\n",
            c.compared_at, c.runs.size() > c.levels ? "; of an accuracy, to the first run" : "");
  for (const auto& finding : c.findings) print_out("{}\n", finding);
}

ConvergencePlot plot_of(const run::Convergence& c, const fs::path& table) {
  ConvergencePlot plot{.table = table,
                       .energy_axis = "|" + c.energy_name + "|",
                       .time_unit = c.units == "nbody" ? "N-body units" : "units of the run",
                       .energies = {},
                       .distances = {}};
  std::size_t column = 3;
  for (const auto& run : c.runs) plot.energies.emplace_back(column++, run.name);
  for (std::size_t k = 0; k < c.runs.size(); ++k)
    if (k + 1 != c.levels) {
      plot.distances.emplace_back(column, c.runs[k].name + (k < c.levels ? " to its half" : ""));
      column += 2;
    }
  plot.distances.emplace_back(column, fmt::format("shift of {:g}", c.first_shift));
  return plot;
}

void execute(ConvergeArguments& a) {
  if (fs::path(a.input).extension() != ".toml")
    throw UsageError(fmt::format("pleiad converge: '{}' is no configuration, a .toml file", a.input));
  const auto files = plot_files(a.output, a.input, "convergence");
  const auto& [picture, table] = files;
  Claims claims;
  claims.reads(a.input);
  files.claim(claims);
  if (!picture.empty()) need_place_of_script(picture);
  a.request.options = read_config(a.input);
  for (const auto& setting : a.settings) apply_setting(a.request.options, setting);
  a.request.cache = tuning_cache();
  if (isatty(STDERR_FILENO) == 1) a.request.progress = [](const std::string& what) { show_progress(what); };
  const auto found = run::convergence_of(a.request);
  const auto text = run::csv_of(found);
  if (table == "-" || is_standard_output(table)) return write_out(text);
  print(found);
  write_file_atomically(table, text);
  print_out("{}\n", table.string());
  if (picture.empty()) return;
  std::string why;
  if (!plot_convergence(plot_of(found, table), picture, why)) throw ResourceError("no picture: " + why);
  print_out("{}\n", picture.string());
}

}  // namespace

void add_converge(Command app, int&) {
  auto a = std::make_shared<ConvergeArguments>();
  auto command = app.add_subcommand(
      "converge", "Run a configuration with its step, a half and a quarter of it: observed order, and chaos");
  command.add_option("FILE", a->input, "the configuration of a run, a .toml file").required();
  command.add_option("--levels", a->request.levels, "number of steps, each half of the one before [3]")
      .transform(whole_number(2, 12));
  command
      .add_option("--accuracies", a->request.accuracies,
                  "accuracies of the forces to compare too, separated by commas, each in a run with dt")
      .delimiter(',')
      .check(number(0, 1, true));
  command.add_option("--rows", a->request.rows, "times at which the runs are compared, at most [64]")
      .transform(whole_number(4, 100000));
  command.add_option("--set", a->settings, "section.key=value: set any configuration key; may be repeated")
      .value_name("KEY=VALUE")
      .allow_extra_args(false);
  command.add_option("-o,--output", a->output,
                     "the picture, a .png file, with its table .csv and its script .gp beside it; or a .csv "
                     "file, or -, for the "
                     "table alone [FILE_convergence.png]");
  command.footer(
      "Example:\n  pleiad converge problem.toml --levels 4\nA twin whose positions are shifted by 1e-8 of "
      "the size "
      "shows how errors grow: until when single orbits mean something.");
  command.callback([a] { execute(*a); });
}

}  // namespace pleiad::app
