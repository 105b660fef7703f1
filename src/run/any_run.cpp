#include "run/any_run.hpp"

#include "ranks/agree.hpp"
#include "run/ensemble/session.hpp"
#include "run/session.hpp"

#include <fmt/format.h>

namespace pleiad::run {

std::unique_ptr<AnyRun> make_run(const Request& request, std::optional<Resumed> resumed,
                                 ranks::Communicator& ranks, bool measure) {
  const auto& options = resumed ? resumed->options : request.options;
  if (options.ensemble.active()) return std::make_unique<EnsembleSession>(request, std::move(resumed));
  return std::make_unique<Session>(request, std::move(resumed), ranks, measure);
}

void AnyRun::need_claimable() const {
  ranks::agree(context_.ranks, [&] {
    if (context_.leads())
      RunDirectory::need_claimable(options_.output.directory, context_.request.overwrite, context_.claims());
  });
}

std::string AnyRun::need_forecastable() const {
  std::string note;
  ranks::agree(context_.ranks, [&] {
    if (!context_.leads()) return;
    const auto& directory = options_.output.directory;
    const bool overwrite = context_.request.overwrite;
    if (!overwrite && RunDirectory::holds_run(directory))
      note = fmt::format("'{}' holds a run: `pleiad run` needs --overwrite or --resume there", directory);
    else RunDirectory::need_claimable(directory, overwrite, context_.claims());
  });
  return note;
}

End AnyRun::execute() {
  context_.take_directory();
  open();
  context_.start();
  context_.observer().started(begun());
  try {
    return loop();
  } catch (const ranks::AgreedError& e) {
    abandon();
    if (e.kind() != Error::Kind::resource) throw;
    throw ranks::AgreedError(e.code(), e.what() + resume_hint());
  } catch (const ResourceError& e) {
    abandon();
    if (context_.leads()) context_.directory()->need_same();  // else that is why
    throw ResourceError(e.what() + resume_hint(), e.code());
  } catch (...) {
    abandon();
    throw;
  }
}

End AnyRun::loop() {
  if (!context_.resumed) first_outputs();
  while (true) {
    if (const auto reason = own_reason_to_stop(); !reason.empty()) return finish(reason);
    if (ended()) break;
    if (const auto reason = context_.reason_to_stop(); !reason.empty()) return finish(reason);
    advance();
    context_.observer().progressed([this] { return progress(); });
  }
  return finish("");
}

}  // namespace pleiad::run
