#include "run/analyses/structure.hpp"

#include "io/config/universe.hpp"
#include "ranks/gather.hpp"
#include "run/comoving.hpp"

namespace pleiad::run {

Times structure_times(const Options& o, bool on) {
  const auto& out = o.output;
  const bool comoving = o.cosmology.active();
  const bool own =
      out.analysis_interval > 0 || !out.analysis_times.empty() || !out.analysis_redshifts.empty();
  const auto& redshifts = own ? out.analysis_redshifts : out.snapshot_redshifts;
  const auto& times = own ? out.analysis_times : out.snapshot_times;
  return {.on = on,
          .key = own ? "output.analysis_interval" : "output.snapshot_interval",
          .interval = own ? out.analysis_interval : out.snapshot_interval,
          .times_key = own ? (comoving ? "output.analysis_redshifts" : "output.analysis_times")
                           : (comoving ? "output.snapshot_redshifts" : "output.snapshot_times"),
          .times = comoving ? config::times_of_redshifts(redshifts) : times};
}

void gather_structure(const AnalysedRun& run, Snapshot& s) {
  if (run.ranks.ranks() > 1) s.bodies = ranks::gather_bodies(run.ranks, s.bodies);
  if (run.options.cosmology.active()) make_peculiar(s);
}

std::optional<structure::Comoving> comoving_in(const Options& o, const Snapshot& s) {
  if (!o.cosmology.active()) return std::nullopt;
  return structure::Comoving{
      .universe = config::universe_of(o.cosmology), .a = s.time, .hubble = o.cosmology.hubble};
}

}  // namespace pleiad::run
