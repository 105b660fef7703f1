#include "run/ensemble/summary.hpp"

#include "core/json_text.hpp"
#include "core/print.hpp"
#include "run/energy_note.hpp"
#include "run/ensemble/record.hpp"
#include "run/progress.hpp"
#include "run/version.hpp"

#include <pleiad/durable.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

using Json = nlohmann::ordered_json;

/// Worst energy errors of the systems that have not failed, and when systems lost a body, both ascending.
struct Outcomes {
  std::vector<double> errors, escapes;
};
Outcomes outcomes_of(const EnsembleSummary& s) {
  Outcomes o;
  const auto& histories = s.outputs.histories();
  for (std::size_t k = 0; k < histories.size(); ++k) {
    if (!is_good(s.ensemble.standing(k))) continue;
    o.errors.push_back(histories[k].worst_energy_error);
    if (histories[k].escape_time == histories[k].escape_time) o.escapes.push_back(histories[k].escape_time);
  }
  std::ranges::sort(o.errors);
  std::ranges::sort(o.escapes);
  return o;
}

/// Of the systems that have not failed and conserve energy.
std::string energy_note_of(const EnsembleSummary& s) {
  const auto& histories = s.outputs.histories();
  double worst = 0;
  std::size_t beyond = 0;
  for (std::size_t k = 0; k < histories.size(); ++k) {
    const double error = histories[k].worst_energy_error;
    if (!is_good(s.ensemble.standing(k)) || error <= energy_error_told ||
        !conserves_energy(s.ensemble.gravity(k), s.ensemble.method(k)))
      continue;
    ++beyond;
    worst = error <= worst ? worst : error;
  }
  return energy_note(worst, beyond, histories.size());
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json facts(const EnsembleSummary& s) {
  const auto d = s.ensemble.describe();
  const auto o = outcomes_of(s);
  Json standings = Json::object();
  std::array<std::size_t, 6> count{};
  for (std::size_t k = 0; k < s.ensemble.size(); ++k)
    ++count.at(static_cast<std::size_t>(s.ensemble.standing(k)));
  for (std::size_t i = 0; i < count.size(); ++i)
    if (i == 0 || count[i] > 0) standings[std::string(name_of(static_cast<Standing>(i)))] = count[i];
  const auto all = all_bodies(s.ensemble);
  auto notes = s.outputs.notes();
  if (const auto note = energy_note_of(s); !note.empty()) notes.push_back(note);
  Json files = Json::object();
  for (const auto& [what, file] : s.outputs.files()) files[what] = file;
  const double interactions = s.ensemble.interactions();
  return {{"pleiad", version()},
          {"stopped_by", s.stopped_by},
          {"systems", s.ensemble.size()},
          {"points", s.scan.points()},
          {"bodies", all.size()},
          {"time", s.time},
          {"standings", standings},
          {"worst_energy_error",
           {{"median", number(quantile(o.errors, 0.5))},
            {"90 %", number(quantile(o.errors, 0.9))},
            {"largest", number(quantile(o.errors, 1))}}},
          {"escaped", o.escapes.size()},
          {"median_escape_time", number(quantile(o.escapes, 0.5))},
          {"device", d.device},
          {"threads", d.threads},
          {"kernel", d.kernel()},
          {"precision", d.precision},
          {"seconds", s.seconds},
          {"spent", json_of(s.spent)},
          {"interactions_per_second", s.seconds > 0 ? interactions / s.seconds : 0},
          {"state_hash", state_hash(all)},
          {"files", files},
          {"notes", notes}};
}

std::string short_number(const Json& j) { return j.is_null() ? "-" : fmt::format("{:.3g}", j.get<double>()); }

void print_words(const Json& j, const Spent& spent) {
  const bool stopped = !j["stopped_by"].get<std::string>().empty();
  print_out("{} {} systems ({} bodies in all) to t = {}, {} ({}interactions/s)\n",
            stopped ? "stopped:" : "simulated", j["systems"].get<std::size_t>(),
            j["bodies"].get<std::size_t>(), j["time"].get<double>(), duration(j["seconds"].get<double>()),
            metric(j["interactions_per_second"].get<double>()));
  print_out("time           {}\n", words_of(spent));
  std::string standings;
  for (const auto& [what, count] : j["standings"].items())
    standings += fmt::format("{}{} {}", standings.empty() ? "" : ", ", count.get<std::size_t>(), what);
  const auto& error = j["worst_energy_error"];
  print_out("systems: {}; worst |dE/E| {} in the median, {} at most\n", standings,
            short_number(error["median"]), short_number(error["largest"]));
  if (const auto escaped = j["escaped"].get<std::size_t>(); escaped > 0)
    print_out("{} systems have lost a body, half of these before t = {}\n", escaped,
              short_number(j["median_escape_time"]));
  for (const auto& [what, file] : j["files"].items()) print_out("{:<14} {}\n", what, file.get<std::string>());
  for (const auto& text : j["notes"]) print_out("note: {}\n", text.get<std::string>());
  print_out("state hash {}\n", j["state_hash"].get<std::string>());
}

}  // namespace

void print_summary(const EnsembleSummary& s, bool json) {
  print_note(energy_note_of(s));
  const auto j = facts(s);
  write_file_atomically(s.directory.file("summary.json"), json_text(j) + "\n");
  if (json) print_out("{}\n", json_text(j));
  else print_words(j, s.spent);
}

}  // namespace pleiad::run
