/// The run of an ensemble.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/any_run.hpp"
#include "run/end.hpp"
#include "run/ensemble/outputs.hpp"

#include <pleiad/ensemble.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

class EnsembleSession : public AnyRun {
 public:
  /// Scan, systems and outputs, all checked.
  EnsembleSession(const Request& request, std::optional<Resumed> resumed);

  /// Makes the first steps, which take time.
  std::variant<Forecast, EnsembleForecast> estimate() override;

 private:
  void open() override;
  Started begun() const override;
  void first_outputs() override;
  bool ended() const override { return outputs_->ended(reached_); }
  void advance() override;
  Progress progress() const override;
  End finish(const std::string& stopped_by) override;

  void begin();
  void resume();
  /// Makes the ensemble, on the ranks of the request if there are any.
  void make_ensemble(std::vector<Member> members);
  void need_whole_steps() const;
  double mean_time() const;
  void checkpoint(bool wanted_at_stop);
  void write_checkpoint();

  std::optional<Scan> scan_;
  std::optional<Ensemble> ensemble_;
  std::optional<EnsembleOutputs> outputs_;
  Moment reached_;  ///< time that all active systems have reached, with its outputs written
  std::uint64_t batch_ = 1;
};

}  // namespace pleiad::run
