#include "module/made.hpp"

#include "control/controller.hpp"
#include "io/config/config.hpp"
#include "io/config/keys.hpp"
#include "run/fitting.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>

#include <utility>

#include <fmt/format.h>

namespace pleiad::python {
namespace {

Options options_of(const std::vector<std::string>& settings) {
  Options o;
  for (const auto& setting : settings) try {
      apply_setting(o, setting);
    } catch (const UsageError& e) {
      const std::string here = fmt::format("--set {}: ", config::shown(setting)), what = e.what();
      throw UsageError(what.starts_with(here) ? what.substr(here.size()) : what);
    }
  o.time.t_end = run::open_end;  // run() sets the end
  return o;
}

}  // namespace

Simulation made(const std::vector<std::string>& settings, std::optional<Snapshot> given,
                const tune::TuningContext& tuning_context, const control::Note& note) {
  auto o = options_of(settings);
  if (given) o.ic.file = "the bodies";  // the start of messages about them
  check(o);
  auto start = given ? run::Start{.initial = std::move(*given), .notes = {}} : run::load(o);
  run::settle(o, start.initial);
  for (const auto& text : start.notes) note(text);
  auto simulation =
      control::accurate_simulation(run::asked_engine(o), std::move(start.initial), run::gravity_of(o),
                                   run::method_of(o), run::demand_of(o), tuning_context, note);
  if (o.time.reverse) simulation.reverse_velocities();
  (void)simulation.reference_energy();
  return simulation;
}

}  // namespace pleiad::python
