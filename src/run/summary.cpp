#include "run/summary.hpp"

#include "core/json_text.hpp"
#include "core/print.hpp"
#include "run/energy_note.hpp"
#include "run/progress.hpp"
#include "run/version.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/durable.hpp>

#include <nlohmann/json.hpp>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Empty without rows, and without an energy to compare with.
std::string energy_note_of(const Summary& s) {
  if (!s.outputs.last_row() || s.outputs.reference_energy() == 0 ||
      !conserves_energy(s.simulation.gravity(), s.simulation.method()))
    return {};
  return energy_note(s.outputs.largest_energy_error());
}

nlohmann::ordered_json facts(const Summary& s) {
  const auto d = s.simulation.describe();
  const auto& w = s.outputs.written();
  const double rate =
      s.seconds > 0 ? double(s.simulation.evaluations()) * d.interactions_per_evaluation / s.seconds : 0;
  nlohmann::ordered_json j{{"pleiad", version()},
                           {"stopped_by", s.stopped_by},
                           {"bodies", s.simulation.size()},
                           {"time", s.simulation.time()},
                           {"step", s.simulation.step()},
                           {"device", d.device},
                           {"threads", d.threads},
                           {"gpus", d.gpus},
                           {"kernel", d.kernel()},
                           {"precision", d.precision},
                           {"seconds", s.seconds},
                           {"spent", json_of(s.spent)},
                           {"evaluations", s.simulation.evaluations()},
                           {"interactions_per_second", rate},
                           {"state_hash", s.state_hash},
                           {"files",
                            {{"diagnostics", w.diagnostics},
                             {"trajectory", w.trajectory},
                             {"force_errors", w.accuracy},
                             {"first_snapshot", w.first_snapshot},
                             {"last_snapshot", w.last_snapshot},
                             {"first_picture", w.first_picture},
                             {"last_picture", w.last_picture},
                             {"energy_plot", w.energy_plot},
                             {"radii_plot", w.radii_plot},
                             {"movie", w.movie}}},
                           {"notes", w.notes}};
  if (const auto& e = s.force_errors)
    j["force_error"] = {{"asked", s.options.solver.accuracy},
                        {"sample", e->sample},
                        {"median", e->median},
                        {"p99", e->p99},
                        {"p99_low", e->p99_low},
                        {"p99_high", e->p99_high},
                        {"largest", e->largest},
                        {"closest", e->closest}};
  if (const auto& row = s.outputs.last_row()) {
    j["energy"] = row->energies.total();
    j["energy_error"] = row->energy_error;
    j["largest_energy_error"] = s.outputs.largest_energy_error();
    if (const auto note = energy_note_of(s); !note.empty()) j["notes"].push_back(note);
    j["virial_ratio"] = row->virial_ratio;
  }
  return j;
}

void print_words(const nlohmann::ordered_json& j, const Spent& spent) {
  print_out("{} {} bodies to t = {} in {} steps, {} ({}interactions/s)\n",
            j["stopped_by"].get<std::string>().empty() ? "simulated" : "stopped:",
            j["bodies"].get<std::size_t>(), j["time"].get<double>(), j["step"].get<std::uint64_t>(),
            duration(j["seconds"].get<double>()), metric(j["interactions_per_second"].get<double>()));
  print_out("time           {}\n", words_of(spent));
  if (j.contains("energy"))
    print_out("energy {:.9g}, dE/E {:.2e} at the end, {:.2e} at worst\n", j["energy"].get<double>(),
              j["energy_error"].get<double>(), j["largest_energy_error"].get<double>());
  if (j.contains("force_error")) {
    const auto& e = j["force_error"];
    print_out("force error    {:.2e} median, {:.2e} for 99 %{}{}, {:.2e} at worst, of {} bodies\n",
              e["median"].get<double>(), e["p99"].get<double>(),
              e["p99_low"] < e["p99_high"] ? fmt::format(" ({:.2e} to {:.2e})", e["p99_low"].get<double>(),
                                                         e["p99_high"].get<double>())
                                           : "",
              e["asked"].get<double>() > 0 ? fmt::format(" (asked: {:g})", e["asked"].get<double>()) : "",
              e["largest"].get<double>(), e["sample"].get<std::size_t>());
  }
  for (const auto& [what, file] : j["files"].items())
    if (!file.get<std::string>().empty()) {
      std::string words = what;
      for (char& c : words)
        if (c == '_') c = ' ';
      print_out("{:<14} {}\n", words, file.get<std::string>());
    }
  for (const auto& text : j["notes"]) print_out("note: {}\n", text.get<std::string>());
  print_out("state hash {}\n", j["state_hash"].get<std::string>());
}

/// The recorded bodies as the table that the accounts print: time, x, y (and z in three dimensions).
void print_trajectory(const Summary& s) {
  std::istringstream rows(read_file(s.outputs.written().trajectory));
  const bool flat = s.options.gravity.dimension == 2;
  const bool several = s.options.output.trajectory_ids.size() > 1;
  print_out("{:>14}{} {:>20} {:>20}{}\n", "time", several ? "       id" : "", "x", "y",
            flat ? "" : fmt::format(" {:>20}", "z"));
  std::string line;
  std::getline(rows, line);
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    std::array<std::string, 6> cell;
    for (auto& c : cell) std::getline(cells, c, ',');
    const auto number = [&](std::size_t k) { return std::strtod(cell[k].c_str(), nullptr); };
    print_out("{:14.8g}{} {:20.12g} {:20.12g}{}\n", number(1), several ? fmt::format(" {:>8}", cell[2]) : "",
              number(3), number(4), flat ? "" : fmt::format(" {:20.12g}", number(5)));
  }
}

}  // namespace

void print_summary(const Summary& s, bool json) {
  print_note(energy_note_of(s));
  const auto j = facts(s);
  write_file_atomically(s.directory.file("summary.json"), json_text(j) + "\n");
  if (!json && s.options.output.print_trajectory && !s.options.output.trajectory_ids.empty())
    print_trajectory(s);
  if (json) print_out("{}\n", json_text(j));
  else print_words(j, s.spent);
}

}  // namespace pleiad::run
