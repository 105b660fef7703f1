/// Power spectra of a periodic cube during the run, in one table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"
#include "profiles/columns.hpp"
#include "ranks/agree.hpp"
#include "run/analyses/structure.hpp"
#include "structure/measures.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view power_table = "power.csv";

class PowerSpectra : public Output {
 public:
  explicit PowerSpectra(AnalysedRun& run) : Output(run) {
    if (!on()) return;
    const auto& b = run.simulation.snapshot().boundary;
    if (!b.periodic || b.length.x != b.length.y || b.length.x != b.length.z)
      throw UsageError(
          "output.power_spectra: power spectra are of a periodic cube; leave it out, or set gravity.box");
  }
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    if (!on()) return;
    if (!comoving()) return open_table(power_table, resumed, notes, {"time,k,power,modes,shot_noise,fold"});
    const bool physical = run_.simulation.snapshot().units.physical;
    open_table(power_table, resumed, notes,
               {physical ? "# k in h/Mpc, power and shot_noise in (Mpc/h)^3, comoving"
                         : "# k and power in the unit of length of the run, comoving",
                "# growth: D(a) over that of the start; linear power grows with its square",
                "scale_factor,redshift,growth,k,power,modes,shot_noise,fold"});
  }
  Task begin() override {
    return {.copy = Task::Copy::changed, .work = [this](Snapshot& s) {
              gather_structure(run_, s);
              ranks::agree(run_.ranks, [&] {
                if (run_.leads()) write_rows(s);
              });
            }};
  }

 private:
  bool on() const { return run_.options.output.power_spectra; }
  bool comoving() const { return run_.options.cosmology.active(); }
  /// The columns that all rows of a moment share.
  std::string moment(const Snapshot& s) const {
    const auto universe = comoving_in(run_.options, s);
    if (!universe) return fmt::format("{:.17g}", s.time);
    const auto& c = universe->universe;
    const double start = cosmology::scale_factor_of(run_.options.time.begin_redshift);
    const double z = cosmology::redshift_of(s.time);
    return fmt::format("{:.17g},{:.9g},{:.12g}", s.time, std::abs(z) < 1e-12 ? 0 : z,
                       cosmology::growth(c, s.time).D1 / cosmology::growth(c, start).D1);
  }
  void write_rows(const Snapshot& s) {
    const auto& o = run_.options.output;
    const auto chosen = structure::bodies_of(s.bodies, {});
    const auto spectrum =
        structure::power_spectrum(s.bodies, chosen, s.boundary,
                                  {.grid = std::size_t(o.power_grid), .folds = std::size_t(o.power_folds)});
    const auto unit = comoving() ? structure::megaparsec_in(s.units).value_or(1) : 1;
    const auto table = structure::table_of(spectrum, unit);
    const auto shared = moment(s);
    for (std::size_t row = 0; row < table.rows(); ++row)
      table_->append(fmt::format("{},{}", shared, profiles::row_of(table, row)));
  }
};

constexpr std::array<std::string_view, 6> power_keys{"output.power_spectra",  "output.power_grid",
                                                     "output.power_folds",    "output.analysis_interval",
                                                     "output.analysis_times", "output.analysis_redshifts"};

}  // namespace

extern const Analysis analysis_power_spectra{
    .name = "power_spectra",
    .keys = power_keys,
    .table = power_table,
    .times = [](const Options& o) { return structure_times(o, o.output.power_spectra); },
    .make = make_output<PowerSpectra>};

}  // namespace pleiad::run
