#include "run/any_run.hpp"

#include "run/ensemble/session.hpp"
#include "run/session.hpp"

namespace pleiad::run {

std::unique_ptr<AnyRun> make_run(const Request& request, std::optional<Resumed> resumed, bool measure) {
  const auto& options = resumed ? resumed->options : request.options;
  if (options.ensemble.active()) return std::make_unique<EnsembleSession>(request, std::move(resumed));
  return std::make_unique<Session>(request, std::move(resumed), measure);
}

void AnyRun::need_claimable() const {
  RunDirectory::need_claimable(options_.output.directory, context_.request.overwrite, context_.claims());
}

End AnyRun::execute() {
  const auto claims = context_.claims();
  if (!context_.resumed) context_.take_directory(claims);
  open();
  context_.start();
  context_.observer().started(begun());
  try {
    return loop();
  } catch (const ResourceError& e) {
    abandon();
    context_.directory().need_same();  // else that is why
    throw ResourceError(e.what() + way_on());
  } catch (...) {
    abandon();
    throw;
  }
}

End AnyRun::loop() {
  if (!context_.resumed) first_outputs();
  while (!ended()) {
    if (const auto reason = context_.reason_to_stop(); !reason.empty()) return finish(reason);
    advance();
    context_.observer().progressed([this] { return progress(); });
  }
  return finish("");
}

}  // namespace pleiad::run
