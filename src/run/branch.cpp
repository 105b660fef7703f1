#include "run/branch.hpp"

#include "io/config/config.hpp"
#include "io/durable/paths.hpp"
#include "io/files/checkpoint.hpp"
#include "ranks/self.hpp"
#include "run/comoving.hpp"
#include "run/ranks/pieces.hpp"
#include "run/way_back.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// The newest checkpoint that is whole, with all bodies.
LoadedCheckpoint checkpoint_of(const fs::path& directory) {
  if (!has_pieces(directory)) {
    if (!holds_checkpoint(directory))
      throw InputError(fmt::format("there is no checkpoint in '{}'", directory.string()),
                       Error::Code::missing_checkpoint);
    return load_checkpoint(directory);
  }
  auto pieces = load_pieces(ranks::self(), directory);
  return {
      .checkpoint = std::move(pieces.checkpoint), .file = directory, .warning = std::move(pieces.warning)};
}

/// The configuration of a run; that of a simulation of the library has none.
Options options_of(const Checkpoint& c, const std::string& origin) {
  if (c.extra.contains("simulation"))
    throw InputError(
        fmt::format("{}: a program that uses the library saved it; continue it with pleiad::load", origin));
  return parse_config(c.config, origin);
}

}  // namespace

bool holds_checkpoint(const fs::path& directory) {
  return is_input_folder(directory) && (has_pieces(directory) || has_entry(directory / "checkpoint.pleiad") ||
                                        has_entry(directory / "checkpoint.prev.pleiad"));
}

Branch branch_of(const fs::path& directory, const std::vector<std::string>& settings) {
  const auto loaded = checkpoint_of(directory);
  const auto& c = loaded.checkpoint;
  Branch branch{.options = options_of(c, loaded.file.string()), .back_to = {}, .provenance = {}};
  auto& o = branch.options;
  if (o.ensemble.active())
    throw UsageError(fmt::format(
        "'{}' is an ensemble, which has no branches: run it anew with other settings", directory.string()));
  o.ic = {};
  o.ic.file = text_path(directory);
  o.time.stated = {}, o.solver.stated = {};  // A written configuration states everything.
  o.time.reverse = false;                    // The velocities of the checkpoint are those of the run.
  if (o.cosmology.active()) o.time.begin_redshift = -1, o.time.t_end = 0;
  o.output.directory = {};
  const auto sets = [&](std::string_view key) {
    return std::ranges::any_of(settings, [&](const auto& s) { return s.starts_with(key); });
  };
  // Chosen anew, for the present bodies, it might not be that of the way here.
  if (o.time.lattice && !sets("engine.kernel=") && !sets("solver."))
    o.engine.kernel = c.kernel, o.solver = {};
  for (const auto& setting : settings) apply_setting(o, setting);
  if (o.stars.active() && !sets("stars.mass_loss"))
    throw UsageError(
        fmt::format("the stars of '{}' lose mass by their ages, and a branch begins with ages of 0: continue "
                    "the run, or add "
                    "--set 'stars.mass_loss=[]' --set stars.mass_loss_interval=0",
                    directory.string()));
  if (o.time.lattice && o.time.reverse) {
    branch.back_to = first_state_of(c);
    if (!sets("time.t_end=")) o.time.t_end = time_of_step(c.snapshot.time, c.snapshot.time - c.start_time, 1);
  }
  branch.provenance = fmt::format("branch of {} at step {}, t = {}, state {}", o.ic.file, c.snapshot.step,
                                  c.snapshot.time, state_hash(c.snapshot.bodies));
  return branch;
}

FileContent content_of_run(const fs::path& directory, const files::Wanted& wanted) {
  auto loaded = checkpoint_of(directory);
  const auto origin = loaded.file.string();
  const double next = loaded.checkpoint.dt;
  const bool of_library = loaded.checkpoint.extra.contains("simulation");
  const auto options = of_library ? Options{} : options_of(loaded.checkpoint, origin);
  // Where a state on a lattice goes on, all of its bits count.
  auto low = options.time.lattice ? loaded.checkpoint.snapshot.bodies.low : decltype(Bodies::low){};
  auto content = files::content_of(std::move(loaded.checkpoint), directory.string());
  content.snapshot.bodies.low = std::move(low);
  if (options.cosmology.active())
    make_peculiar(content.snapshot), content.universe = universe_in_files(options);
  const auto& s = content.snapshot;
  if (!loaded.warning.empty()) content.notes.push_back(std::move(loaded.warning));
  content.notes.push_back(
      fmt::format("the bodies are those of the checkpoint at step {}, t = {:g}", s.step, s.time));
  if (!of_library) {
    content.suggested_softening = options.gravity.softening;
    content.suggested_step = options.time.dt > 0 ? options.time.dt : next;
  }
  files::keep_wanted(content, wanted);
  return content;
}

}  // namespace pleiad::run
