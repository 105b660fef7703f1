#include "run_summary.hpp"

#include "core/magnitude.hpp"
#include "core/print.hpp"
#include "io/durable/durable.hpp"
#include "run/comoving.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

std::string in_seconds(double s) { return s < 10 ? fmt::format("{:.2f} s", s) : duration(s); }

std::string words_of(const run::Timings& s) {
  const auto& [rows, snapshots, pictures, checkpoints] = s.waited;
  const auto& b = s.beside;
  std::string beside;
  if (b.snapshots + b.pictures + b.checkpoints > 0)
    beside = fmt::format("; beside the steps snapshots {}, pictures {}, checkpoints {}",
                         in_seconds(b.snapshots), in_seconds(b.pictures), in_seconds(b.checkpoints));
  return fmt::format(
      "steps {}, rows {}, snapshots {}, pictures {}, checkpoints {}, plots and movie {}{}; "
      "setup before these {}{}",
      in_seconds(s.steps), in_seconds(rows), in_seconds(snapshots), in_seconds(pictures),
      in_seconds(checkpoints), in_seconds(s.ending), beside, in_seconds(s.setup),
      s.tuning > 0 ? fmt::format(" (tuning {})", in_seconds(s.tuning)) : "");
}

const char* what_happened(const run::Summary& s) { return s.stopped_by.empty() ? "simulated" : "stopped:"; }

void print_time(const run::Summary& s) { print_out("time           {}\n", words_of(s.timings)); }

void print_end(const run::Summary& s) {
  for (const auto& [what, file] : s.files) {
    std::string words = what;
    std::ranges::replace(words, '_', ' ');
    if (!file.empty()) print_out("{:<14} {}\n", words, file);
  }
  for (const auto& text : s.notes) print_out("note: {}\n", text);
  print_out("state hash {}\n", s.state_hash);
}

/// The recorded bodies as the table that the published benchmarks print: time, x, y (and z in three
/// dimensions).
void print_trajectory(const run::SystemSummary& s) {
  std::istringstream rows(read_file(s.trajectory));
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

void print_energy(const run::SystemSummary& s) {
  if (!s.row) return;
  const double energy = s.row->energies.total();
  if (!s.keeps_energy)
    print_out("energy {:.9g}, changed by {:.2e} of it: {}, so that this is no error\n", energy,
              s.row->energy_error, s.energy_error_name);
  else if (s.has_pairs)
    print_out("energy {:.9g}, {} {:.2e} at the end, {:.2e} at worst\n", energy, s.energy_error_name,
              s.row->energy_error, s.largest_energy_error);
  else print_out("energy {:.9g}; no two bodies have mass, so that it has no error\n", energy);
  if (const auto& m = s.massless)
    print_out(
        "massless       {} bodies, energy per mass changed by {:.2e} in the median, {:.2e} for 99 %, {:.2e} "
        "at "
        "worst, {:.2e} at any time{}\n",
        m->bodies, m->median, m->p99, m->largest, s.largest_massless_change,
        m->conserved ? "" : "; several bodies make the field, which may change it");
}

void print_encounters(const EncounterCounts& e) {
  std::string words;
  for (std::size_t k = 0; k < e.events.size(); ++k)
    if (e.events[k] > 0 || k < 3)
      words += fmt::format("{}{} {}{}", words.empty() ? "" : ", ", e.events[k], encounters::kind_names[k],
                           e.events[k] == 1 ? ""
                           : k == 0         ? "es"
                                            : "s");
  if (e.events[3] + e.events[4] > 0) words += fmt::format("; energy lost {:.9g}", e.lost.energy);
  print_out("encounters     {}; found in {}\n", words, in_seconds(e.seconds));
}

std::string short_number(double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : "-"; }

}  // namespace

void print_words(const run::SystemSummary& s) {
  if (s.options.output.print_trajectory && !s.options.output.trajectory_ids.empty()) print_trajectory(s);
  print_out(
      "{} {} bodies to {} in {} steps, {} ({}interactions/s)\n", what_happened(s), s.bodies,
      s.options.cosmology.active() ? run::moment_in_words(s.options, s.time) : fmt::format("t = {}", s.time),
      s.step, duration(s.seconds), metric(s.interactions_per_second));
  print_time(s);
  print_energy(s);
  if (s.encounters) print_encounters(*s.encounters);
  if (const auto& e = s.force_errors; e && !e->measured) {
    print_out("force error    not measured: such sums in double precision are the reference\n");
  } else if (e) {
    const double asked = s.options.solver.accuracy;
    print_out("force error    {:.2e} median, {:.2e} for 99 %{}{}, {:.2e} at worst, of {} bodies\n", e->median,
              e->p99,
              e->p99_low < e->p99_high ? fmt::format(" ({:.2e} to {:.2e})", e->p99_low, e->p99_high) : "",
              asked > 0 ? fmt::format(" (asked: {:g})", asked) : "", e->largest, e->sample);
    if (e->cancelled > 0)
      print_out("               for {} of these the forces cancel to less than the rounding of direct sums\n",
                e->cancelled);
    if (e->particles > 0)
      print_out("               test particles: {:.2e} for 99 %, {:.2e} at worst, of {}\n", e->particles_p99,
                e->particles_largest, e->particles);
  }
  print_end(s);
}

void print_words(const run::EnsembleSummary& s) {
  print_out("{} {} systems ({} bodies in all) to t = {}, {} ({}interactions/s)\n", what_happened(s),
            s.systems, s.bodies, s.time, duration(s.seconds), metric(s.interactions_per_second));
  print_time(s);
  std::string statuses;
  for (const auto& [what, count] : s.statuses)
    statuses += fmt::format("{}{} {}", statuses.empty() ? "" : ", ", count, what);
  print_out("systems: {}; {} at worst {} in the median, {} at most\n", statuses, s.energy_error_name,
            short_number(s.median_error), short_number(s.largest_error));
  if (s.massless_systems > 0)
    print_out("massless bodies in {} systems, energy per mass changed by {} at most\n", s.massless_systems,
              short_number(s.largest_massless_change));
  if (s.escaped > 0)
    print_out("{} systems have lost a body, half of these before t = {}\n", s.escaped,
              short_number(s.median_escape_time));
  print_end(s);
}

void print_stopped(const std::string& where, const run::Summary& s) {
  print_err("pleiad: stopped at {} by {}; continue with: pleiad run --resume {}\n", where, s.stopped_by,
            s.options.output.directory);
}

}  // namespace pleiad::app
