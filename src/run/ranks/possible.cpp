#include "run/ranks/possible.hpp"

#include <pleiad/error.hpp>

#include <string>
#include <string_view>

namespace pleiad::run {

void need_possible_on_ranks(const Options& o) {
  const auto refuse = [](bool asked, std::string_view sentence) {
    if (asked) throw UsageError("with several ranks " + std::string(sentence));
  };
  refuse(o.ensemble.active(), "there are no ensembles; run them as one process");
  refuse(o.output.pictures || o.output.movie,
         "there are no pictures yet; set output.pictures = false, and draw them of snapshots with pleiad "
         "render");
  refuse(o.output.snapshot_format != "csv",
         "snapshots are written as CSV only; set output.snapshot_format = \"csv\"");
  refuse(!o.output.trajectory_ids.empty(), "there are no trajectories yet; leave output.trajectory_ids away");
  refuse(o.gravity.images == "all" &&
             (o.solver.accuracy > 0 || (o.solver.method != "auto" && o.solver.method != "direct")),
         "no errors of forces are measured with all images of a periodic box: leave [solver] away, and name "
         "a tree, engine.kernel = \"cpu/fmm order=4 theta=0.6\"");
  refuse(o.gravity.softening == 0,
         "gravity.softening must be > 0: bodies at one place are not looked for across ranks");
  refuse(o.time.integrator == "hermite4", "integrator hermite4 does not work; use kdk or yoshida6");
  refuse(o.engine.backend == "cuda" || o.engine.gpus > 1,
         "GPUs do not work yet; use engine.backend = \"cpu\"");
}

}  // namespace pleiad::run
