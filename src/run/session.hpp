/// The run of one system, by all ranks that share its bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/monitor.hpp"
#include "run/any_run.hpp"
#include "run/end.hpp"
#include "run/energy_watch.hpp"
#include "run/kernel.hpp"
#include "run/mass_loss.hpp"
#include "run/outputs.hpp"
#include "run/ranks/work.hpp"
#include "run/start.hpp"
#include "run/viewer.hpp"
#include "run/way_back.hpp"
#include "sim/encounter_watch.hpp"

#include <pleiad/simulation.hpp>

#include <cstdint>
#include <exception>
#include <future>
#include <optional>
#include <string>

namespace pleiad::run {

class Session : public AnyRun {
 public:
  /// Bodies, law, method, kernels and outputs, all checked. `measure`: whether kernels may be measured to
  /// find the fastest, and whether the precision is checked that many bodies need. Collective, as all calls.
  Session(const Request& request, std::optional<Resumed> resumed, ranks::Communicator& ranks, bool measure);

  std::variant<Forecast, EnsembleForecast> estimate() override;

 private:
  /// Result of a checkpoint, and its time, by RunContext::elapsed().
  struct Saved {
    std::exception_ptr failure;
    double until = 0;
  };
  /// A checkpoint on its way to the disk.
  struct Saving {
    std::uint64_t step = 0;
    double since = 0;
    bool must = false;
    std::future<Saved> saved;  ///< broken if an earlier failure has prevented the checkpoint
  };

  void open() override;
  Started begun() const override;
  void first_outputs() override;
  bool ended() const override { return !before(simulation_->method(), outputs_->written(), end_); }
  std::string own_reason_to_stop() const override { return stop_; }
  void advance() override;
  Progress progress() const override;
  End finish(const std::string& stopped_by) override;
  void abandon() noexcept override;

  void begin();
  void check_part(Start& start);
  void start(Snapshot initial);
  void resume();
  void need_like_devices();
  void settle_lattice();
  void find_end();
  EngineDescription describe() const;
  void note_machines();
  std::optional<std::string> look_for_close_binaries();
  std::uint64_t batch_limit() const;
  Viewer::Take all_bodies();
  void show();
  double patience() const;
  bool may_step();
  void make_steps(const Moment& next);
  void run_towards(const Moment& moment, bool potentials);
  bool look_for_encounters();
  bool lose_mass();
  void take(ChangedBodies changed);
  // Of a run whose energy error is asked for: session_budget.cpp.
  void need_kept_energy() const;
  void settle_force_share(double start);
  void choose_integration();
  void note_blocks();
  void choose_positions();
  void take_method(const Method& method);
  void go_on_from(EnergyWatch::Point point);
  double energy_error_of_now();
  void run_watched(const Moment& moment);
  void make_again();
  void advance_watched(const Moment& next);
  void go_back_to_start_of_interval();
  void write_between(const Moment& moment);
  void write_due();
  void show_last(bool stopped);
  std::string hash_of_state();
  void need_finite();
  void check_state();
  void check_accuracy();
  void take_better_precision();
  bool checkpoint_due() const;
  void checkpoint(bool at_stop);
  void settle_checkpoint(bool ending = false);

  bool measure_;
  EngineOptions engine_;
  Settled settled_;
  Moment end_;
  std::optional<Saving> saving_;
  std::optional<Simulation> simulation_;
  Viewed viewer_{context_.request.viewer};  ///< of rank 0, after the simulation that it looks at
  bool viewed_ = false;                     ///< rank 0 has a viewer
  bool one_step_ = false;                   ///< before the next query of the viewer
  std::optional<Outputs> outputs_;
  std::optional<EncounterWatch> encounters_;
  std::optional<MassLoss> mass_loss_;
  static constexpr const char* initial_masses_name = "initial_masses";  ///< of a section of checkpoints
  static constexpr const char *encounter_counts_name = "encounter_counts",
                              *encounter_radii_name = "encounter_radii";  ///< of sections of checkpoints
  std::optional<EnergyWatch> energy_watch_;
  bool interval_done_ = false;  ///< by the last steps
  std::string stop_;            ///< why an encounter ends the run
  std::optional<control::AccuracyMonitor> accuracy_;
  std::optional<control::AccuracyCheck> first_check_;
  StepWork step_work_{context_.ranks};
  double step_seconds_ = 0;
  std::uint64_t start_step_ = 0, start_evaluations_ = 0;
  std::uint64_t earlier_evaluations_ = 0;  ///< of engines with other bodies
  std::uint64_t check_every_ = 1;          ///< steps between checks of the state
  std::uint64_t next_look_ = 0;            ///< step of the next look for close binaries
  bool told_close_binaries_ = false;
  Moment last_saved_;                ///< all that was due until then is in the newest checkpoint
  std::string state_hash_;           ///< of the last state
  std::optional<WayBack> way_back_;  ///< on a lattice
};

}  // namespace pleiad::run
