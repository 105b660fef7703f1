#include "run/summary.hpp"

#include "core/json_text.hpp"
#include "core/version.hpp"
#include "cosmology/cosmology.hpp"
#include "run/energy_note.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace pleiad::run {
namespace {

nlohmann::ordered_json json_of(const SystemSummary& s) {
  const auto& d = s.engine;
  auto files = nlohmann::ordered_json::object();
  for (const auto& [what, file] : s.files) files[what] = file;
  nlohmann::ordered_json j{{"pleiad", version()},
                           {"stopped_by", s.stopped_by},
                           {"bodies", s.bodies},
                           {"time", s.time},
                           {"step", s.step},
                           {"device", d.device},
                           {"threads", d.threads},
                           {"gpus", d.gpus},
                           {"kernel", d.kernel()},
                           {"precision", d.precision},
                           {"seconds", s.seconds},
                           {"spent", json_of(s.timings)},
                           {"evaluations", s.evaluations},
                           {"interactions_per_second", s.interactions_per_second},
                           {"state_hash", s.state_hash},
                           {"files", files},
                           {"notes", s.notes}};
  if (s.options.cosmology.active()) j["scale_factor"] = std::exp(s.time), j["redshift"] = std::expm1(-s.time);
  if (const auto& w = s.way_back) {
    j["lattice"] = {
        {"units", s.options.time.lattice_units}, {"start_hash", w->start}, {"reversed_hash", w->reversed}};
    if (!w->target.empty()) j["lattice"]["back_at_start"] = w->reversed == w->target;
  }
  if (const auto& e = s.force_errors; e && e->measured)
    j["force_error"] = {{"asked", s.options.solver.accuracy},
                        {"sample", e->sample},
                        {"median", e->median},
                        {"p99", e->p99},
                        {"p99_low", e->p99_low},
                        {"p99_high", e->p99_high},
                        {"largest", e->largest},
                        {"closest", e->closest},
                        {"cancelled", e->cancelled}};
  if (const auto& e = s.force_errors; e && e->measured && e->particles > 0)
    j["force_error"]["test_particles"] = {
        {"sample", e->particles}, {"p99", e->particles_p99}, {"largest", e->particles_largest}};
  if (const auto& r = s.ranks)
    j["ranks"] = {{"count", r->ranks},
                  {"bytes_sent", r->bytes},
                  {"messages", r->messages},
                  {"longest_in_messages", r->longest_in_messages},
                  {"steps_in_messages", r->steps_in_messages},
                  {"imbalance", r->imbalance}};
  if (!d.exchange.empty()) j["ranks"]["exchange"] = d.exchange;
  if (const auto& row = s.row) {
    j["energy"] = row->energies.total();
    const bool has_error = s.has_pairs && s.keeps_energy;
    j["energy_error"] = has_error ? nlohmann::ordered_json(row->energy_error) : nullptr;
    j["largest_energy_error"] = has_error ? nlohmann::ordered_json(s.largest_energy_error) : nullptr;
    if (!s.keeps_energy) j["energy_change"] = row->energy_error;
    j["energy_error_is"] = s.energy_error_name;
    j["virial_ratio"] = row->virial_ratio;
  }
  if (s.criterion.most() > 0)
    j["criterion"] = {{"smallest_step", s.options.time.dt / s.criterion.most()},
                      {"redshift", cosmology::redshift_of(std::exp(s.criterion.time()))}};
  if (const auto& b = s.budget)
    j["energy_budget"] = {{"asked", b->asked}, {"worst", b->worst}, {"rollbacks", b->redone}};
  if (const auto& e = s.encounters) {
    auto& to = j["encounters"];
    for (std::size_t k = 0; k < e->events.size(); ++k)
      to[std::string(encounters::kind_names[k])] = e->events[k];
    to["energy_lost"] = e->lost.energy;
    const auto& l = e->lost.angular_momentum;
    to["angular_momentum_lost"] = {l.x, l.y, l.z};
    to["seconds"] = e->seconds;
  }
  if (const auto& m = s.massless)
    j["massless_bodies"] = {
        {"bodies", m->bodies},
        {"energy_change", {{"median", m->median}, {"p99", m->p99}, {"largest", m->largest}}},
        {"largest_energy_change", s.largest_massless_change},
        {"field_is_fixed", m->conserved}};
  return j;
}

}  // namespace

SystemSummary summarised(SystemSummary s, const Simulation& simulation, const Outputs& outputs,
                         RunDirectory& directory) {
  const auto& energies = outputs.energies();
  s.evaluations += simulation.evaluations();
  s.row = energies.last_row(), s.largest_energy_error = energies.largest_error();
  s.energy_error_name = energies.name_of_error(simulation);
  s.keeps_energy = simulation.kept_pattern_speed().has_value();
  s.has_pairs = !s.row || energies.has_pairs();
  s.massless = energies.massless().change(), s.largest_massless_change = energies.massless().largest();
  const bool conserved = conserves_energy(simulation);
  const auto remedy =
      smaller_error_by(simulation.method(), simulation.gravity(), s.bodies, simulation.describe().kernel());
  // Without an energy to compare with there is no error.
  const double told = energy_error_told(s.options.limits.max_energy_error, s.bodies,
                                        s.options.gravity.softening, s.options.cosmology.active());
  if (s.row && conserved && (energies.scale() != 0 || simulation.gravity().boundary.periodic))
    s.energy_note = energy_note(s.energy_error_name, s.largest_energy_error, told, remedy);
  if (s.massless && conserved && s.energy_note.empty())
    s.energy_note = massless_note(*s.massless, s.largest_massless_change, told, remedy);
  s.files = outputs.files();
  for (const auto& [what, file] : s.files)
    if (what == "trajectory") s.trajectory = file;
  s.notes = outputs.ending().notes;
  if (s.timings.steps > 0)
    s.interactions_per_second =
        double(s.evaluations) * s.engine.interactions_per_evaluation / s.timings.steps;
  if (s.ranks) s.notes.push_back(work_note(*s.ranks));
  if (s.way_back)
    if (auto verdict = s.way_back->verdict(); !verdict.empty()) s.notes.push_back(std::move(verdict));
  s.criterion = outputs.criterion();
  if (auto text = s.criterion.text(s.options.time.dt); !text.empty()) s.notes.push_back(std::move(text));
  if (s.budget) s.notes.push_back(s.budget->text), s.energy_note.clear();
  if (!s.energy_note.empty()) s.notes.push_back(s.energy_note);
  s.json = json_text(json_of(s));
  directory.write("summary.json", s.json + "\n");
  return s;
}

}  // namespace pleiad::run
