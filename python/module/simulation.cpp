/// A simulation from settings of the configuration: the implementation of pleiad.Simulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "module/device.hpp"
#include "module/made.hpp"
#include "module/state.hpp"
#include "module/user_force.hpp"
#include "module/view.hpp"
#include "sim/batches.hpp"
#include "tune/cache.hpp"

#include <pleiad/error.hpp>
#include <pleiad/save.hpp>
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
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

namespace pleiad::python {
namespace {

/// Notes for the user on a simulation, in their order.
using Notes = std::shared_ptr<std::vector<std::string>>;
control::Note into(const Notes& notes) {
  return [notes](const std::string& text) { notes->push_back(text); };
}

/// An object in a slot for the time of a call: kept longer, it would keep its simulation alive through
/// Python.
class Lent {
 public:
  Lent(nb::object& slot, nb::object object) : slot_(slot) { slot_ = std::move(object); }
  ~Lent() { slot_ = nb::none(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  nb::object& slot_;
};

class Stepper {
 public:
  /// Starts from a snapshot, or for None from the source that the settings name.
  static Stepper start(nb::handle state, const std::vector<std::string>& settings, const std::string& cache,
                       nb::object progress) {
    std::optional<Snapshot> given;
    if (!state.is_none()) given = snapshot_of(nb::cast<Dict>(state));
    tune::TuningContext tuning_context;
    tuning_context.cache = cache;
    tuning_context.progress = [&](const std::string& what) {
      const nb::gil_scoped_acquire python;
      obey_signals();
      if (!progress.is_none()) progress(what);
    };
    const auto notes = std::make_shared<std::vector<std::string>>();
    return {without_gil([&] { return made(settings, std::move(given), tuning_context, into(notes)); }),
            notes};
  }
  static Stepper load(const std::string& folder, int threads) {
    const auto notes = std::make_shared<std::vector<std::string>>();
    const Context context{.threads = threads, .note = into(notes)};
    return {without_gil([&] { return pleiad::load(folder, context); }), notes};
  }

  ~Stepper() {
    if (view_) view_->close();
  }
  Stepper(Stepper&&) = default;
  Stepper& operator=(Stepper&&) = delete;

  /// Makes steps until exactly `time`. `progress` is called with time and step about ten times a second,
  /// `tell` with the index of an observer that is due. Their exceptions, and a browser that stops it, end the
  /// call between two steps.
  void run_until(double time, nb::object progress, nb::object tell, nb::object force) {
    need_not_stepping();
    const Lent told(tell_, std::move(tell)), pushed(force_, std::move(force));
    stepping([&] {
      const Viewed viewed(view_.get(), time, simulation_);
      Batches batches;
      simulation_.run_in_batches(time, [&](const RunProgress&) { return next_batch(batches, progress); });
      look(progress);
    });
  }
  /// Makes `steps` steps; observers are not called.
  void make_steps(std::uint64_t steps, nb::object progress, nb::object force) {
    need_not_stepping();
    const Lent pushed(force_, std::move(force));
    constexpr auto endless = std::numeric_limits<double>::infinity();
    stepping([&] {
      const Viewed viewed(view_.get(), std::nan(""), simulation_);
      Batches batches;
      while (steps > 0) {
        const auto before = simulation_.step();
        const auto batch = std::min(next_batch(batches, progress), steps);
        simulation_.run_towards({.time = endless, .step = before + steps}, batch);
        steps -= simulation_.step() - before;
      }
      if (batches.took() > Batches::usual / 2) look(progress);
    });
  }
  /// Returns the index of the observer for `tell` in run_until.
  std::size_t every(double interval) {
    need_not_stepping();
    const std::size_t index = observers_;
    simulation_.every(interval, [this, index](const Snapshot&) {
      const nb::gil_scoped_acquire python;
      obey_signals();
      if (!tell_.is_none()) tell_(index);
      if (was_shown_) wait_for_all(*was_shown_);  // its queued work reads the present state
    });
    return observers_++;
  }

  /// Has the callable that run_until and make_steps are given add accelerations at each evaluation, or no
  /// more.
  void with_force(bool added) {
    need_not_stepping();
    const auto used = use();
    if (added) simulation_.add_force([this](const ForceCall& call) { add_accelerations(call); });
    else simulation_.add_force({});
  }

  double time() const { return simulation_.time(); }
  std::uint64_t step() const { return simulation_.step(); }
  std::size_t size() const { return simulation_.size(); }
  bool is_stepping() const { return stepping_; }
  const std::vector<std::string>& notes() const { return *notes_; }

  Dict snapshot(bool fields) {
    need_this_thread();
    const auto used = use();
    if (!fields) return dict_of(simulation_.snapshot());
    return dict_of(reading([&] { return simulation_.snapshot_with_fields(); }));
  }
  /// Positions, velocities and masses of now into arrays of that size.
  void copy_state(nb::handle positions, nb::handle velocities, nb::handle masses) {
    need_this_thread();
    const auto used = use();
    python::copy_state(simulation_.snapshot().bodies, positions, velocities, masses);
  }
  /// Takes changed values from the same arrays; returns whether there were any.
  bool put_state(nb::handle positions, nb::handle velocities, nb::handle masses) {
    need_not_stepping();
    const auto used = use();
    auto moved = changed_bodies(simulation_.snapshot().bodies, positions, velocities, masses);
    if (!moved) return false;
    stepping([&] { simulation_.move_bodies(std::move(*moved)); });
    return true;
  }
  /// A column of the bodies in the memory of the GPU, read-only in a callback; None on the host and on
  /// several GPUs. The next call first waits for work on it.
  nb::object device_view(const std::string& column) {
    need_this_thread();
    const auto used = use();
    const auto now = reading([&] { return simulation_.device_state(); });
    if (!now) return nb::none();
    auto shown = shown_.lock();
    if (!shown || shown->bodies != now->bodies) shown_ = shown = std::make_shared<const DeviceState>(*now);
    was_shown_ = now->device;
    return view_of(shown, column, !stepping_);
  }
  /// Takes the values that were written there as the state, without a test for changes: recomputed forces of
  /// an unchanged state are the same, bit for bit.
  void take_changes() {
    need_not_stepping();
    if (!was_shown_) return;
    stepping([&] { simulation_.state_changed(); });
    if (shown_.expired()) was_shown_.reset();
  }

  std::pair<double, double> energies() {
    const auto e = reading([&] { return simulation_.energies(); });
    return {e.kinetic, e.potential};
  }
  Dict diagnostics() {
    const auto row = reading([&] { return simulation_.diagnostics(); });
    if (view_) view_->see(row);
    return dict_of(row);
  }
  Dict force_errors() {
    const auto e = reading([&] { return simulation_.force_errors(); });
    if (view_) view_->see(e);
    Dict data;
    data["sample"] = e.sample;
    data["median"] = e.median;
    data["p99"] = e.p99;
    data["p99_low"] = e.p99_low;
    data["p99_high"] = e.p99_high;
    data["largest"] = e.largest;
    data["closest"] = e.closest;
    data["cancelled"] = e.cancelled;
    data["measured"] = e.measured;
    return data;
  }
  Dict describe() {
    need_this_thread();
    const auto used = use();
    auto data = dict_of(simulation_.describe());
    const auto& g = simulation_.gravity();
    const auto& m = simulation_.method();
    data["integrator"] = std::string(m.integrator->name);
    data["dt"] = m.dt;
    data["adaptive"] = m.adaptive;
    data["softening"] = g.softening.eps;
    data["G"] = g.G;
    data["evaluations"] = simulation_.evaluations();
    return data;
  }
  /// Shows the simulation in a browser from now on, in place of an earlier view.
  std::shared_ptr<View> view(std::optional<int> port, bool control, const std::string& title) {
    need_not_stepping();
    if (view_) without_gil([&] { view_->close(); });
    view_.reset();
    stepping([&] {
      view_ = std::make_shared<View>(
          simulation_, ViewAsked{.port = port, .control = control, .title = title, .note = into(notes_)});
    });
    return view_;
  }
  void save(const std::string& folder) {
    reading([&] {
      pleiad::save(simulation_, folder);
      return 0;
    });
  }

 private:
  Stepper(Simulation simulation, Notes notes)
      : simulation_(std::move(simulation)), notes_(std::move(notes)) {}

  void need_this_thread() const {
    if (stepping_ && owner_ != std::this_thread::get_id())
      throw UsageError("this Simulation is stepping in another thread: one uses it at a time");
  }
  void need_not_stepping() const {
    need_this_thread();
    if (stepping_) throw UsageError("a callback must not step or change the Simulation that calls it");
  }
  /// Runs work with other threads of Python running, which may not use the simulation meanwhile.
  template <class Work>
  void stepping(const Work& work) {
    need_not_stepping();
    owner_ = std::this_thread::get_id();
    const auto used = use();
    alone(stepping_, "Simulation", work);
  }
  /// Runs work that a callback may also request.
  template <class Work>
  std::invoke_result_t<const Work&> reading(const Work& work) {
    need_this_thread();
    if (stepping_) return work();
    std::invoke_result_t<const Work&> result{};
    stepping([&] { result = work(); });
    return result;
  }

  Used use() { return {view_.get(), simulation_}; }

  void add_accelerations(const ForceCall& call) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (force_.is_none()) throw UsageError("the force of this Simulation is not known here");
    python::add_accelerations(force_, nb::find(this), call);
  }

  /// Number of steps that may follow, after calls of Python and of the view.
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
    if (!progress.is_none()) progress(simulation_.time(), simulation_.step());
    simulation_.need_finite();
  }

  static constexpr double shortest_batch = 0.01;  ///< seconds, while somebody waits for bodies

  Simulation simulation_;
  Notes notes_;
  std::shared_ptr<View> view_{};
  nb::object tell_ = nb::none(), force_ = nb::none();  ///< see Lent
  std::size_t observers_ = 0;
  std::weak_ptr<const DeviceState> shown_{};  ///< the memory of arrays of the present state
  std::optional<int> was_shown_{};            ///< the GPU, while someone may use such an array
  bool stepping_ = false;                     ///< see alone()
  std::thread::id owner_{};
};

}  // namespace

void add_simulation(nb::module_& module) {
  using Text = std::optional<std::string>;
  module.def(
      "cache_file",
      [](const Text& cache_home, const Text& home) {
        return tune::cache_file(cache_home ? cache_home->c_str() : nullptr, home ? home->c_str() : nullptr)
            .string();
      },
      nb::arg("cache_home").none(), nb::arg("home").none(),
      "The file of what was measured, of these two variables.");
  nb::class_<View>(module, "View", "A simulation in a browser; pleiad.Simulation.view makes it.")
      .def_prop_ro("url", &View::url)
      .def("close", [](View& view) { without_gil([&] { view.close(); }); });
  nb::class_<Stepper>(module, "Simulation", "Bodies that step; pleiad.Simulation makes them.")
      .def_static("start", &Stepper::start, nb::arg("state").none(), nb::arg("settings"),
                  nb::arg("cache") = "", nb::arg("progress").none() = nb::none())
      .def_static("load", &Stepper::load, nb::arg("folder"), nb::arg("threads") = 0)
      .def("run_until", &Stepper::run_until, nb::arg("time"), nb::arg("progress").none() = nb::none(),
           nb::arg("tell").none() = nb::none(), nb::arg("force").none() = nb::none())
      .def("make_steps", &Stepper::make_steps, nb::arg("steps"), nb::arg("progress").none() = nb::none(),
           nb::arg("force").none() = nb::none())
      .def("with_force", &Stepper::with_force, nb::arg("added"))
      .def("every", &Stepper::every, nb::arg("interval"))
      .def_prop_ro("time", &Stepper::time)
      .def_prop_ro("step", &Stepper::step)
      .def_prop_ro("size", &Stepper::size)
      .def_prop_ro("is_stepping", &Stepper::is_stepping)
      .def_prop_ro("notes", &Stepper::notes)
      .def("snapshot", &Stepper::snapshot, nb::arg("fields") = false)
      .def("copy_state", &Stepper::copy_state, nb::arg("positions"), nb::arg("velocities"), nb::arg("masses"))
      .def("put_state", &Stepper::put_state, nb::arg("positions"), nb::arg("velocities"), nb::arg("masses"))
      .def("device_view", &Stepper::device_view, nb::arg("column"))
      .def("take_changes", &Stepper::take_changes)
      .def("energies", &Stepper::energies)
      .def("diagnostics", &Stepper::diagnostics)
      .def("force_errors", &Stepper::force_errors)
      .def("describe", &Stepper::describe)
      .def("view", &Stepper::view, nb::arg("port").none() = nb::none(), nb::arg("control") = false,
           nb::arg("title") = "")
      .def("save", &Stepper::save, nb::arg("folder"));
}

}  // namespace pleiad::python
