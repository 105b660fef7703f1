#include "run/ranks/ensemble.hpp"

#include "direct/why_not.hpp"
#include "io/config/config.hpp"
#include "ranks/agree.hpp"
#include "ranks/place.hpp"
#include "ranks/self.hpp"
#include "run/any_run.hpp"
#include "run/observer.hpp"
#include "run/ranks/alike.hpp"
#include "run/ranks/members.hpp"
#include "run/ranks/pieces.hpp"
#include "run/resumed.hpp"

#include <pleiad/error.hpp>

#include <exception>
#include <functional>
#include <memory>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Calls `work` with the run of rank 0; the other ranks carry out its orders until it has ended or failed.
void lead_or_follow(const Request& request, ranks::Communicator& comm, bool measure,
                    const std::function<void(AnyRun&)>& work) {
  if (!request.resume)
    ranks::agree(comm,
                 [&] { need_able({}, {.gpus = request.options.engine.gpus, .on_ranks = comm.ranks() > 1}); });
  need_alike(comm, request.resume ? fmt::format("{}", fmt::join(request.resume_settings, "\n"))
                                  : to_toml(request.options));
  const auto idle = ranks::idle_processors(comm);
  std::exception_ptr failure;
  if (comm.rank() > 0) {
    follow(comm);
  } else {
    try {
      const auto run = make_run(request, resumed_of(request, ranks::self(), measure), ranks::self(), measure);
      if (!request.resume && request.options.engine.threads == 0 && !idle.empty() &&
          request.observer != nullptr)
        request.observer->note(idle);
      work(*run);
    } catch (const ranks::AgreedError&) {
      throw;
    } catch (const Error&) {
      failure = std::current_exception();
    }
  }
  // The others wait here, or for the systems that they would have got.
  ranks::agree(comm, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace

bool is_ensemble(const Request& request, ranks::Communicator& comm) {
  if (!request.resume) return request.options.ensemble.active();
  std::uint64_t ensemble = 0;
  if (comm.rank() == 0 && !has_pieces(*request.resume)) {
    try {
      ensemble = read_config(*request.resume / "config.toml").ensemble.active();
    } catch (const Error&) {
      // It is refused as a run of one system.
    }
  }
  return all_gather(comm, ensemble).front() != 0;
}

End execute_ensemble_on_ranks(const Request& request, ranks::Communicator& comm) {
  End end{};
  lead_or_follow(request, comm, true, [&](AnyRun& run) { end = run.execute(); });
  return all_gather(comm, end).front();
}

EnsembleForecast estimate_ensemble_on_ranks(const Request& request, ranks::Communicator& comm) {
  EnsembleForecast forecast;
  lead_or_follow(request, comm, false, [&](AnyRun& run) {
    const auto note = request.resume ? "" : run.need_forecastable();
    forecast = std::get<EnsembleForecast>(run.estimate());
    forecast.note = note;
  });
  return forecast;
}

}  // namespace pleiad::run
