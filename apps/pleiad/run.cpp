/// `pleiad run`: simulate from a configuration, a snapshot, or a checkpoint.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/run.hpp"

#include "commands.hpp"
#include "console.hpp"
#include "core/json_text.hpp"
#include "dry_run.hpp"
#include "environment.hpp"
#include "exit.hpp"
#include "io/config/config.hpp"
#include "io/config/keys.hpp"
#include "io/durable/claims.hpp"
#include "io/durable/paths.hpp"
#include "launcher.hpp"
#include "live.hpp"
#include "live/recording.hpp"
#include "run/branch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {
namespace {

/// A command-line option that is short for a key of the configuration. In its help {} stands for the words
/// that the key takes.
struct Shortcut {
  const char *option, *key, *help, *group;
};
constexpr const char *physics = "Physics", *computation = "Computation", *outputs = "Output and resuming",
                     *systems = "Ensembles";
constexpr Shortcut shortcuts[] = {
    {"--dt", "time.dt", "time step (with --adaptive: the longest)", physics},
    {"--energy-error", "time.energy_error",
     "largest relative energy error of the run; chooses integrator and step by trials, and keeps it",
     physics},
    {"--position-error", "time.position_error",
     "largest error of a body's position at the end, relative to its distance from the heaviest body; "
     "chooses "
     "integrator and step by trials, for at most 100 bodies",
     physics},
    {"--t-end", "time.t_end", "end time", physics},
    {"--eps", "gravity.softening", "Plummer softening length", physics},
    {"--G", "gravity.G", "gravitational constant (default: that of the unit system)", physics},
    {"--output", "output.directory", "output directory", outputs},
    {"--integrator", "time.integrator", "{}; leapfrog is kdk, ias15 gauss-radau", physics},
    {"--precision", "engine.precision", "{}", computation},
    {"--backend", "engine.backend", "{}", computation},
    {"--kernel", "engine.kernel",
     "auto, or a kernel of `pleiad bench --list`, optionally with a launch shape: \"cuda/tile block=256\"",
     computation},
    {"--accuracy", "solver.accuracy",
     "target 99th-percentile relative force error; takes the fastest solver that meets it (0: direct sums)",
     computation},
    {"--gpus", "engine.gpus", "maximum number of GPUs (0: all)", computation},
    {"--tuning", "engine.tuning", "{}: whether to measure which kernels are fastest (see pleiad tune)",
     computation},
    {"--threads", "engine.threads", "CPU threads (0: all)", computation},
    {"--seed", "initial_conditions.seed", "random seed of the model", physics},
    {"--ensemble", "ensemble.count",
     "number of independent systems, each with its own seed; one table of results", systems},
    {"--walltime", "limits.walltime_seconds", "wall-time limit in seconds: stop with a checkpoint before it",
     outputs},
};

struct RunArguments {
  std::string input, resume;
  std::vector<std::string> settings, vary, potentials, forces;
  std::optional<std::string> values[std::size(shortcuts)];
  bool reverse = false, lattice = false, adaptive = false, dry_run = false, json = false, quiet = false;
  LiveArguments live;
  Claims claims;  ///< inputs and outputs outside the run's directory
  run::Request request;
};

bool is_config(const std::string& file) { return std::filesystem::path(file).extension() == ".toml"; }

/// The words that a key takes, as for its help.
std::string words_of(std::string_view key) {
  std::vector<std::string_view> words;
  const auto dot = key.find('.');
  const auto* row = config::find(key.substr(0, dot), key.substr(dot + 1));
  if (key == "time.integrator")
    for (const auto* i : integrators()) words.push_back(i->name);
  else if (row != nullptr && row->range.choices != nullptr)
    words.assign(row->range.choices().begin(), row->range.choices().end());
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string help_of(const Shortcut& s) {
  std::string help = s.help;
  if (const auto at = help.find("{}"); at != help.npos) help.replace(at, 2, words_of(s.key));
  return fmt::format("{} [{}]", help, s.key);
}

/// UsageError that names the option, for a value that its key does not take.
void need_valid(const Shortcut& s, const std::string& setting) {
  Options probe;
  apply_setting(probe, setting, fmt::format("{}: ", s.option));
}

/// The settings in the order: shortcuts, then --set.
std::vector<std::string> settings_of(const RunArguments& a) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < std::size(shortcuts); ++i)
    if (a.values[i]) {
      all.push_back(literal_setting(shortcuts[i].key, *a.values[i]));
      need_valid(shortcuts[i], all.back());
    }
  if (a.adaptive) all.push_back("time.adaptive=true");
  if (a.reverse) all.push_back("time.reverse=true");
  if (a.lattice) all.push_back("time.lattice=true");
  all.insert(all.end(), a.settings.begin(), a.settings.end());
  return all;
}

/// "key=[\"TEXT\", ...]".
std::string list_setting(std::string_view key, const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(json_text(nlohmann::json(text)));
  return fmt::format("{}=[{}]", key, fmt::join(quoted, ", "));
}

/// Whether the settings name another output directory than that of the run `resume`. If they name this one,
/// the setting is taken away.
bool goes_elsewhere(std::vector<std::string>& settings, const std::string& resume) {
  const auto names_it = [](const std::string& setting) {
    const auto key = setting.substr(0, setting.find('='));
    return key.substr(0, key.find_last_not_of(' ') + 1) == "output.directory";
  };
  std::optional<std::string> directory;
  for (const auto& setting : settings)
    if (names_it(setting)) {
      Options options;
      apply_setting(options, setting);
      directory = options.output.directory;
    }
  if (!directory) return false;
  if (absolute_path(*directory) != absolute_path(resume)) return true;
  std::erase_if(settings, names_it);
  return false;
}

/// The title of the view: the name of the run's input.
std::string title_of(const RunArguments& a) {
  const std::filesystem::path from = a.resume.empty() ? a.input : a.resume;
  return from.has_stem() ? from.stem().string() : from.string();
}

void go(RunArguments& a, int& result) {
  a.request.ranks = the_ranks();
  check(a.live);
  a.claims.owns(a.resume.empty() ? a.request.options.output.directory : a.resume);
  a.claims.writes(a.live.record, "--live-record");
  if (!a.live.record.empty()) live::need_recordable(a.live.record);
  a.request.claims = &a.claims;
  if (a.dry_run) {
    const auto forecast = run::forecast(a.request);
    if (launched().rank > 0) return;
    return std::visit([&](const auto& f) { print_forecast(f, a.json); }, forecast);
  }
  std::optional<LiveRun> view;
  if (!a.live.live.empty() && launched().rank == 0) view.emplace(a.live, title_of(a));
  a.request.viewer = view ? &*view : nullptr;
  Console console(a.quiet || launched().rank > 0, a.json);
  a.request.observer = &console;
  result = static_cast<int>(exit_of(run::execute(a.request)));
}

void execute(RunArguments& a, int& result) {
  auto& request = a.request;
  request.cache = tuning_cache();
  if (!a.resume.empty()) {
    if (!a.input.empty())
      throw UsageError("pleiad run: give either a file to start from or --resume DIR, not both");
    auto settings = settings_of(a);
    for (const auto& [key, texts] : {std::pair("ensemble.vary", &a.vary),
                                     {"gravity.potentials", &a.potentials},
                                     {"gravity.forces", &a.forces}})
      if (!texts->empty()) settings.push_back(list_setting(key, *texts));
    if (goes_elsewhere(settings, a.resume)) {
      a.claims.reads(a.resume);
      auto branch = run::branch_of(a.resume, settings);
      request.options = std::move(branch.options);
      request.notes.push_back(branch.provenance + "; its energy errors refer to this state");
      request.provenance = std::move(branch.provenance), request.back_to = std::move(branch.back_to);
      a.resume.clear();
      return go(a, result);
    }
    request.resume = a.resume;
    request.resume_settings = std::move(settings);
    return go(a, result);
  }
  if (a.input.empty())
    throw UsageError("pleiad run: give a configuration (FILE.toml), a snapshot, or --resume DIR");
  a.claims.reads(a.input);
  if (is_config(a.input)) {
    request.options = read_config(a.input, &request.notes);
  } else {
    request.options.ic.file = a.input;
  }
  for (const auto& setting : settings_of(a))
    apply_setting(request.options, setting, std::nullopt, &request.notes);
  if (!a.vary.empty()) request.options.ensemble.vary = a.vary;
  if (!a.potentials.empty()) request.options.gravity.potentials = a.potentials;
  if (!a.forces.empty()) request.options.gravity.forces = a.forces;
  for (std::size_t i = 0; i < std::size(shortcuts); ++i)
    if (shortcuts[i].option == std::string_view("--ensemble") && a.values[i] &&
        !request.options.ensemble.active())
      throw UsageError("pleiad run: --ensemble needs a count of at least 1, or --vary");
  go(a, result);
}

}  // namespace

void add_run(Command app, int& result) {
  auto a = std::make_shared<RunArguments>();
  auto run = app.add_subcommand("run", "Run a simulation from a configuration, a snapshot or a checkpoint");
  run.add_option("input", a->input, "configuration (FILE.toml), or a snapshot in any format");
  for (std::size_t i = 0; i < std::size(shortcuts); ++i)
    run.add_option(shortcuts[i].option, a->values[i], help_of(shortcuts[i])).group(shortcuts[i].group);
  run.add_option("--resume", a->resume,
                 "continue the run in this directory, bit for bit; with --output NEW a branch of it starts "
                 "there from its checkpoint, in which all settings may change")
      .group(outputs)
      .value_name("DIR");
  run.add_option("--set", a->settings, "section.key=value: set any configuration key; may be repeated")
      .value_name("KEY=VALUE")
      .allow_extra_args(false);
  run.add_option(
         "--potential", a->potentials,
         "external potential \"KIND name=value ...\", such as \"nfw mass=80 scale=16\"; may be repeated "
         "(kinds: `pleiad config --potentials`) [gravity.potentials]")
      .group(physics)
      .allow_extra_args(false);
  run.add_option(
         "--force", a->forces,
         "added force \"KIND name=value ...\", such as \"gr-potential\" or \"oblate j2=1e-3 radius=0.01\"; "
         "may be repeated (kinds: `pleiad config --forces`) [gravity.forces]")
      .group(physics)
      .allow_extra_args(false);
  run.add_option("--vary", a->vary,
                 "KEY=FROM:TO:COUNT or KEY=VALUE,VALUE,...: parameter scan, one system per value; may be "
                 "repeated [ensemble.vary]")
      .group(systems)
      .allow_extra_args(false);
  run.add_flag("--adaptive", a->adaptive, "adaptive shared step, not time-reversible [time.adaptive]")
      .group(physics);
  run.add_flag(
         "--reverse", a->reverse,
         "negate the velocities at the start [time.reverse]; with --resume DIR --output NEW of a run on a "
         "lattice, go back to its start")
      .group(physics);
  run.add_flag("--lattice", a->lattice,
               "positions and velocities of whole numbers, whose steps lead back bit for bit [time.lattice]")
      .group(physics);
  run.add_flag("--dry-run", a->dry_run, "print the memory, time and cost of the run; write nothing")
      .group(outputs);
  run.add_flag("--overwrite", a->request.overwrite, "replace the run in the output directory").group(outputs);
  run.add_flag("--accept-other-build", a->request.accept_other_build,
               "resume even if the program, kernel or device differs")
      .group(outputs);
  add_live_options(run, a->live);
  run.add_flag("--json", a->json, "print the summary as JSON").group(outputs);
  run.add_flag("--quiet", a->quiet, "no header and no progress").group(outputs);
  run.footer(
      "Examples:\n  pleiad run collision.toml --set time.t_end=2\n  pleiad run galaxy.dat --eps 0.4 --dt "
      "0.01 --t-end 1 --output galaxy\n  pleiad run cluster.toml --ensemble 100 --vary "
      "gravity.softening=0.01:0.1:4:log\n  pleiad run --resume galaxy\nExit codes: 0 done, 2 usage error, 3 "
      "bad input, 4 missing resource, 5 numerical failure, 75 stopped with a checkpoint.");
  run.callback([a, &result] { execute(*a, result); });
}

}  // namespace pleiad::app
