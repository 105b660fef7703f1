/// A simulation of Python's: its steps, what is called between them, and what it is told and asked.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library/state.hpp"
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "module/described.hpp"
#include "module/device.hpp"
#include "module/made.hpp"
#include "module/state.hpp"
#include "module/user_force.hpp"
#include "module/view.hpp"
#include "run/comoving.hpp"
#include "sim/batches.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

namespace pleiad::python {

class Stepper {
 public:
  /// From a snapshot, or where it is none from what the settings name.
  static Stepper start(nb::handle state, const std::vector<std::string>& settings, const std::string& cache,
                       nb::object progress) {
    std::optional<Snapshot> given;
    std::optional<ComovingUniverse> universe;
    if (!state.is_none()) {
      given = snapshot_of(nb::cast<Dict>(state));
      universe = universe_in(nb::cast<Dict>(state));
    }
    const auto tuning_context = interruptible(cache, progress);
    Asked asked{.settings = settings, .cache = cache};
    const auto notes = std::make_shared<std::vector<std::string>>();
    return {universe, without_gil([&] {
              return made(settings, std::move(given), universe, tuning_context, into(notes));
            }),
            std::move(asked), notes};
  }
  static Stepper load(const std::string& folder, int threads) {
    auto loaded = without_gil([&] { return load_checkpoint(folder); });
    const auto notes = std::make_shared<std::vector<std::string>>();
    if (!loaded.warning.empty()) notes->push_back(loaded.warning);
    auto settings = settings_in(loaded.checkpoint);
    std::erase_if(settings, [](const auto& each) { return each.starts_with("engine.threads="); });
    settings.push_back(fmt::format("engine.threads={}", threads));
    return {std::move(loaded.checkpoint), loaded.file.string(), {.settings = std::move(settings)}, notes};
  }
  /// The state, exactly, as save writes it, with what restore needs.
  nb::bytes state() {
    const auto bytes = reading([&] { return encode(checkpoint()); });
    return nb::bytes(bytes.data(), bytes.size());
  }
  static Stepper restore(const nb::bytes& state, const std::string& cache, std::vector<std::string> notes) {
    constexpr const char* origin = "the state of a Simulation";
    auto checkpoint =
        without_gil([&] { return decode(std::string_view(state.c_str(), state.size()), origin); });
    auto settings = settings_in(checkpoint);
    return {std::move(checkpoint),
            origin,
            {.settings = std::move(settings), .cache = cache},
            std::make_shared<std::vector<std::string>>(std::move(notes))};
  }

  ~Stepper() {
    if (view_) view_->close();
  }
  Stepper(Stepper&&) = default;
  Stepper& operator=(Stepper&&) = delete;

  /// Until exactly `until`, a scale factor where the bodies are comoving. `progress` is told time and step
  /// about ten times a second, `tell` the index of an observer that is due. What they raise, and a browser
  /// that stops it, ends the call between two steps.
  void run_until(double until, nb::object progress, nb::object tell, nb::object force) {
    need_not_stepping();
    if (universe_ && !(until > 0))
      throw UsageError(
          fmt::format("a simulation of comoving bodies runs to a scale factor, > 0, not {}", until));
    const double time = universe_ ? std::log(until) : until;
    const Lent told(tell_, std::move(tell)), pushed(force_, std::move(force));
    stepping([&] {
      const Viewed viewed(view_.get(), time, simulation_);
      Batches batches;
      const auto before = simulation_.size();
      simulation_.run_in_batches(time, [&](const RunProgress&) { return next_batch(batches, progress); });
      look(progress);
      if (simulation_.size() != before) forget_shown();
    });
  }
  /// Makes this number of steps; observers are not called.
  void make_steps(std::uint64_t steps, nb::object progress, nb::object force) {
    need_not_stepping();
    const Lent pushed(force_, std::move(force));
    constexpr auto endless = std::numeric_limits<double>::infinity();
    stepping([&] {
      const Viewed viewed(view_.get(), std::nan(""), simulation_);
      Batches batches;
      const auto bodies = simulation_.size();
      for (bool stopped = false; steps > 0 && !stopped; stopped = !simulation_.stopped_by().empty()) {
        const auto before = simulation_.step();
        const auto batch = std::min(next_batch(batches, progress), steps);
        simulation_.run_towards({.time = endless, .step = before + steps}, batch);
        steps -= simulation_.step() - before;
      }
      if (batches.took() > Batches::usual / 2) look(progress);
      if (simulation_.size() != bodies) forget_shown();
    });
  }
  /// Changes the sign of all velocities.
  void reverse() {
    need_not_stepping();
    need_static_space("reverse(): the expansion does not turn round");
    const auto used = use();
    simulation_.reverse_velocities();
  }
  /// The index of the observer that run_until tells of.
  std::size_t every(double interval) {
    need_not_stepping();
    const std::size_t index = observers_;
    simulation_.every(interval, [this, index](const Snapshot&) {
      const nb::gil_scoped_acquire python;
      obey_signals();
      if (!tell_.is_none()) tell_(index);
      if (was_shown_) wait_for_all(*was_shown_);  // what it has queued reads the state of now
    });
    return observers_++;
  }

  /// Has the callable that run_until and make_steps are given add accelerations at each evaluation, or no
  /// more.
  void with_force(bool added) {
    need_not_stepping();
    if (added) need_static_space("external_acceleration is for static space");
    const auto used = use();
    simulation_.add_force(added ? force() : UserForce());
    has_force_ = added;
  }
  /// Goes on, in the same time and step, with other settings of the law and the method, and with other bodies
  /// unless that is none. The energy that this adds is added to the reference, too.
  void change(const std::vector<std::string>& settings, nb::handle bodies) {
    need_not_stepping();
    need_static_space("make another Simulation of sim.snapshot()");
    std::optional<Snapshot> others;
    if (!bodies.is_none()) others = snapshot_of(nb::cast<Dict>(bodies));
    const nb::object nobody = nb::none();
    const auto tuning_context = interruptible(asked_.cache, nobody);
    stepping([&] {
      if (view_) view_->settle();
      const auto before = simulation_.size();
      auto next =
          made_again(simulation_, asked_.settings, settings, std::move(others), tuning_context, into(notes_));
      if (has_force_) next.add_force(force());
      simulation_ = std::move(next);
      forget_shown();
      if (view_ && simulation_.size() != before) view_->close();
    });
  }

  /// The scale factor of comoving bodies.
  double time() const { return universe_ ? std::exp(simulation_.time()) : simulation_.time(); }
  std::uint64_t step() const { return simulation_.step(); }
  std::size_t size() const { return simulation_.size(); }
  bool is_stepping() const { return stepping_; }
  const std::vector<std::string>& notes() const { return *notes_; }

  Dict snapshot(bool fields) {
    need_this_thread();
    const auto used = use();
    if (fields && universe_)
      need_static_space("snapshot(fields=True): of comoving bodies there are no fields");
    if (universe_) {
      auto peculiar = simulation_.snapshot();
      run::make_peculiar(peculiar);
      auto data = dict_of(peculiar);
      data["universe"] = dict_of(*universe_);
      return data;
    }
    if (!fields) return dict_of(simulation_.snapshot());
    return dict_of(reading([&] { return simulation_.snapshot_with_fields(); }));
  }
  /// Positions, velocities and masses of now into arrays of that size.
  void copy_state(nb::handle positions, nb::handle velocities, nb::handle masses) {
    need_this_thread();
    const auto used = use();
    if (universe_) return python::copy_state(peculiar_bodies(), positions, velocities, masses);
    python::copy_state(simulation_.snapshot().bodies, positions, velocities, masses);
  }
  /// From the same arrays, when something in them was changed; whether it was.
  bool put_state(nb::handle positions, nb::handle velocities, nb::handle masses) {
    need_not_stepping();
    const auto used = use();
    auto moved = changed_bodies(universe_ ? peculiar_bodies() : simulation_.snapshot().bodies, positions,
                                velocities, masses);
    if (!moved) return false;
    if (universe_)  // momenta per mass, a times the peculiar velocities
      for (auto* v : {&moved->vx, &moved->vy, &moved->vz})
        for (double& value : *v) value *= time();
    stepping([&] { simulation_.move_bodies(std::move(*moved)); });
    return true;
  }
  /// A column of the bodies as it lies in the memory of the GPU, read-only to a callback; None on the host
  /// and on several GPUs. The next call first waits for what is done with it.
  nb::object device_view(const std::string& column) {
    need_this_thread();
    const auto used = use();
    if (universe_) return nb::none();
    const auto now = reading([&] { return simulation_.device_state(); });
    if (!now) return nb::none();
    auto shown = shown_.lock();
    if (!shown || shown->bodies != now->bodies) shown_ = shown = std::make_shared<const DeviceState>(*now);
    was_shown_ = now->device;
    return view_of(shown, column, !stepping_);
  }
  /// What was written there is the state. Without a look whether it is another: forces that are found anew
  /// have the bits of those before.
  void take_changes() {
    need_not_stepping();
    if (!was_shown_) return;
    stepping([&] { simulation_.state_changed(); });
    if (shown_.expired()) was_shown_.reset();
  }

  std::pair<double, double> energies() {
    const auto e = reading([&] { return simulation_.energies(); });
    if (const double a = time(); universe_) return {e.kinetic / (a * a), e.potential / a};
    return {e.kinetic, e.potential};
  }
  /// What was found since the start, a column for each property; lists where they are texts.
  Dict encounters() {
    need_this_thread();
    return dict_of(simulation_.encounters());
  }
  const std::string& stopped_by() const { return simulation_.stopped_by(); }
  Dict diagnostics() {
    auto row = reading([&] { return simulation_.diagnostics(); });
    if (universe_) make_physical(row);
    if (view_) view_->see(row);
    return dict_of(row);
  }
  Dict force_errors() {
    const auto e = reading([&] { return simulation_.force_errors(); });
    if (view_) view_->see(e);
    return dict_of(e);
  }
  Dict describe() {
    need_this_thread();
    const auto used = use();
    return description_of(simulation_);
  }
  /// Shows the simulation in a browser from now on, in place of an earlier view.
  std::shared_ptr<View> view(std::optional<int> port, bool control, const std::string& title, bool frames) {
    need_not_stepping();
    if (const auto watched = simulation_.watched_encounters(); watched && watched->changes_bodies())
      throw UsageError(
          "a Simulation whose bodies merge or vanish has no live view: leave out on_collision and on_escape, "
          "or "
          "view the run of the command");
    if (view_) without_gil([&] { view_->close(); });
    view_.reset();
    stepping([&] {
      view_ = std::make_shared<View>(
          simulation_,
          ViewAsked{
              .port = port, .control = control, .frames = frames, .title = title, .note = into(notes_)});
    });
    return view_;
  }
  void save(const std::string& folder) {
    reading([&] {
      save_state(checkpoint(), folder);
      return 0;
    });
  }
  Dict units() const { return dict_of(units_); }
  /// None in static space.
  nb::object universe() const { return universe_ ? nb::object(dict_of(*universe_)) : nb::none(); }
  const std::string& cache() const { return asked_.cache; }

 private:
  Stepper(const std::optional<ComovingUniverse>& universe, Simulation simulation, Asked asked, Notes notes)
      : simulation_(std::move(simulation)),
        universe_(universe),
        units_(simulation_.snapshot().units),
        asked_(std::move(asked)),
        notes_(std::move(notes)) {}
  Stepper(Checkpoint saved, const std::string& origin, Asked asked, const Notes& notes)
      : Stepper{universe_in(saved, origin),  // braces: before `saved` and `asked` are moved
                without_gil([&] {
                  return simulation_of(std::move(saved), origin,
                                       {.threads = threads_in(asked.settings), .note = into(notes)});
                }),
                std::move(asked), notes} {}

  void need_static_space(const char* why) const {
    if (universe_)
      throw UsageError(std::string("this Simulation is in an expanding universe: ") + why,
                       Error::Code::unsupported);
  }
  /// The bodies of now with peculiar velocities.
  Bodies peculiar_bodies() {
    auto peculiar = simulation_.snapshot();
    run::make_peculiar(peculiar);
    return std::move(peculiar.bodies);
  }
  /// Energies of peculiar velocities and physical distances; their error needs rows during the steps, which
  /// `pleiad run` makes.
  void make_physical(Diagnostics& row) const {
    const double a = time();
    row.time = a;
    row.energies.kinetic /= a * a, row.energies.potential /= a, row.energies.external /= a;
    row.virial_ratio /= a;
    row.centre.velocity = row.centre.velocity * (1 / a);
    row.energy_error = std::nan("");
  }

  Checkpoint checkpoint() {
    auto saved = checkpoint_of(simulation_);
    keep_settings(saved, asked_.settings);
    if (universe_) keep_universe(saved, *universe_);
    return saved;
  }
  UserForce force() {
    return [this](const ForceCall& call) { add_accelerations(call); };
  }

  void need_this_thread() const {
    if (stepping_ && owner_ != std::this_thread::get_id())
      throw UsageError("this Simulation is stepping in another thread: one uses it at a time");
  }
  void need_not_stepping() const {
    need_this_thread();
    if (stepping_) throw UsageError("a callback must not step or change the Simulation that calls it");
  }
  /// With other threads of Python running, which may not use it meanwhile.
  template <class Work>
  void stepping(const Work& work) {
    need_not_stepping();
    owner_ = std::this_thread::get_id();
    const auto used = use();
    alone(stepping_, "Simulation", work);
  }
  /// The same of what a callback may ask too.
  template <class Work>
  std::invoke_result_t<const Work&> reading(const Work& work) {
    need_this_thread();
    if (stepping_) return work();
    std::invoke_result_t<const Work&> result{};
    stepping([&] { result = work(); });
    return result;
  }

  /// Arrays of the state of another number of bodies.
  void forget_shown() { shown_.reset(), was_shown_.reset(); }
  Used use() { return {view_.get(), simulation_}; }

  void add_accelerations(const ForceCall& call) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (force_.is_none()) throw UsageError("the force of this Simulation is not known here");
    python::add_accelerations(force_, nb::find(this), call);
  }

  /// How many steps may follow, when Python and the view have been asked.
  std::uint64_t next_batch(Batches& batches, const nb::object& progress) {
    const double took = batches.took();
    if (took > Batches::usual / 2) look(progress);
    if (!view_) return batches.next(simulation_.step(), took);
    view_->look(simulation_);
    auto steps = view_->steps();
    for (; steps == View::Steps::none; steps = view_->steps()) look(progress);
    if (steps == View::Steps::stop) stop();
    const double longest = std::min(Batches::usual, std::max(view_->patience(), shortest_batch));
    auto batch = batches.next(simulation_.step(), took, longest);
    if (steps == View::Steps::one) batch = 1;
    const auto* controller = simulation_.controller();
    if (controller != nullptr && batch >= controller->steps_to_check(simulation_)) view_->settle();
    return batch;
  }
  /// As Ctrl-C does it.
  [[noreturn]] static void stop() {
    const nb::gil_scoped_acquire python;
    PyErr_SetString(PyExc_KeyboardInterrupt, "stopped by the live view");
    throw nb::python_error();
  }

  void look(const nb::object& progress) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (!progress.is_none()) progress(time(), simulation_.step());
    simulation_.need_finite();
  }

  static constexpr double shortest_batch = 0.01;  ///< seconds, while somebody waits for bodies

  Simulation simulation_;
  std::optional<ComovingUniverse> universe_{};  ///< of comoving bodies, whose time is then ln a
  Units units_;
  Asked asked_;
  Notes notes_;
  std::shared_ptr<View> view_{};
  nb::object tell_ = nb::none(), force_ = nb::none();  ///< see Lent
  bool has_force_ = false;
  std::size_t observers_ = 0;
  std::weak_ptr<const DeviceState> shown_{};  ///< what arrays of now are views of
  std::optional<int> was_shown_{};            ///< the GPU, while someone may use such an array
  bool stepping_ = false;                     ///< see alone()
  std::thread::id owner_{};
};

}  // namespace pleiad::python
