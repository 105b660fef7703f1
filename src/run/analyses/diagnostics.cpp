/// The diagnostics table: energies, their error, momenta, centre of mass and Lagrangian radii.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ranks/gather.hpp"
#include "run/analysis.hpp"
#include "sim/kdk_error_term.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view diagnostics_table = "diagnostics.txt";
constexpr std::string_view diagnostics_columns =
    "# time step kinetic potential total energy_error px py pz lx ly lz cx cy cz virial_ratio r10 r25 r50 "
    "r75 r90";

/// The line before the first row of a run whose energy is about 0 at the start.
constexpr std::string_view parts_comment =
    "# energy_error: of the parts, kinetic + |potential|, at the start, whose sum is about 0";

/// The header line on the reference of the energy error, if that is not the energy at the start; else "",
/// which is no line.
std::string_view energy_error_comment(const Simulation& simulation) {
  const auto& gravity = simulation.gravity();
  if (simulation.method().space)
    return "# energy_error: of Layzer and Irvine, a (T + W) plus the integral of T da, of the largest of a T "
           "and a "
           "|W| so far";
  if (gravity.boundary.periodic) return "# energy_error: of the largest of kinetic and |potential| so far";
  const auto omega = simulation.kept_pattern_speed();
  if (!omega && pattern_speed_of(gravity.potentials))
    return "# energy_error: change of the energy, which the added forces change; no error";
  if (!omega) return "# energy_error: change of the energy, which the external field changes; no error";
  return *omega == 0 ? "" : "# energy_error: of the Jacobi energy, total - omega lz";
}

/// The header line on energies that have more than the bodies' own; else "", which is no line.
std::string_view field_comment(const Gravity& gravity) {
  if (gravity.potentials.empty()) return "";
  return "# external_potentials: in potential and total; virial_ratio: of the bodies themselves, about their "
         "centre of mass";
}

/// The header line on the work of drags and of post-Newtonian terms; else "", which is no line.
std::string_view work_comment(const Simulation& simulation) {
  if (!simulation.counts_work()) return "";
  return "# work: energy that forces of velocities have given to the bodies, negative: taken; energy_error "
         "counts it";
}

/// The header line on the quantities of a run in comoving coordinates; else "", which is no line.
std::string_view comoving_comment(const Simulation& simulation) {
  if (!simulation.method().space) return "";
  return "# time: ln of the scale factor; energies: of peculiar velocities and physical distances; p, l: of "
         "the "
         "momenta a^2 dx/dt; c, r: comoving";
}

/// Whether mergers, removals or mass loss may take energy from the bodies.
bool loses(const Options& options) { return options.encounters.changes_bodies() || options.stars.active(); }

/// The columns of a run with drags, and of one whose bodies may merge, vanish or lose mass.
std::string columns_of(const Options& options, const Simulation& simulation) {
  std::string columns(diagnostics_columns);
  if (simulation.method().space) columns += " scale_factor";
  if (simulation.counts_work()) columns += " work";
  if (loses(options)) columns += " bodies energy_lost";
  if (options.output.kdk_error_term) columns += " h2";
  return columns;
}

std::string row_of(const Diagnostics& d) {
  std::string line = fmt::format("{} {}", d.time, d.step);
  for (const double v :
       {d.energies.kinetic, d.energies.potential, d.energies.total(), d.energy_error, d.momentum.x,
        d.momentum.y, d.momentum.z, d.angular_momentum.x, d.angular_momentum.y, d.angular_momentum.z,
        d.centre.position.x, d.centre.position.y, d.centre.position.z, d.virial_ratio})
    line += fmt::format(" {:.9g}", v);
  for (const double r : d.lagrangian_radii) line += fmt::format(" {:.6g}", r);
  return line;
}

/// UsageError where the energies of the run do not follow from the error term of a leapfrog.
void need_kdk(const AnalysedRun& run) {
  const auto& method = run.simulation.method();
  const auto& gravity = run.simulation.gravity();
  const bool alone = gravity.potentials.empty() && gravity.forces.empty() && !gravity.boundary.periodic;
  const char* needs = method.integrator->name != "kdk" || method.adaptive
                          ? "time.integrator = \"kdk\" with a fixed step"
                      : !alone                                  ? "mutual gravity alone, in open space"
                      : !gravity.softening.plain()              ? "one Plummer softening for all bodies"
                      : run.options.encounters.changes_bodies() ? "bodies that stay the same"
                                                                : nullptr;
  if (needs != nullptr)
    throw UsageError(fmt::format("output.kdk_error_term needs {}: leave it out", needs),
                     Error::Code::unsupported);
}

class DiagnosticsTable : public Output {
 public:
  explicit DiagnosticsTable(AnalysedRun& run) : Output(run) {
    if (run.options.output.kdk_error_term) need_kdk(run);
  }
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    open_table(diagnostics_table, resumed, notes,
               {fmt::format("# units: {}{}", run_.simulation.method().space ? "comoving " : "",
                            run_.simulation.snapshot().units.name),
                comoving_comment(run_.simulation), energy_error_comment(run_.simulation),
                field_comment(run_.simulation.gravity()), work_comment(run_.simulation),
                columns_of(run_.options, run_.simulation)});
  }
  void restore(const Checkpoint& c) override {
    run_.energies.restore(c, run_.simulation.snapshot().bodies);
    run_.criterion.restore(c);
    run_.simulation.set_work(run_.energies.work());
  }
  bool needs_potentials() const override { return true; }
  Task begin() override {
    const bool first = !run_.energies.begun();
    run_.row = run_.energies.diagnose(run_.simulation);
    run_.criterion.look(run_.simulation);
    const auto h2 = run_.options.output.kdk_error_term ? error_term() : 0;
    if (!run_.leads()) return {};
    if (first && run_.energies.of_parts(run_.simulation)) table_->append(parts_comment);
    auto row = row_of(*run_.row);
    if (run_.simulation.method().space) row += fmt::format(" {:.17g}", std::exp(run_.row->time));
    if (run_.simulation.counts_work()) row += fmt::format(" {:.9g}", run_.energies.work()[0]);
    if (loses(run_.options)) row += fmt::format(" {} {:.9g}", run_.division.bodies, run_.energies.lost());
    if (run_.options.output.kdk_error_term) row += fmt::format(" {:.9g}", h2);
    table_->append(row);
    return {};
  }
  void save(Checkpoint& c) const override {
    run_.energies.save(c, run_.simulation.work());
    run_.criterion.save(c);
  }

 private:
  /// H2 of now, on rank 0. Collective.
  double error_term() {
    const auto& own = run_.simulation.snapshot().bodies;
    const auto& gravity = run_.simulation.gravity();
    if (run_.ranks.ranks() == 1) return kdk_error_term(own, gravity.G, gravity.softening.eps);
    const auto all = ranks::gather_bodies(run_.ranks, own);
    return run_.leads() ? kdk_error_term(all, gravity.G, gravity.softening.eps) : 0;
  }
};

constexpr std::array diagnostics_keys{std::string_view("output.diagnostics_interval"),
                                      std::string_view("output.kdk_error_term")};

}  // namespace

extern const Analysis analysis_diagnostics{.name = "diagnostics",
                                           .keys = diagnostics_keys,
                                           .table = diagnostics_table,
                                           .times =
                                               [](const Options& o) {
                                                 return Times{.key = diagnostics_keys[0],
                                                              .interval = o.output.diagnostics_interval};
                                               },
                                           .make = make_output<DiagnosticsTable>};

}  // namespace pleiad::run
