/// A simulation: bodies, force law, integration method and clock.
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

/// The integration method. Fixed steps are counted, and the time follows from the count (time_of_step). A
/// requested time between two of them is met by one shortened step. Adaptive steps are eta min sqrt(eps/|a|)
/// (Hermite: Aarseth's criterion), at most dt, and shortened to meet a requested time exactly; they are not
/// time-reversible.
struct Method {
  const Integrator* integrator = nullptr;
  double dt = 0;
  bool adaptive = false;
  double eta = 0.02;
  double damping = 1;
  bool exact_steps = false;  ///< fixed steps: refuse times that are not whole numbers of steps
};

/// UsageError for a method that is invalid, or that this law does not allow.
void check(const Method& method, const Gravity& gravity);

/// The clock of a simulation. With the bodies it is enough to continue bit for bit.
struct Clock {
  double start = 0, time = 0;
  std::uint64_t step = 0;
  double next_dt = 0;  ///< adaptive: length of the next step, not shortened for an output; 0: not yet known
  /// The number of steps made at `start`: fixed steps are counted from there. Both are those of the last end
  /// that a shortened step has met.
  std::uint64_t start_step = 0;
  double ahead = 0;  ///< fixed steps, in at_moment only: how far the bodies are beyond the last full step
};

/// UsageError if a step dt is lost in the rounding of times from `start` to `time`.
void need_above_rounding(double start, double dt, double time);
/// The number of steps dt from `start` to `time`; UsageError if it is not a whole number.
std::uint64_t whole_steps(double start, double dt, double time);
/// The time after `step` fixed steps: start + step dt, or the nearest decimal number of 15 digits if it
/// differs by no more than the rounding error of that sum, so that three steps of 0.3 end at 0.9.
double time_of_step(double start, double dt, std::uint64_t step);

/// A moment of a run. Fixed steps meet it by its step, adaptive steps by its time, never by both.
struct Moment {
  double time = 0;
  std::uint64_t step = 0;  ///< of fixed steps; 0 in an adaptive run
  double ahead = 0;        ///< length of the shortened step after it, for a time between two fixed steps
};
/// Where a clock stands.
inline Moment moment_of(const Clock& clock) {
  return {.time = clock.time, .step = clock.step, .ahead = clock.ahead};
}
/// The moment of `time` in a run with this clock; UsageError if it is before the clock's start, if steps are
/// lost in the rounding of such times, or if Method::exact_steps forbids it.
Moment moment_at(const Clock& clock, const Method& method, double time);
/// The same, and first UsageError if `time` is in the past.
Moment end_at(const Clock& clock, const Method& method, double time);
/// Whether a moment is earlier than another one of the same run.
bool before(const Method& method, const Moment& one, const Moment& other);
/// Whether the clock has reached `moment`.
bool has_reached(const Clock& clock, const Method& method, const Moment& moment);
/// UsageError if `moment` is in the past.
void need_ahead(const Clock& clock, const Method& method, const Moment& moment);

/// How a simulation is computed. The snapshot has the problem itself: bodies, time, G, boundary.
struct SimulationOptions {
  double softening = 0;  ///< Plummer softening length
  double dt = 0;         ///< time step; adaptive: the longest one
  /// Target relative force error, met by 99 % of the bodies. A search on these bodies takes the fastest
  /// method that meets it. 0: direct sums.
  double accuracy = 0;
  std::string integrator = "kdk";
  bool adaptive = false;  ///< see Method, also for eta and exact_steps
  bool exact_steps = false;
  double eta = 0.02;
  int dimension = 3;
  /// None: f64 where at most 256 bodies have mass, or one holds more than half of the mass of at most 10,000;
  /// else mixed.
  std::optional<Precision> precision{};
  std::string backend = "auto";         ///< "auto", "cpu" or "cuda"
  std::string kernel = "auto";          ///< or a method by name, as `pleiad run --kernel` accepts it
  int gpus = 1;                         ///< maximum number of GPUs; 0: as many as make it faster
  std::vector<Potential> potentials{};  ///< external ones: see Gravity
  Context context{};
};

/// The progress of a call.
struct RunProgress {
  double time = 0, end = 0;
  std::uint64_t step = 0;
};
/// Called between steps, about ten times a second. If it returns false the call ends there.
using Watch = std::function<bool(const RunProgress&)>;
/// Called before the first step, and between steps when as many are made as it said last. It returns how many
/// may follow at most; 0: the call ends there.
using NextBatch = std::function<std::uint64_t(const RunProgress&)>;

class Simulation;

/// Checks a simulation between its steps, and may change its method.
class Controller {
 public:
  virtual ~Controller() = default;
  /// The largest number of steps that may be made before the next check.
  virtual std::uint64_t steps_to_check(const Simulation& simulation) const = 0;
  virtual void check(Simulation& simulation) = 0;
  /// How it checks: load makes from it one that checks in the same way.
  virtual std::string text() const = 0;
};

/// A simulation owns its bodies. Use it from one thread at a time; two simulations may run concurrently.
class Simulation {
 public:
  /// Starts from `initial`. InputError for invalid bodies (see validate), UsageError for invalid options.
  /// Makes one force evaluation, for the reference energy.
  Simulation(Snapshot initial, const SimulationOptions& options);
  /// `initial.bodies` must be valid (see validate).
  Simulation(Snapshot initial, const Gravity& gravity, const Method& method,
             const EngineOptions& engine = {});
  /// Continues from a state saved earlier.
  Simulation(Snapshot saved, const Clock& clock, const Gravity& gravity, const Method& method,
             const EngineOptions& engine = {});

  /// Makes run_until call `observer` at the present time and then at each `interval`. The reference to the
  /// snapshot (without accelerations) is valid during that call only; `observer` must not make steps. An
  /// exception from it ends run_until, which may be called again. Between two fixed steps it is shown a copy,
  /// advanced by one shortened step: the bits of the simulation do not change, and the copy costs two
  /// evaluations of the forces. UsageError if the interval is lost in the rounding of times, or if
  /// Method::exact_steps forbids it.
  void every(double interval, std::function<void(const Snapshot&)> observer);
  /// Makes steps until exactly `time`. UsageError if it is in the past, or if Method::exact_steps forbids it.
  /// A time between two fixed steps is met by one shortened step, and the next full step begins there: the
  /// bits depend on the list of such times. Returns true at `time`, and false if `watch` has ended the call
  /// between two steps. Call it again to continue with the same bits.
  bool run_until(double time, const Watch& watch = {});
  /// The same in batches of any length, which all have the same bits.
  bool run_in_batches(double time, const NextBatch& next_batch);
  /// Makes this number of steps, without calling observers.
  void make_steps(std::uint64_t steps);
  /// Makes at most `limit` steps towards a moment; true if it is reached. `potentials`: they will be needed
  /// there (totals, snapshot_with_fields), and may be computed with the last accelerations. The bits do not
  /// depend on it.
  bool run_towards(const Moment& moment, std::uint64_t limit, bool potentials = false);
  bool run_towards(double time, std::uint64_t limit) { return run_towards(end_at(time), limit); }
  /// Advances the bodies from the last full step before `moment`, where they are, to `moment` by a shortened
  /// step, calls `work`, and returns to that step: the bits of later steps do not depend on it. `work` must
  /// not make steps. `potentials`: as in run_towards.
  void at_moment(const Moment& moment, const std::function<void()>& work, bool potentials = false);
  Moment end_at(double time) const { return pleiad::end_at(clock_, method_, time); }
  Moment moment_at(double time) const { return pleiad::moment_at(clock_, method_, time); }
  bool has_reached(const Moment& moment) const { return pleiad::has_reached(clock_, method_, moment); }

  const Clock& clock() const { return clock_; }
  double time() const { return clock_.time; }
  /// The number of steps made, with a shortened one.
  std::uint64_t step() const { return clock_.step + (clock_.ahead > 0 ? 1 : 0); }
  std::size_t size() const { return now_.bodies.size(); }
  /// The number of bodies of all ranks of a run.
  std::size_t size_on_all_ranks() const { return engine_->on_all_ranks(size()); }
  std::span<const Type> types() const { return now_.bodies.type; }
  const Gravity& gravity() const { return gravity_; }
  const Method& method() const { return method_; }

  /// The present bodies, with the order, ids and types of the start. The reference is valid as long as the
  /// simulation; the next call after a step changes the snapshot.
  const Snapshot& snapshot();
  /// The same, moved out of a simulation that is no longer used.
  Snapshot take() &&;
  /// The same with accelerations and potentials.
  Snapshot snapshot_with_fields();
  /// Copies the present state. The returned function writes it to a snapshot, and reuses the memory of that
  /// snapshot. Call it once, in any thread, before the simulation is destroyed, which may step meanwhile.
  std::function<void(Snapshot&)> snapshot_meanwhile(bool fields);
  /// See Engine.
  std::function<splat::ImagePlanes()> begin_image_planes(const splat::Request& request) {
    return engine_->begin_image_planes(request);
  }
  Totals totals() { return engine_->totals(); }
  Energies energies() { return totals().energies; }
  /// Computed where the bodies are, without copying them.
  Radii radii() { return engine_->radii(); }
  Diagnostics diagnostics(double reference_energy);
  /// With the energy error since the start. Without SimulationOptions: since the first call of this
  /// function.
  Diagnostics diagnostics();
  /// The energy that diagnostics() uses as the reference.
  double reference_energy();
  void set_reference_energy(double energy) { reference_energy_ = energy; }
  /// False as soon as a position or velocity is not finite.
  bool finite() { return engine_->finite(); }
  /// NumericalError with the first body whose position or velocity is not finite.
  void need_finite();
  /// UsageError if the first adaptive step is lost in the rounding of times near the start.
  void need_first_step();
  void reverse_velocities();
  /// Moves the bodies: other positions, velocities and masses, as many and in the same order. The simulation
  /// continues as if it had been resumed there; energy errors still refer to the first energy. InputError
  /// for invalid bodies (see validate).
  void move_bodies(Bodies moved);
  /// The bodies in the memory of one GPU, with the rounding of the engine, to be read and written between
  /// steps; empty on the host and on several GPUs. `owner` keeps the memory, which after go_on_with is no
  /// longer that of the bodies.
  std::optional<DeviceState> device_state();
  /// Call it after a write to that memory, before anything else: the simulation continues as if it had been
  /// resumed there. Numbers are not checked.
  void state_changed();
  /// Adds a user force to gravity. It is called once for each evaluation, in the thread that makes the steps.
  /// Energies, potentials and force errors remain those without it; checkpoints do not contain it. An empty
  /// function removes it. UsageError for Hermite and for several GPUs.
  void add_force(UserForce force);
  /// Announces that the diagnostics of the present state will be asked for: see Engine::expect_potentials.
  void expect_potentials() { engine_->expect_potentials(); }
  /// Errors of the present accelerations against direct sums. The run does not change. Without a sample a new
  /// one is drawn.
  ForceErrors force_errors(const Sample& sample);
  /// Against known exact accelerations.
  ForceErrors force_errors(const Sample& sample, std::vector<Vec3<double>> exact);
  ForceErrors force_errors() { return force_errors(sample()); }
  /// A sample of the present bodies, with the size that suits the engine.
  Sample sample();
  /// Switches to another method: see Engine::retune.
  void retune(const ForceMethod& method) { engine_->retune(method); }
  /// Switches to another engine, as if the simulation had been saved and resumed. The old engine is destroyed
  /// before the new one allocates memory.
  void go_on_with(const EngineOptions& engine);
  /// Makes run_towards call `controller` between steps.
  void set_controller(std::unique_ptr<Controller> controller) { controller_ = std::move(controller); }
  /// Null: none.
  const Controller* controller() const { return controller_.get(); }
  EngineDescription describe() const { return engine_->describe(); }
  std::uint64_t evaluations() const { return engine_->evaluations(); }

 private:
  /// A function that run_until calls, and the time of its next call.
  struct Observer {
    double start = 0, interval = 0;
    std::uint64_t first = 0, steps = 0;  ///< fixed steps at `start`, and in an interval of whole ones, else 0
    std::uint64_t told = 0;
    std::function<void(const Snapshot&)> observer;
  };
  Moment next_of(const Observer& observer) const;
  void begin(const EngineOptions& engine);
  bool lost_at_this_time(double dt) const;
  void tell_due();
  bool go_to(const Moment& moment, double end, const NextBatch& next_batch);
  bool step_towards(const Moment& moment, std::uint64_t limit, bool potentials);
  void make_shortened_step(const Moment& moment, bool potentials);

  Gravity gravity_;
  Method method_;
  Clock clock_;
  Snapshot now_;
  bool current_ = true;             ///< now_ holds the engine's state
  bool changed_ = false;            ///< masses too may be others in the engine than in now_
  std::shared_ptr<Engine> engine_;  ///< shared with the owners of a DeviceState alone
  std::vector<Observer> observers_{};
  std::optional<double> reference_energy_{};
  std::unique_ptr<Controller> controller_{};
  UserForce user_force_{};
};

}  // namespace pleiad
