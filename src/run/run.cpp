#include "run/run.hpp"

#include "ranks/simulated.hpp"
#include "run/any_run.hpp"
#include "run/ranks/ensemble.hpp"
#include "run/ranks/pieces.hpp"
#include "run/ranks/session.hpp"

namespace pleiad::run {

std::vector<std::string> resumable_keys() {
  return {"time.t_end",
          "engine.threads",
          "engine.gpus",
          "engine.divide_tree",
          "checkpoint.interval_seconds",
          "checkpoint.every_steps",
          "checkpoint.require",
          "limits.walltime_seconds",
          "limits.max_energy_error",
          "limits.hang_seconds",
          "output.movie",
          "output.plots"};
}

End execute(const Request& request) {
  if (request.ranks != nullptr)
    return is_ensemble(request, *request.ranks) ? execute_ensemble_on_ranks(request, *request.ranks)
                                                : execute_on_ranks(request, *request.ranks);
  // What several ranks have begun goes on in the same way on one process.
  if (request.resume && has_pieces(*request.resume)) return execute_on_ranks(request, *ranks::single_rank());
  return make_run(request, resumed_of(request))->execute();
}

void check(const Request& request) { make_run(request, std::nullopt, false)->need_claimable(); }

std::variant<Forecast, EnsembleForecast> forecast(const Request& request) {
  if (request.ranks != nullptr && is_ensemble(request, *request.ranks))
    return foresee_ensemble_on_ranks(request, *request.ranks);
  if (request.ranks != nullptr) return foresee_on_ranks(request, *request.ranks);
  if (request.resume && has_pieces(*request.resume)) return foresee_on_ranks(request, *ranks::single_rank());
  const auto run = make_run(request, resumed_of(request), false);
  if (!request.resume) run->need_claimable();
  return run->foresee();
}

}  // namespace pleiad::run
