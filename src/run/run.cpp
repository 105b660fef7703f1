#include "run/run.hpp"

#include "ranks/self.hpp"
#include "run/analysis.hpp"
#include "run/any_run.hpp"
#include "run/ranks/ensemble.hpp"
#include "run/resumed.hpp"

namespace pleiad::run {

std::vector<std::string> resumable_keys() {
  std::vector<std::string> keys{"time.t_end",
                                "time.end_redshift",
                                "engine.threads",
                                "engine.gpus",
                                "engine.distribute_tree",
                                "checkpoint.interval_seconds",
                                "checkpoint.every_steps",
                                "checkpoint.require",
                                "limits.walltime_seconds",
                                "limits.max_energy_error",
                                "limits.hang_seconds"};
  for (const auto* analysis : analyses())
    if (analysis->at_end) keys.insert(keys.end(), analysis->keys.begin(), analysis->keys.end());
  return keys;
}

namespace {

ranks::Communicator& ranks_of(const Request& request) { return ranks::or_self(request.ranks); }

/// Systems of an ensemble are whole on their ranks: rank 0 leads, and the others step those that it sends.
bool shares_systems(const Request& request) {
  auto& ranks = ranks_of(request);
  return ranks.ranks() > 1 && is_ensemble(request, ranks);
}

}  // namespace

End execute(const Request& request) {
  auto& ranks = ranks_of(request);
  if (shares_systems(request)) return execute_ensemble_on_ranks(request, ranks);
  return make_run(request, resumed_of(request, ranks), ranks)->execute();
}

void check(const Request& request) {
  make_run(request, std::nullopt, ranks::self(), false)->need_claimable();
}

std::variant<Forecast, EnsembleForecast> forecast(const Request& request) {
  auto& ranks = ranks_of(request);
  if (shares_systems(request)) return estimate_ensemble_on_ranks(request, ranks);
  const auto run = make_run(request, resumed_of(request, ranks, false), ranks, false);
  const auto note = request.resume ? "" : run->need_forecastable();
  auto forecast = run->estimate();
  std::visit([&](auto& f) { f.note = note; }, forecast);
  return forecast;
}

}  // namespace pleiad::run
