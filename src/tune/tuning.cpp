#include "tune/tuning.hpp"

#include "core/threads.hpp"
#include "direct/why_not.hpp"
#include "engine/softenings.hpp"
#include "ranks/self.hpp"
#include "tune/candidates.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

void say(const std::function<void(const std::string&)>& listener, const std::string& text) {
  if (listener) listener(text);
}

/// The method of an entry if this program supports it: a name may have been removed, or the file edited.
std::optional<ForceMethod> usable(const Entry& entry, std::size_t n, const TuningContext& tuning_context) {
  try {
    const auto method = force_method_of(entry.kernel, tuning_context.catalogue);
    const auto& what = entry.what;
    const bool able =
        method && method->kernel != nullptr && method->kernel->device == what.where &&
        !why_not(*method,
                 {.n = std::max(n, what.n), .gravity = gravity_of(what), .precision = what.precision});
    return able ? method : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<Measurement> measure_all(const Case& what, const std::vector<Choice>& choices,
                                     const EngineOptions& options, const TuningContext& tuning_context) {
  const auto progress = [&](const std::string& text) {
    say(tuning_context.progress, fmt::format("tuning for {}: {}", name_of(what), text));
  };
  return measure(what, choices, options, tuning_context.make, tuning_context.effort, progress);
}

EngineOptions by(const ForceMethod& method, const Entry& entry, EngineOptions options) {
  options.method = method;
  options.gpus = entry.gpus;
  options.why = fmt::format("the fastest of {}, measured on this machine", entry.candidates);
  return options;
}

}  // namespace

Tuning tuning_named(std::string_view name) {
  constexpr std::array<std::string_view, 3> names{"off", "auto", "force"};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return static_cast<Tuning>(k);
  throw UsageError(fmt::format("no tuning '{}': it is auto, off or force{}", name, did_you_mean(name, names)),
                   Error::Code::unknown_name);
}

Case on_one_gpu(Case what) {
  what.gpus = 1;
  return what;
}

Case case_of(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
             const TuningContext& tuning_context) {
  Bodies two;
  two.add(1, {0, 0, 0}, {0, 0, 0});
  two.add(1, {gravity.boundary.periodic ? gravity.boundary.length.x / 4 : 1, 0, 0}, {0, 0, 0});
  EngineOptions one = options;
  one.method.reset(), one.gpus = 1, one.ranks = nullptr, one.divide_tree = DivideTree::automatic;
  Gravity alike = gravity;
  alike.softening = {.eps = gravity.softening.eps};
  // A GPU has no direct sums with all images, with which the two would be made.
  if (options.backend == "cuda") alike.boundary.images = Images::nearest;
  const auto found = tuning_context.make(two, alike, one)->describe();
  const bool on_gpu = place_of(found.method) == Device::cuda;
  return {.where = on_gpu ? Device::cuda : Device::cpu,
          .device = found.device,
          .precision = options.precision,
          .n = rounded_up(bodies.size()),
          .periodic = gravity.boundary.periodic,
          .masses = masses_of(bodies),
          .gpus = !on_gpu             ? 1
                  : options.gpus == 0 ? std::min(tuning_context.count_gpus(), most_gpus)
                                      : options.gpus};
}

Tuned tune(const Case& what, const EngineOptions& options, const TuningContext& tuning_context,
           bool replace) {
  const Threads threads(options.threads);
  const WithThreads ours(threads);
  Tuned tuned;
  std::vector<Choice> choices;
  std::size_t tried = 0;
  if (what.gpus > 1) {
    // The kernel is selected on one GPU, so that results are those of one GPU, bit for bit.
    auto best = find(read_cache(tuning_context.cache), on_one_gpu(what));
    auto method = best ? usable(*best, what.n, tuning_context) : std::nullopt;
    if (!method) {
      auto on_one = tune(on_one_gpu(what), options, tuning_context, true);
      best = std::move(on_one.entry), method = on_one.method;
    }
    tried = best->candidates - 1;
    choices = on_more_gpus({.method = *method}, what.gpus);
  } else {
    choices = candidates(what, tuning_context.catalogue);
  }
  tuned.table = measure_all(what, choices, options, tuning_context);
  const auto& best = tuned.table.front();
  tuned.method = *best.method;
  const auto measured =
      std::ranges::count_if(tuned.table, [](const Measurement& t) { return t.seconds > 0; });
  tuned.entry = {.what = what,
                 .kernel = text_of(best.method),
                 .gpus = best.gpus,
                 .seconds = best.seconds,
                 .candidates = tried + std::size_t(measured)};
  try {
    tuned.entry =
        keep(tuning_context.cache, {tuned.entry}, replace ? Others::go : Others::stay, tuning_context.begins)
            .front();
    if (const auto kept = usable(tuned.entry, what.n, tuning_context)) tuned.method = *kept;
  } catch (const ResourceError& e) {
    say(tuning_context.note, e.what());
  }
  return tuned;
}

double seconds_for(std::size_t n, double steps) {
  // Launches, and a trillion pairs a second.
  const double step = 1e-5 + double(n) * double(n) / 1e12;
  constexpr double most = 1, too_few = 0.1;
  if (steps == 0) return most;
  const double seconds = std::min(most, std::max(60 * step, 0.05 * steps * step));
  return seconds < too_few ? 0 : seconds;
}

EngineOptions resolved(EngineOptions options, const Bodies& bodies, const Gravity& gravity, Tuning tuning,
                       const TuningContext& tuning_context) {
  if (tuning == Tuning::off || options.method || needs_doubles(options.integrator)) return options;
  // Ranks have one kernel; what follows asks the bodies of one process.
  if (ranks::or_self(options.ranks).ranks() > 1 || bodies.size() < 2) return options;
  if (std::ranges::count(bodies.mass, 0.0) > 0)
    return options;                                   // candidates are measured without test particles
  if (gravity.boundary.all_images()) return options;  // one kernel knows them
  if (!softening_of(bodies, gravity.softening).plain()) return options;  // and so do these
  if (options.gpus > 1 && options.gpus > tuning_context.count_gpus())
    return options;  // which will be refused
  const auto what = case_of(bodies, gravity, options, tuning_context);
  const auto cache = read_cache(tuning_context.cache);
  if (!cache.note.empty()) say(tuning_context.note, cache.note);
  const auto known = find(cache, what);
  const auto method = known ? usable(*known, bodies.size(), tuning_context) : std::nullopt;
  if (tuning == Tuning::automatic || !tuning_context.measures) {
    if (method) return by(*method, *known, std::move(options));
    if (what.where == Device::cpu || !tuning_context.measures) return options;
    try {
      keep(tuning_context.cache, {}, Others::stay, tuning_context.begins);
    } catch (const ResourceError& e) {
      say(tuning_context.note, fmt::format("not tuned, the table chooses: {}", e.what()));
      return options;
    }
  }
  TuningContext bounded = tuning_context;
  if (tuning_context.steps && tuning == Tuning::automatic) {
    bounded.effort.seconds = seconds_for(bodies.size(), *tuning_context.steps);
    if (bounded.effort.seconds == 0) return options;  // as the table says
  }
  try {
    say(tuning_context.begins,
        fmt::format("tuning for {}, once: it takes {}", name_of(what),
                    bounded.effort.seconds > 1 ? "a few seconds" : "a second at most"));
    if (tuning == Tuning::force && what.gpus > 1) tune(on_one_gpu(what), options, tuning_context, true);
    const auto tuned = tune(what, options, bounded, tuning == Tuning::force || known.has_value());
    return by(tuned.method, tuned.entry, std::move(options));
  } catch (const Error& e) {
    say(tuning_context.note, fmt::format("not tuned, the table chooses: {}", e.what()));
    return options;
  }
}

}  // namespace pleiad::tune
