/// A simulation: bodies, force law, integration method and clock.
///
/// All quantities are in the units of the snapshot that a simulation starts from (Snapshot::units): lengths,
/// velocities and masses, and times in length / velocity. G is that of the snapshot. Accelerations,
/// potentials and energies include it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/context.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/encounters.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad {

/// A space that is not static: the factors of kicks and drifts, and what adaptive steps become.
class Space : public StepFactors {
 public:
  /// The parameter for which the adaptive step eta min sqrt(eps / |a|) of the accelerations at `time`, as
  /// static space has them, is the step in the time of the simulation that `eta` asks for.
  virtual double eta_at(double time, double eta) const = 0;
};

/// The integration method. Fixed steps are counted, and the time follows from the count (time_of_step). A
/// requested time between two of them is met by one shortened step. Adaptive steps are eta min sqrt(eps/|a|)
/// (Hermite and Gauss-Radau: their own criteria), at most dt, and shortened to meet a requested time exactly;
/// they are not time-reversible, unless they are symmetric. Block time steps (Integrator::in_blocks) are
/// parts of fixed steps dt, of lengths that follow from eta.
struct Method {
  const Integrator* integrator = nullptr;
  double dt = 0;
  bool adaptive = false;
  double eta = 0.02;
  /// Factor for the velocities after each kick, in (0, 1]; only for integrators that take one.
  double damping = 1;
  bool exact_steps = false;  ///< fixed steps: refuse times that are not whole numbers of steps
  /// Adaptive steps are short enough for test particles, too. On CPUs these else do not change a step, unless
  /// no body or one alone has mass; on a GPU they always limit it.
  bool particles_limit_step = false;
  /// Steps that change do so as a function of both of their ends, so that energy errors do not add up. An
  /// adaptive step follows from the one before it by a rule that reads the same backwards (see
  /// symmetric_step); requested times between two full steps are met by a shortened one, as between fixed
  /// steps. Of splittings that are time-reversible. Block steps are made again where their end asks for
  /// shorter ones.
  bool symmetric_steps = false;
  /// Adaptive steps without a criterion: between two requested times all have one length, at most dt. They
  /// meet each time exactly, and are reversible where requested times are. Of splittings, and of block-kdk,
  /// whose longest steps these are.
  bool equal_steps = false;
  /// Fixed steps on a lattice, which reverse_velocities leads back bit for bit. Units that are not chosen are
  /// chosen from the bodies that the simulation starts with.
  std::optional<LatticeUnits> lattice{};
  BlockSteps blocks{};  ///< of integrators that have them
  int corrector = 0;    ///< order of the symplectic corrector, of integrators that take one: see StepPlan
  /// The space of the steps; null: static space. Energies remain those of static space.
  std::shared_ptr<const Space> space{};
};

/// Throws UsageError if the method is invalid (no integrator; dt, eta or damping out of range) or not
/// possible with this law.
void check(const Method& method, const Gravity& gravity);

/// The clock of a simulation. Clock and bodies are enough to continue bit for bit.
struct Clock {
  double start = 0, time = 0;  ///< of the first and of the present state
  std::uint64_t step = 0;
  double next_dt = 0;  ///< adaptive: length of the next step, not shortened for an output; 0: not yet known
  /// The number of steps made at `start`: fixed steps are counted from there. Both are those of the last end
  /// that a shortened step has met.
  std::uint64_t start_step = 0;
  /// Fixed and symmetric steps, in at_moment only: how far the bodies are beyond the last full step.
  double ahead = 0;
};

/// The step after a state where the criterion asks for `wanted`, if the one before it was `last` (0: there
/// was none), with 1 / step + 1 / last = 2 / s (Holder, Leimkuhler & Reich 2001, Appl. Numer. Math. 39, 367):
/// the same rule leads from `step` back to `last`. Here s is smoothly at most `longest`, 1 / s^4 = 1 /
/// wanted^4 + 1 / longest^4. Steps alternate about s where it has jumped or kinked. Where one of the two
/// would not be below 5/4 s, the sequence begins anew with s.
double symmetric_step(double wanted, double last, double longest);

/// Throws UsageError if a step dt is lost in the rounding of times from `start` to `time`.
void need_above_rounding(double start, double dt, double time);
/// Returns the number of steps dt from `start` to `time`. UsageError if `time` is before `start`, or if the
/// number is not whole.
std::uint64_t whole_steps(double start, double dt, double time);
/// A moment of a run. Fixed steps reach it by its step, adaptive steps by its time, never by both. Symmetric
/// steps reach the last full step at or before its time, or with `ahead` > 0 its time.
struct Moment {
  double time = 0;
  std::uint64_t step = 0;  ///< of fixed steps; 0 in an adaptive run
  /// Length of the shortened step after it, for a time between two fixed steps; of symmetric ones the longest
  /// possible.
  double ahead = 0;
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
/// Whether the clock stands at the last full step before a moment that is between two of them.
bool stands_before(const Clock& clock, const Method& method, const Moment& moment);
/// Throws UsageError if `moment` is in the past.
void need_ahead(const Clock& clock, const Method& method, const Moment& moment);

/// Options of a simulation. The snapshot has the problem itself: bodies, time, units, G, boundary.
struct SimulationOptions {
  double softening = 0;  ///< softening length, >= 0; 0: Newtonian forces
  SofteningKernel softening_kernel = SofteningKernel::plummer;
  SofteningRule softening_rule = SofteningRule::max;  ///< of pairs, where softenings differ
  /// Softenings of types, in place of `softening`; empty: none. Bodies with softenings of their own
  /// (Bodies::softening) keep them unless this is set.
  std::map<Type, double> softening_by_type{};
  double dt = 0;  ///< time step, > 0; adaptive: the longest one
  /// Target relative force error, met by 99 % of the bodies. A search on these bodies takes the fastest
  /// method that meets it. 0: direct sums.
  double accuracy = 0;
  /// Name of the integrator: see integrator_named; "auto": kdk, or what trials choose for position_error.
  std::string integrator = "auto";
  bool adaptive = false;  ///< see Method, also for the next three, and for eta
  bool exact_steps = false;
  bool particles_limit_step = false;
  bool symmetric_steps = false;
  bool lattice = false;  ///< steps on a lattice: see Method
  double eta = 0;        ///< see Method; 0: 0.005 with hermite4-block, else 0.02
  BlockSteps blocks{};   ///< of integrator block-kdk
  int corrector = 0;     ///< see Method
  /// The largest error that the position of any body may have at t_end, relative to its distance from the
  /// heaviest one, of at most 100 bodies: trials beside runs with half the step choose integrator, dt and
  /// eta, and Context::note is told of them. dt is then the longest step, and may be 0. 0: dt is the step.
  double position_error = 0;
  double t_end = 0;   ///< the time for which position_error is asked
  int dimension = 3;  ///< 3, or 2: every z and vz must be 0 and stays 0
  /// Unset: f64 where at most 256 bodies have mass, or one holds more than half of the mass of at most
  /// 10,000; else mixed.
  std::optional<Precision> precision{};
  std::string backend = "auto";         ///< "auto", "cpu" or "cuda"
  std::string kernel = "auto";          ///< or a method by name, as `pleiad run --kernel` accepts it
  int gpus = 1;                         ///< maximum number of GPUs; 0: as many as make the run faster
  std::vector<Potential> potentials{};  ///< external potentials: see Gravity
  std::vector<AddedForce> forces{};     ///< added forces: see Gravity
  SemiActive semi_active{};             ///< bodies that do not pull each other: see Gravity
  Context context{};
};

/// The progress of a call: present time, requested end, and steps since the start of the simulation.
struct RunProgress {
  double time = 0, end = 0;
  std::uint64_t step = 0;
};
/// Function that is called between steps, about ten times a second. If it returns false the call ends there.
using Watch = std::function<bool(const RunProgress&)>;
/// Function that is called before the first step, and again after each batch of steps. It returns the largest
/// number of steps of the next batch. 0 ends the call.
using NextBatch = std::function<std::uint64_t(const RunProgress&)>;

class Simulation;

/// Checks a simulation between its steps, and may change its method.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Returns the largest number of steps that may be made before the next check; at least 1.
  virtual std::uint64_t steps_to_check(const Simulation& simulation) const = 0;
  /// Checks the state, and may call Simulation::retune or go_on_with. Called between two steps.
  virtual void check(Simulation& simulation) = 0;
  /// Returns the settings as text. A checkpoint stores them, and load makes a controller with the same
  /// settings.
  virtual std::string text() const = 0;
  /// Called after bodies have merged or vanished: other ones are at their places in the order.
  virtual void bodies_changed(Simulation&) {}
};

class EncounterWatch;

/// A simulation owns its bodies. Use it from one thread at a time; two simulations may run concurrently.
class Simulation {
 public:
  /// Starts from `initial` at its time, with step count 0. With an accuracy it first measures methods on
  /// these bodies, which may last seconds. Makes one force evaluation, for the reference energy. InputError
  /// for invalid bodies (see validate), UsageError for invalid options, ResourceError if memory or a GPU is
  /// missing.
  Simulation(Snapshot initial, const SimulationOptions& options);
  /// Starts from `initial` with a law, a method and an engine. `initial.bodies` must be valid (see validate);
  /// they are not checked. G and boundary are those of `gravity`, not of the snapshot.
  Simulation(Snapshot initial, const Gravity& gravity, const Method& method,
             const EngineOptions& engine = {});
  /// Continues from `saved`, whose bodies are those at `clock.time`. They must be valid.
  Simulation(Snapshot saved, const Clock& clock, const Gravity& gravity, const Method& method,
             const EngineOptions& engine = {});

  /// Makes run_until call `observer` at the present time and then at each `interval`. The reference to the
  /// snapshot (without accelerations) is valid during that call only; `observer` must not make steps. An
  /// exception from it ends run_until, which may be called again. Between two fixed steps it is shown a copy,
  /// advanced by one shortened step: the bits of the simulation do not change, and the copy costs two
  /// evaluations of the forces. UsageError if the interval is lost in the rounding of times, or if
  /// Method::exact_steps forbids it.
  void every(double interval, std::function<void(const Snapshot&)> observer);
  /// Takes over the step and the observers of an earlier simulation whose bodies, at its present time, this
  /// one has started from, and what it has of encounters; calls that make_steps has passed over are left out.
  /// UsageError, and no change, if Method::exact_steps forbids the next call of an observer.
  void continue_from(const Simulation& earlier);
  /// Makes steps until exactly `time`. UsageError if it is in the past, or if Method::exact_steps forbids it.
  /// A time between two fixed steps is met by one shortened step, and the next full step begins there: the
  /// bits depend on the list of such times. Returns true at `time`, and false if `watch` has ended the call
  /// between two steps. Call it again to continue with the same bits.
  bool run_until(double time, const Watch& watch = {});
  /// Makes steps until exactly `time` in batches of any length. The result does not depend on the lengths,
  /// bit for bit. Returns false if `next_batch` has returned 0.
  bool run_in_batches(double time, const NextBatch& next_batch);
  /// Makes `steps` steps. Observers are not called.
  void make_steps(std::uint64_t steps);
  /// Makes at most `limit` steps towards a moment, and returns whether it is reached. Observers are not
  /// called. `potentials` announces that totals or snapshot_with_fields will be called there; the potentials
  /// may then be computed with the last accelerations. The result is the same, bit for bit.
  bool run_towards(const Moment& moment, std::uint64_t limit, bool potentials = false);
  bool run_towards(double time, std::uint64_t limit) { return run_towards(end_at(time), limit); }
  /// Advances the bodies from the last full step before `moment`, where they are, to `moment` by a shortened
  /// step, calls `work`, and returns to that step: the bits of later steps do not depend on it. `work` must
  /// not make steps. `potentials`: as in run_towards.
  void at_moment(const Moment& moment, const std::function<void()>& work, bool potentials = false);
  /// Someone who looks inside the steps, and changes bodies there; null: nobody does. It must outlive the
  /// steps.
  void show_steps_to(StepWatch* watch) { step_watch_ = watch; }
  /// What the energy has lost by that in the step to the present moment, in at_moment: errors count it.
  double energy_lost_inside() const;
  Moment end_at(double time) const { return pleiad::end_at(clock_, method_, time); }
  Moment moment_at(double time) const { return pleiad::moment_at(clock_, method_, time); }
  bool has_reached(const Moment& moment) const { return pleiad::has_reached(clock_, method_, moment); }
  bool stands_before(const Moment& moment) const { return pleiad::stands_before(clock_, method_, moment); }

  const Clock& clock() const { return clock_; }
  double time() const { return clock_.time; }
  /// The number of steps made, with a shortened one.
  std::uint64_t step() const { return clock_.step + (clock_.ahead > 0 ? 1 : 0); }
  std::size_t size() const { return now_.bodies.size(); }
  /// Number of bodies of all ranks of a run; size() is that of this rank.
  std::size_t size_on_all_ranks() const { return engine_->on_all_ranks(size()); }
  std::span<const Type> types() const { return now_.bodies.type; }
  const Gravity& gravity() const { return gravity_; }
  const Method& method() const { return method_; }

  /// The present bodies, in the order and with the ids and types of the start. The reference stays valid
  /// until the simulation is moved or destroyed. Its content is that of this call: the next call after a step
  /// overwrites it. Copies O(N) memory from the engine, without a force evaluation.
  const Snapshot& snapshot();
  /// Moves the present snapshot out of a simulation. Only the destructor may be called afterwards.
  Snapshot take() &&;
  /// A copy of the present snapshot with accelerations and potentials, G included. They have those of
  /// external potentials and added forces, and not those of a user force. Makes one force evaluation, unless
  /// diagnostics of this state have been computed.
  Snapshot snapshot_with_fields();
  /// Copies the present state. The returned function writes the copy to a snapshot, whose memory it reuses.
  /// Call it at most once, in any thread, before the simulation is destroyed; the simulation may make steps
  /// meanwhile. `fields`: with accelerations and potentials, as in snapshot_with_fields.
  std::function<void(Snapshot&)> snapshot_meanwhile(bool fields);
  /// Starts to compute image planes of the present bodies on the GPU: see Engine::begin_image_planes.
  std::function<splat::ImagePlanes()> begin_image_planes(const splat::Request& request) {
    return engine_->begin_image_planes(request);
  }
  /// Sums over all bodies in the present state. Energies include those in external potentials. Makes a force
  /// evaluation, unless one was made for diagnostics of this state. Collective on several ranks.
  Totals totals() { return engine_->totals(); }
  Energies energies() { return totals().energies; }
  /// Density centre and Lagrangian radii, computed in the memory of the engine without a copy of the bodies.
  Radii radii() { return engine_->radii(); }
  /// Diagnostics of the present state, with the energy error relative to `reference_energy`.
  Diagnostics diagnostics(double reference_energy);
  /// Diagnostics of the present state, with the energy error relative to reference_energy().
  Diagnostics diagnostics();
  /// The total energy that diagnostics() uses as its reference: that of the start if the simulation was made
  /// from SimulationOptions, else that of the first call, unless it was set.
  double reference_energy();
  /// What energy errors are relative to: energy_scale of the reference, with the T and W of its state.
  double energy_scale();
  /// Sets the reference. `scale`: see energy_scale; empty: it is that of the present T and W.
  void set_reference_energy(double energy, std::optional<double> scale = {}) {
    reference_energy_ = energy, energy_scale_ = scale;
  }
  /// Returns whether all positions and velocities are finite. O(N).
  bool finite() { return engine_->finite(); }
  /// Throws NumericalError, which names the first body whose position or velocity is not finite.
  void need_finite();
  /// The step that the criterion of the integrator asks for at the present state, whether steps follow it or
  /// not; infinite where nothing pulls. Of integrators that adapt by the softening, which must be > 0.
  double criterion_step() { return suggested_dt(); }
  /// Throws UsageError if the first adaptive step is lost in the rounding of times near the start.
  void need_first_step();
  /// Changes the sign of all velocities. With a time-reversible integrator and fixed or symmetric steps the
  /// simulation then runs back: on a lattice (see Method) to the bits that it came from.
  void reverse_velocities();
  /// Replaces positions, velocities and masses of all bodies. The simulation continues as if it had been
  /// resumed there; energy errors still refer to the reference energy. UsageError for another number of
  /// bodies, InputError for invalid ones (see validate).
  void move_bodies(Bodies moved);
  /// The bodies in the memory of one GPU, in the precision of the engine. They may be read and written
  /// between steps. Empty on the host and on several GPUs. `owner` keeps the memory alive; after go_on_with,
  /// or a change of method by a controller, it is no longer the memory of the bodies.
  std::optional<DeviceState> device_state();
  /// Must be called after a write to the memory of device_state, before any other call. The simulation then
  /// continues as if it had been resumed there. Numbers are not checked.
  void state_changed();
  /// Adds a user force to gravity, instead of an earlier one. It is called once for each evaluation, in the
  /// thread that makes the steps. Energies, potentials and force errors remain those without it; checkpoints
  /// do not contain it. An empty function removes it. UsageError for Hermite and for several GPUs.
  void add_force(UserForce force);
  /// The energy that drags have given to the bodies: see Engine::work.
  std::array<double, 2> work() const { return engine_->work(); }
  void set_work(std::array<double, 2> work) { engine_->set_work(work); }
  /// Whether the work of drags is added up: see counts_work of a law.
  bool counts_work() const;
  /// The pattern speed of what is kept (pattern_speed_of the law), of the energy less the work where that is
  /// counted; empty: nothing is.
  std::optional<double> kept_pattern_speed() const;
  /// From now on looks for encounters after every step, on the cubics through its ends (docs/encounters.md).
  /// Steps are then made one by one. Where bodies merge or vanish the simulation goes on with the others, as
  /// if it had been resumed with them; their order stays, and the reference energy loses what they take. With
  /// settings that look for nothing it ends. UsageError for settings that cannot be (see check), for what
  /// encounters cannot be combined with, and for radii of bodies that are not there.
  void watch_encounters(const EncounterSettings& settings);
  /// The present settings, with the radii of merged bodies; empty: nothing is looked for.
  std::optional<EncounterSettings> watched_encounters() const;
  /// All that was found since watch_encounters or clear_encounters, step by step; those of a step in the
  /// order of time, kind and ids, and then mergers and removals.
  const std::vector<Encounter>& encounters() const { return found_; }
  void clear_encounters() { found_.clear(); }
  /// Calls a function for each of them, after its step and after the bodies have changed. It must not make
  /// steps. An exception from it ends the call. An empty function: none.
  void tell_encounters(std::function<void(const Encounter&)> tell) { tell_encounter_ = std::move(tell); }
  /// Why the last call of a function that makes steps has ended before its end, by Reaction::stop, in words:
  /// "a collision of bodies 3 and 7 at t = 1.5 (...)"; "": it has not. Another call goes on from there.
  const std::string& stopped_by() const { return stopped_by_; }
  /// What a checkpoint keeps of encounters, and its inverse; "": nothing is looked for. InputError, which
  /// begins with `where`, for a text that this has not written.
  std::string encounters_text() const;
  void resume_encounters(const std::string& text, std::string_view where);
  /// Announces that diagnostics of the present state will be requested: see Engine::expect_potentials.
  void expect_potentials() { engine_->expect_potentials(); }
  /// Errors of the present accelerations relative to direct sums over the bodies of the sample, O(N) for each
  /// of them. The state does not change.
  ForceErrors force_errors(const Sample& sample);
  /// What these errors are relative to: accelerations of the bodies of the sample by direct sums, G included.
  std::vector<Vec3<double>> exact_accelerations(const Sample& sample);
  /// Errors relative to `exact`, one acceleration for each body of the sample, G included.
  ForceErrors force_errors(const Sample& sample, std::vector<Vec3<double>> exact);
  /// Errors on a new sample.
  ForceErrors force_errors() { return force_errors(sample()); }
  /// Draws a sample of the present bodies: see sample_size and sample_of.
  Sample sample();
  /// Switches to another force method: see Engine::retune.
  void retune(const ForceMethod& method) { engine_->retune(method); }
  /// Switches to another engine, as if the simulation had been saved and resumed. The old engine is destroyed
  /// before the new one allocates memory.
  void go_on_with(const EngineOptions& engine);
  /// Makes all functions that make steps call `controller` between steps, instead of an earlier one. Null:
  /// none.
  void set_controller(std::unique_ptr<Controller> controller) { controller_ = std::move(controller); }
  /// Returns the present controller; null: none.
  const Controller* controller() const { return controller_.get(); }
  /// The device, method, precision and memory of the engine.
  EngineDescription describe() const { return engine_->describe(); }
  /// Number of force evaluations since the engine was made, those of diagnostics included.
  std::uint64_t evaluations() const { return engine_->evaluations(); }

 private:
  Diagnostics diagnostics(double reference_energy, std::optional<double> scale);
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
  double suggested_dt();
  double next_step(double last);
  std::uint64_t steps_in(double interval) const;
  void tell_due();
  bool go_to(const Moment& moment, double end, const NextBatch& next_batch);
  bool step_towards(const Moment& moment, std::uint64_t limit, bool potentials);
  bool run_controlled(const Moment& moment, std::uint64_t limit, bool potentials);
  void look_for_encounters();
  void make_shortened_step(const Moment& moment, bool potentials);
  void meet(const Moment& moment, bool potentials);

  Gravity gravity_;
  Method method_;
  Clock clock_;
  Snapshot now_;
  bool current_ = true;             ///< now_ holds the engine's state
  bool changed_ = false;            ///< masses in the engine may differ from those in now_
  std::shared_ptr<Engine> engine_;  ///< shared with the owners of a DeviceState only
  std::vector<Observer> observers_{};
  std::optional<double> reference_energy_{}, energy_scale_{};
  std::unique_ptr<Controller> controller_{};
  EngineOptions engine_options_{};  ///< with which the engine was made
  std::shared_ptr<EncounterWatch> encounters_{};
  std::vector<Encounter> found_{};
  std::function<void(const Encounter&)> tell_encounter_{};
  std::string stopped_by_{};
  UserForce user_force_{};
  StepWatch* step_watch_ = nullptr;
};

}  // namespace pleiad
