/// Monitors the force accuracy of a simulation: measures it at the start, at regular steps and at the end,
/// reports it, and improves the settings if the error has grown too large. In an expanding space, where pulls
/// cancel less and less, it loosens them when the error has become much smaller than what is asked for.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/demand.hpp"
#include "control/start.hpp"

#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::control {

class AccuracyMonitor {
 public:
  /// Called with the errors of every check.
  using Tell = std::function<void(const Simulation&, const ForceErrors&)>;
  AccuracyMonitor(const Simulation& simulation, const Demand& demand, Tell tell, Note note);

  /// A check that was made before the first step, so that it need not be made again.
  void start_with(AccuracyCheck first) { first_ = std::move(first); }
  /// Steps until the next check.
  std::uint64_t steps_to_check(const Simulation& simulation) const {
    const auto to_regular = every_ - simulation.step() % every_;
    return next_ > simulation.step() ? std::min(next_ - simulation.step(), to_regular) : to_regular;
  }
  bool due(const Simulation& simulation) const {
    return simulation.step() % every_ == 0 || simulation.step() == next_;
  }
  /// Measures; between two steps, when `may_correct`, also tightens or loosens a tree. The corrections follow
  /// from the bodies alone, so that a resumed run makes the same. Whether a better precision must be taken.
  bool check(Simulation& simulation, bool may_correct);
  /// Switches the simulation to a better precision, which is reported, as if it had been resumed.
  /// NumericalError if there is none; nothing has changed then. `options` are the requested ones.
  EngineOptions take_better_precision(Simulation& simulation, const EngineOptions& options);

  /// Bodies have been taken away or have other masses: from now on the sample is another one.
  void bodies_changed(const Simulation& simulation) {
    sample_.reset();
    has_engine(simulation);
  }

  bool checked_now(const Simulation& simulation) const { return last_ && last_step_ == simulation.step(); }
  const std::optional<ForceErrors>& last() const { return last_; }
  /// State that a resumed run needs: the next early check, and the sample of the next checks of a tree.
  /// Empty: nothing.
  std::string text() const;
  /// The inverse, of a simulation of n bodies. InputError, which begins with `where`, for a text that no
  /// watch has written.
  void restore(const std::string& text, std::size_t n, std::string_view where);

 private:
  void has_engine(const Simulation& simulation);
  bool may_loosen(const Simulation& simulation) const;
  void plan_next(const Simulation& simulation, bool corrected);
  ForceErrors measure(Simulation& simulation);
  bool tighten(Simulation& simulation, const ForceErrors& errors);
  void loosen(Simulation& simulation, const ForceErrors& errors);

  Demand demand_;
  Limits limits_;
  Tell tell_;
  Note note_;
  bool tree_ = false;
  std::uint64_t every_ = 1;  ///< steps from one regular check to the next
  /// The step of the next check, where that is an early one, and how many steps it is after the last.
  std::uint64_t next_ = 0, pause_ = 0;
  bool borne_ = false;  ///< that nothing better is left was reported, and is not reported again
  std::optional<AccuracyCheck> first_;
  std::optional<Sample> sample_;
  std::vector<Vec3<double>> exact_;  ///< of the last check of a tree in an expanding space
  std::optional<ForceErrors> last_;
  std::uint64_t last_step_ = 0;
};

}  // namespace pleiad::control
