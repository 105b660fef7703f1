/// A simulation: bodies, a law, a method, and time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/context.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pleiad {

/// How time goes on. Fixed steps are counted, and the time follows from the count (time_of_step), so outputs
/// fall on whole steps. Adaptive: every step is eta min sqrt(eps/|a|) (Hermite: Aarseth's criterion), at most
/// dt, shortened to meet a requested time exactly; that is not time-reversible.
struct Method {
  const Integrator* integrator = nullptr;
  double dt = 0;
  bool adaptive = false;
  double eta = 0.02;
  double damping = 1;
};

/// UsageError for a method that cannot be, under this law.
void check(const Method& method, const Gravity& gravity);

/// Where a simulation stands: with the bodies, all that is needed to continue bit for bit.
struct Clock {
  double start = 0, time = 0;
  std::uint64_t step = 0;
  double next_dt =
      0;  ///< adaptive: length of the next step before any output time shortens it; 0: not yet known
};

/// The number of steps dt from `start` to `time`; UsageError when it is not whole.
std::uint64_t whole_steps(double start, double dt, double time);
/// The time after `step` fixed steps: start + step dt, and the decimal number of 15 digits beside it where
/// these differ by no more than the rounding of that sum, so that three steps of 0.3 end at 0.9.
double time_of_step(double start, double dt, std::uint64_t step);

/// A moment of a run. Fixed steps meet it by its step, adaptive ones by its time, never by both.
struct Moment {
  double time = 0;
  std::uint64_t step = 0;  ///< of fixed steps; 0 in an adaptive run
};
/// The moment of `time` in a run with this clock; UsageError when fixed steps do not meet it.
Moment moment_at(const Clock& clock, const Method& method, double time);
/// Whether the clock has come to `moment`.
bool has_reached(const Clock& clock, const Method& method, const Moment& moment);
/// UsageError when `moment` is past: a simulation does not go back.
void need_ahead(const Clock& clock, const Method& method, const Moment& moment);

/// How a simulation is computed; what it computes is in its snapshot: bodies, time, G, boundary.
struct SimulationOptions {
  double softening = 0;  ///< Plummer's length
  double dt = 0;         ///< adaptive: the longest
  /// The relative error that 99 % of the accelerations may have: the fastest method that meets it on these
  /// bodies is found by trying. 0: direct sums.
  double accuracy = 0;
  std::string integrator = "kdk";
  bool adaptive = false;  ///< see Method, as eta
  double eta = 0.02;
  int dimension = 3;
  Precision precision = Precision::mixed;
  std::string backend = "auto";  ///< "auto", "cpu" or "cuda"
  std::string kernel = "auto";   ///< or how forces are found, by name, as `pleiad run --kernel` takes it
  int gpus = 1;                  ///< the most that may be used; 0: as many as make it faster
  Context context{};
};

/// How far a call has come.
struct RunProgress {
  double time = 0, end = 0;
  std::uint64_t step = 0;
};
/// Told between steps, about ten times a second; false ends the call there.
using Watch = std::function<bool(const RunProgress&)>;

class Simulation;

/// Looks at a simulation between its steps, and may mend it.
class Keeper {
 public:
  virtual ~Keeper() = default;
  /// At most so many steps may be made before it is asked to check.
  virtual std::uint64_t steps_to_check(const Simulation& simulation) const = 0;
  virtual void check(Simulation& simulation) = 0;
};

/// It owns its bodies. One thread calls it at a time; two simulations may run at once.
class Simulation {
 public:
  /// Starts from `initial`, which is checked: InputError for bodies that cannot be (see validate), UsageError
  /// for options. Takes one evaluation, for the energy that errors are told against.
  Simulation(Snapshot initial, const SimulationOptions& options);
  /// `initial.bodies` must be valid (see validate).
  Simulation(Snapshot initial, const Gravity& gravity, const Method& method,
             const EngineOptions& engine = {});
  /// Continues from a state saved earlier.
  Simulation(Snapshot saved, const Clock& clock, const Gravity& gravity, const Method& method,
             const EngineOptions& engine = {});

  /// Has run_until call `observer` at the time that it is now and at every `interval` after it, to which the
  /// snapshot (without accelerations) is a reference that holds during that call; `observer` may not step.
  /// What it throws ends run_until, which may be called again. UsageError when fixed steps do not meet the
  /// interval.
  void every(double interval, std::function<void(const Snapshot&)> observer);
  /// Steps until exactly `time`; UsageError when fixed steps do not meet it. Going backwards is refused.
  /// True: it is reached. False: `watch` has ended it, between two steps; whoever calls it again goes on,
  /// with the same bits.
  bool run_until(double time, const Watch& watch = {});
  /// So many steps; observers are not told.
  void make_steps(std::uint64_t steps);
  /// At most `limit` steps towards a moment; true when it is reached.
  bool run_towards(const Moment& moment, std::uint64_t limit);
  bool run_towards(double time, std::uint64_t limit) { return run_towards(moment_at(time), limit); }
  /// UsageError when fixed steps do not meet `time`.
  Moment moment_at(double time) const { return pleiad::moment_at(clock_, method_, time); }
  bool has_reached(const Moment& moment) const { return pleiad::has_reached(clock_, method_, moment); }

  const Clock& clock() const { return clock_; }
  double time() const { return clock_.time; }
  std::uint64_t step() const { return clock_.step; }
  std::size_t size() const { return now_.bodies.size(); }
  std::span<const Type> types() const { return now_.bodies.type; }
  const Gravity& gravity() const { return gravity_; }
  const Method& method() const { return method_; }

  /// The bodies now, in the order and with the ids and types given. The reference holds as long as the
  /// simulation; what it refers to changes when this is called again after a step.
  const Snapshot& snapshot();
  /// The same, of a simulation that ends with it.
  Snapshot take() &&;
  /// The same with accelerations and potentials.
  Snapshot snapshot_with_fields();
  /// Sets the state of now aside. What is returned makes a snapshot of it, in the memory of one that was made
  /// before: called once, in any thread, before this simulation ends. It may step on meanwhile.
  std::function<void(Snapshot&)> snapshot_meanwhile(bool fields);
  /// See Engine.
  std::function<splat::Layers()> begin_layers(const splat::Request& request) {
    return engine_->begin_layers(request);
  }
  Totals totals() { return engine_->totals(); }
  Energies energies() { return totals().energies; }
  /// Of the bodies where they are: nothing is copied.
  Radii radii() { return engine_->radii(); }
  Diagnostics diagnostics(double reference_energy);
  /// With the energy error since the start; of a simulation that was made without SimulationOptions since
  /// this was called first.
  Diagnostics diagnostics();
  /// The energy that this compares with.
  double reference_energy();
  void set_reference_energy(double energy) { reference_energy_ = energy; }
  /// False as soon as a position or velocity is not finite.
  bool finite() { return engine_->finite(); }
  void reverse_velocities();
  /// The same bodies elsewhere: other positions, velocities and masses, as many and in their order. It goes
  /// on as if it had been resumed there; energy errors are still told against the first energy. InputError
  /// for bodies that cannot be (see validate).
  void move_bodies(Bodies moved);
  /// Of the accelerations now, against direct sums; nothing of the run changes. Without a sample: of one that
  /// is drawn now.
  ForceErrors force_errors(const Sample& sample);
  /// Against accelerations that are known to be right.
  ForceErrors force_errors(const Sample& sample, std::vector<Vec3<double>> exact);
  ForceErrors force_errors() { return force_errors(sample()); }
  /// Of the bodies now, as large as the engine sums quickly.
  Sample sample();
  /// Another method from now on: see Engine::retune.
  void retune(const ForceMethod& method) { engine_->retune(method); }
  /// Another engine from now on, as if the simulation had been saved and resumed: the old one ends before
  /// the new one asks for memory.
  void go_on_with(const EngineOptions& engine);
  /// Has run_towards ask `keeper` to check between steps.
  void kept_by(std::unique_ptr<Keeper> keeper) { keeper_ = std::move(keeper); }
  EngineDescription describe() const { return engine_->describe(); }
  std::uint64_t evaluations() const { return engine_->evaluations(); }

 private:
  /// What run_until tells, and when next.
  struct Observer {
    double start = 0, interval = 0;
    std::uint64_t steps = 0, told = 0;  ///< steps: of fixed ones in an interval
    Moment next{};
    std::function<void(const Snapshot&)> observer;
  };
  void begin(const EngineOptions& engine);
  void tell_due();
  bool go_to(const Moment& moment, double end, const Watch& watch);
  bool step_towards(const Moment& moment, std::uint64_t limit);

  Gravity gravity_;
  Method method_;
  Clock clock_;
  Snapshot now_;
  bool current_ = true;  ///< now_ holds the engine's state
  std::unique_ptr<Engine> engine_;
  std::vector<Observer> observers_{};
  std::optional<double> reference_energy_{};
  std::unique_ptr<Keeper> keeper_{};
};

}  // namespace pleiad
