#include "run/ensemble/summary.hpp"

#include "core/json_text.hpp"
#include "core/version.hpp"
#include "run/energy_note.hpp"
#include "run/energy_record.hpp"
#include "run/ensemble/record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

using Json = nlohmann::ordered_json;

/// Worst energy errors of the systems that have not failed, when systems lost a body, and how much the
/// energies of massless bodies have changed; all ascending.
struct Outcomes {
  std::vector<double> errors, escapes, massless;
};
Outcomes outcomes_of(const Ensemble& ensemble, const std::vector<History>& histories,
                     const std::vector<Massless>& massless) {
  Outcomes o;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    if (!is_good(ensemble.status(k))) continue;
    if (massless[k].massive() != 1) o.errors.push_back(histories[k].worst_energy_error);
    if (massless[k].change()) o.massless.push_back(massless[k].largest());
    if (histories[k].escape_time == histories[k].escape_time) o.escapes.push_back(histories[k].escape_time);
  }
  std::ranges::sort(o.errors);
  std::ranges::sort(o.escapes);
  return o;
}

/// The name of the errors of all: some may be relative to the parts of an energy that is about 0.
const char* name_of_errors(const Ensemble& ensemble, const std::vector<History>& histories) {
  std::size_t in_parts = 0;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    const auto& start = histories[k].first.energies;
    in_parts += histories[k].largest_part == 0 && pattern_speed_of(ensemble.gravity(k)) == 0 &&
                energy_scale(start.total(), start) != std::abs(start.total());
  }
  if (in_parts == 0) return name_of_member_error(ensemble.gravity(0));
  return in_parts == histories.size() ? name_of_error_in_parts : name_of_error_in_some_parts;
}

/// Note on the systems that have not failed and conserve energy.
std::string energy_note_of(const Ensemble& ensemble, const std::vector<History>& histories, double told,
                           const std::string& remedy) {
  double worst = 0;
  std::size_t beyond = 0;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    const double error = histories[k].worst_energy_error;
    if (!is_good(ensemble.status(k)) || error <= told || ensemble.method(k).damping != 1 ||
        pattern_speed_of(ensemble.gravity(k)) != 0)
      continue;
    ++beyond;
    worst = error <= worst ? worst : error;
  }
  return energy_note(name_of_errors(ensemble, histories), worst, told, beyond, histories.size(), remedy);
}

/// Note on the system whose massless bodies have changed most, among those that conserve their energies.
std::string massless_note_of(const Ensemble& ensemble, const std::vector<Massless>& massless, double told,
                             const std::string& remedy) {
  std::string note;
  double worst = 0;
  for (std::size_t k = 0; k < massless.size(); ++k) {
    const auto& change = massless[k].change();
    if (!change || ensemble.method(k).damping != 1 || !(massless[k].largest() > worst)) continue;
    if (auto said = massless_note(*change, massless[k].largest(), told, remedy); !said.empty())
      note = std::move(said), worst = massless[k].largest();
  }
  return note;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const EnsembleSummary& s) {
  const auto& d = s.engine;
  Json statuses = Json::object(), files = Json::object();
  for (const auto& [what, count] : s.statuses) statuses[what] = count;
  for (const auto& [what, file] : s.files) files[what] = file;
  return {{"pleiad", version()},
          {"stopped_by", s.stopped_by},
          {"systems", s.systems},
          {"points", s.points},
          {"bodies", s.bodies},
          {"time", s.time},
          {"standings", statuses},
          {"worst_energy_error",
           {{"median", number(s.median_error)},
            {"90 %", number(s.high_error)},
            {"largest", number(s.largest_error)}}},
          {"energy_error_is", s.energy_error_name},
          {"massless_energy_change",
           {{"systems", s.massless_systems}, {"largest", number(s.largest_massless_change)}}},
          {"escaped", s.escaped},
          {"median_escape_time", number(s.median_escape_time)},
          {"device", d.device},
          {"threads", d.threads},
          {"gpus", d.gpus},
          {"kernel", d.kernel()},
          {"precision", d.precision},
          {"seconds", s.seconds},
          {"spent", json_of(s.timings)},
          {"interactions_per_second", s.interactions_per_second},
          {"state_hash", s.state_hash},
          {"files", files},
          {"notes", s.notes}};
}

}  // namespace

EnsembleSummary summarised(EnsembleSummary s, const Scan& scan, const Ensemble& ensemble,
                           const EnsembleOutputs& outputs, RunDirectory& directory) {
  const auto all = all_bodies(ensemble);
  s.systems = ensemble.size(), s.points = scan.points(), s.bodies = all.size();
  s.engine = ensemble.describe();
  if (s.timings.steps > 0) s.interactions_per_second = ensemble.interactions() / s.timings.steps;
  std::array<std::size_t, 6> count{};
  for (std::size_t k = 0; k < ensemble.size(); ++k) ++count.at(static_cast<std::size_t>(ensemble.status(k)));
  for (std::size_t i = 0; i < count.size(); ++i)
    if (i == 0 || count[i] > 0) s.statuses.emplace_back(name_of(static_cast<MemberStatus>(i)), count[i]);
  const auto o = outcomes_of(ensemble, outputs.histories(), outputs.massless());
  s.median_error = quantile(o.errors, 0.5), s.high_error = quantile(o.errors, 0.9);
  s.largest_error = quantile(o.errors, 1);
  s.escaped = o.escapes.size(), s.median_escape_time = quantile(o.escapes, 0.5);
  s.state_hash = state_hash(all);
  s.files = outputs.files(), s.notes = outputs.notes();
  s.energy_error_name = name_of_errors(ensemble, outputs.histories());
  s.massless_systems = o.massless.size(), s.largest_massless_change = quantile(o.massless, 1);
  const double told =
      energy_error_told(s.options.limits.max_energy_error, s.bodies / s.systems, s.options.gravity.softening);
  const auto remedy = smaller_error_by(ensemble.method(0), ensemble.gravity(0), few_bodies);
  s.energy_note = energy_note_of(ensemble, outputs.histories(), told, remedy);
  if (s.energy_note.empty()) s.energy_note = massless_note_of(ensemble, outputs.massless(), told, remedy);
  if (!s.energy_note.empty()) s.notes.push_back(s.energy_note);
  s.json = json_text(json_of(s));
  directory.write("summary.json", s.json + "\n");
  return s;
}

}  // namespace pleiad::run
