#include "run/run.hpp"

#include "run/ensemble/session.hpp"
#include "run/session.hpp"

namespace pleiad::run {

std::vector<std::string> resumable_keys() {
  return {"time.t_end",
          "engine.threads",
          "engine.gpus",
          "checkpoint.interval_seconds",
          "checkpoint.every_steps",
          "checkpoint.require",
          "limits.walltime_seconds",
          "limits.max_energy_error",
          "output.movie",
          "output.plots"};
}

namespace {

template <class Any>
Exit run_session(const Request& request, std::optional<Resumed> resumed) {
  Any session(request, std::move(resumed));
  session.take();
  try {
    return session.loop();
  } catch (const ResourceError& e) {
    session.need_same_directory();  // else that is why
    throw ResourceError(e.what() + session.way_on());
  }
}

/// Both kinds of a run end their preparation here when nothing is to be written.
template <class Any>
void need_claimable(const Any& session, const Request& request) {
  RunDirectory::need_claimable(session.options().output.directory, request.overwrite, session.inputs());
}

}  // namespace

Exit execute(const Request& request) {
  auto resumed = resumed_of(request);
  const auto& options = resumed ? resumed->options : request.options;
  return options.ensemble.active() ? run_session<EnsembleSession>(request, std::move(resumed))
                                   : run_session<Session>(request, std::move(resumed));
}

void check(const Request& request) {
  if (request.options.ensemble.active())
    return need_claimable(EnsembleSession(request, std::nullopt), request);
  need_claimable(Session(request, std::nullopt, false), request);
}

}  // namespace pleiad::run
