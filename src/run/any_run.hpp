/// A run of one system or of an ensemble: first all checks, then its directory, then its
/// steps. Every rank that shares the bodies makes the same calls.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/end.hpp"
#include "run/observer.hpp"
#include "run/run_context.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace pleiad::run {

class AnyRun {
 public:
  virtual ~AnyRun() = default;
  /// Claims the directory of a new run, and steps to the end or to a stop.
  End execute();
  /// Throws the error that execute() would throw on claiming the directory of a new run.
  void need_claimable() const;
  /// The same for a forecast, to which a directory that holds a run is no obstacle: a note says what
  /// execute() would need there, or nothing.
  std::string need_forecastable() const;
  /// Measures what it takes; nothing is written.
  virtual std::variant<Forecast, EnsembleForecast> estimate() = 0;

 protected:
  /// Derived classes make all that can be refused; nothing is written. `request` and `ranks` outlive it.
  AnyRun(const Request& request, std::optional<Resumed> resumed, ranks::Communicator& ranks)
      : context_(request, std::move(resumed), ranks) {}

  /// Opens the outputs in the directory, or takes them up where the checkpoint left them.
  virtual void open() = 0;
  virtual Started begun() const = 0;
  /// Writes the outputs that are due before the first step, and a checkpoint, so that a run killed at any
  /// moment can be resumed.
  virtual void first_outputs() = 0;
  virtual bool ended() const = 0;
  /// Why the run is to stop by itself, other than by its end or from outside; "": it is not.
  virtual std::string own_reason_to_stop() const { return {}; }
  /// Makes a batch of steps, and writes the outputs that are due after it.
  virtual void advance() = 0;
  virtual Progress progress() const = 0;
  virtual End finish(const std::string& stopped_by) = 0;
  /// Ends work that was begun, after a failure; throws nothing.
  virtual void abandon() noexcept {}
  /// Text that is added to an error that ends the run: where it can be continued, or "".
  std::string resume_hint() const {
    return last_checkpoint_step_ ? context_.resume_hint(*last_checkpoint_step_) : "";
  }

  RunContext context_;
  const Options& options_ = context_.options;
  std::optional<std::uint64_t> last_checkpoint_step_;  ///< of the newest checkpoint

 private:
  End loop();
};

/// Makes the run that the options request; `ranks` share its bodies. `measure`: see Session.
std::unique_ptr<AnyRun> make_run(const Request& request, std::optional<Resumed> resumed,
                                 ranks::Communicator& ranks, bool measure = true);

}  // namespace pleiad::run
