#include "run/resumed.hpp"

#include "core/validate.hpp"
#include "io/config/config.hpp"
#include "io/config/universe.hpp"
#include "io/durable/paths.hpp"
#include "ranks/agree.hpp"
#include "ranks/validate.hpp"
#include "run/ranks/pieces.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

fs::path directory_of(const Request& request) {
  fs::path directory = text_path(*request.resume);
  if (!is_folder(directory))
    throw ResourceError(fmt::format("--resume: '{}' is not a directory", request.resume->string()));
  return directory;
}

void need_checkpoint(const fs::path& directory, const Request& request, int ranks) {
  if (has_pieces(directory) || RunDirectory::was_being_replaced(directory)) return;
  const bool one =
      has_entry(directory / "checkpoint.pleiad") || has_entry(directory / "checkpoint.prev.pleiad");
  if (ranks > 1)
    throw InputError(fmt::format("--resume: there is no checkpoint of several ranks in '{}'{}",
                                 request.resume->string(),
                                 one ? "; one process made this run: resume it without mpirun" : ""));
  if (!one)
    throw InputError(
        fmt::format("--resume: there is no checkpoint in '{}'; start the run anew with --overwrite",
                    request.resume->string()),
        Error::Code::missing_checkpoint);
}

void apply_settings(Options& options, const std::vector<std::string>& settings) {
  const auto allowed = resumable_keys();
  for (const auto& setting : settings) {
    const auto key = present_name(setting.substr(0, setting.find('=')));
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      throw UsageError(
          fmt::format("--resume cannot change {}: it would no longer be the same run; with --output NEW a "
                      "branch of it starts "
                      "there, which can; the same run can change {}",
                      key, fmt::join(allowed, ", ")));
    apply_setting(options, setting);
  }
}

/// The effective configuration of a run has no "auto" left in keys that determine its results.
void need_resolved(const Options& o, const std::string& origin) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("{}: section 'config': {}", origin, why));
  };
  try {
    check(o);
    (void)method_of(o);
  } catch (const UsageError& e) {
    refuse(e.what());
  }
  if (o.engine.precision == "auto") refuse("engine.precision is not resolved");
  if (o.cosmology.active() && !(o.cosmology.hubble > 0)) refuse("cosmology.hubble is not resolved");
  if (o.ensemble.active()) return;  // its systems have boxes of their own
  if (o.gravity.boundary == "auto") refuse("gravity.boundary is not resolved");
  if (o.gravity.boundary == "periodic" && (o.gravity.box.size() != 3 || o.gravity.images == "auto"))
    refuse("the periodic box has no three sides, or its images are not resolved");
}

Options saved_options(const std::string& config, const std::string& origin) {
  auto options = parse_config(config, origin);
  need_resolved(options, origin);
  return options;
}

/// The options of the continued run, with the settings of the request.
Options continued(Options options, const Request& request) {
  options.output.directory = text_path(*request.resume);
  apply_settings(options, request.resume_settings);
  if (options.cosmology.active()) options.time.t_end = config::time_of_redshift(options.time.end_redshift);
  check(options);
  return options;
}

/// The state of a run that these options can lead to. Collective.
void need_sound_state(const Resumed& resumed, const Options& o, const std::string& origin,
                      ranks::Communicator& ranks) {
  const auto& c = resumed.checkpoint;
  const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", origin, why)); };
  const auto& s = c.snapshot;
  if (!std::isfinite(c.reference_energy))
    refuse(fmt::format("its reference energy must be finite, not {}", c.reference_energy));
  if (o.ensemble.active()) {
    if (!std::isfinite(c.start_time) || !std::isfinite(s.time) || s.time < c.start_time)
      refuse(fmt::format("its time {} does not come after its start {}", s.time, c.start_time));
    return;
  }
  const auto method = method_of(o);
  const Clock clock{.start = c.start_time, .time = s.time, .step = s.step, .next_dt = c.dt};
  need_sound(clock, method, origin);
  const double longest = !method.adaptive ? method.dt : method.symmetric_steps ? clock.next_dt : 0;
  if (const auto until = written_until(c, origin); until && !(*until - s.time <= longest))
    refuse(fmt::format("its outputs are written until {}, which is not in the step after its time {}", *until,
                       s.time));
  ranks::validate(ranks, resumed.division, s.bodies, gravity_of(o), origin);
  const Boundary space = gravity_of(o).boundary;
  const bool same_box = s.boundary.length.x == space.length.x && s.boundary.length.y == space.length.y &&
                        s.boundary.length.z == space.length.z && s.boundary.images == space.images;
  if (s.boundary.periodic != space.periodic || (space.periodic && !same_box) || s.G != o.gravity.G)
    refuse("its box or gravitational constant is not that of its configuration");
}

}  // namespace

void need_sound(const Clock& clock, const Method& method, const std::string& origin) {
  const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", origin, why)); };
  for (const double time : {clock.start, clock.time, clock.next_dt})
    if (!std::isfinite(time)) refuse(fmt::format("its times must be finite, not {}", time));
  if (!(clock.time >= clock.start && clock.next_dt >= 0))
    refuse(fmt::format("its time {} lies before its start {}, or its next step {} is negative", clock.time,
                       clock.start, clock.next_dt));
  const double counted = time_of_step(clock.start, method.dt, clock.step);
  if (!method.adaptive && !(std::abs(clock.time - counted) <= 1e-6 * method.dt))
    refuse(fmt::format("{} steps of {} after {} do not come to its time {}", clock.step, method.dt,
                       clock.start, clock.time));
}

std::optional<double> written_until(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(written_name);
  if (text == c.extra.end()) return std::nullopt;
  const double time = std::strtod(text->second.c_str(), nullptr);
  if (!(time > c.snapshot.time && std::isfinite(time)))
    throw InputError(fmt::format("{}: its outputs are written until {}, which is not after its time {}",
                                 origin, time, c.snapshot.time));
  return time;
}

std::optional<Resumed> resumed_of(const Request& request, ranks::Communicator& ranks, bool goes_on) {
  if (!request.resume) return std::nullopt;
  const bool leads = ranks.rank() == 0;
  Resumed resumed;
  fs::path directory;
  ranks::agree(ranks, [&] {
    directory = directory_of(request);
    if (!leads) return;
    need_checkpoint(directory, request, ranks.ranks());
    if (goes_on) resumed.directory.emplace(RunDirectory::reopen(directory));
  });
  // Rank 0 alone decides: others might see an older state of a shared file system.
  resumed.pieces = all_gather(ranks, std::uint64_t{leads && has_pieces(directory)}).front() != 0;
  std::string origin = request.resume->string(), warning;
  if (resumed.pieces) {
    auto loaded = load_pieces(ranks, directory);
    resumed.checkpoint = std::move(loaded.checkpoint), resumed.division = loaded.division;
    warning = std::move(loaded.warning);
  } else {
    ranks::agree(ranks, [&] {
      if (leads) need_checkpoint(directory, request, ranks.ranks());
      auto loaded = load_checkpoint(directory);
      origin = loaded.file.string();
      resumed.checkpoint = std::move(loaded.checkpoint);
      resumed.division.bodies = resumed.checkpoint.snapshot.bodies.size();
      warning = std::move(loaded.warning);
    });
  }
  if (!warning.empty()) resumed.notes.push_back(std::move(warning));
  ranks::agree(ranks, [&] {
    if (resumed.checkpoint.extra.contains("simulation"))
      throw InputError(
          fmt::format("{}: a program that uses the library saved it; continue it with pleiad::load", origin));
    const auto saved = saved_options(resumed.checkpoint.config, origin);
    need_sound_state(resumed, saved, origin, ranks);
    resumed.options = continued(saved, request);
  });
  return resumed;
}

}  // namespace pleiad::run
