/// A simulation from settings of the configuration: what pleiad.Simulation is made of.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "control/keeper.hpp"
#include "io/config/config.hpp"
#include "io/config/keys.hpp"
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"
#include "tune/cache.hpp"
#include "tune/tuning.hpp"

#include <pleiad/error.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/pair.h>

namespace pleiad::python {
namespace {

/// "section.key=value" each, as the command's --set takes them.
Options options_of(const std::vector<std::string>& settings) {
  Options o;
  for (const auto& setting : settings) try {
      apply_setting(o, setting);
    } catch (const UsageError& e) {
      const std::string here = fmt::format("--set {}: ", config::shown(setting)), what = e.what();
      throw UsageError(what.starts_with(here) ? what.substr(here.size()) : what);
    }
  o.time.t_end = std::numeric_limits<double>::max();  // run() says how far
  return o;
}

/// What the user should know of a simulation, as it comes up.
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
  /// From a snapshot, or where it is none from what the settings name.
  static Stepper start(nb::handle state, const std::vector<std::string>& settings, const std::string& cache,
                       nb::object progress) {
    auto options = options_of(settings);
    std::optional<Snapshot> given;
    if (!state.is_none()) {
      given = snapshot_of(nb::cast<Dict>(state));
      options.ic.file = "the bodies";  // what messages about them begin with
    }
    tune::TuningContext tuning_context;
    tuning_context.cache = cache;
    tuning_context.progress = [&](const std::string& what) {
      const nb::gil_scoped_acquire python;
      obey_signals();
      if (!progress.is_none()) progress(what);
    };
    const auto notes = std::make_shared<std::vector<std::string>>();
    return {without_gil([&] { return made(options, std::move(given), tuning_context, into(notes)); }), notes};
  }
  static Stepper load(const std::string& folder, int threads) {
    const auto notes = std::make_shared<std::vector<std::string>>();
    const Context context{.threads = threads, .note = into(notes)};
    return {without_gil([&] { return pleiad::load(folder, context); }), notes};
  }

  /// Until exactly `time`. `progress` is told time and step about ten times a second, `tell` the index of
  /// an observer that is due. What they raise ends the call between two steps.
  void run_until(double time, nb::object progress, nb::object tell, nb::object force) {
    need_not_stepping();
    const Lent told(tell_, std::move(tell)), pushed(force_, std::move(force));
    stepping([&] {
      simulation_.run_until(time, [&](const RunProgress&) {
        look(progress);
        return true;
      });
      if (!simulation_.finite()) not_finite();
    });
  }
  /// So many steps; observers are not told.
  void make_steps(std::uint64_t steps, nb::object progress, nb::object force) {
    need_not_stepping();
    const Lent pushed(force_, std::move(force));
    using Time = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds often{100};
    stepping([&] {
      // Batches of any length have the same bits.
      for (std::uint64_t batch = 1; steps > 0;) {
        const auto start = Time::now();
        const auto before = simulation_.step();
        simulation_.run_towards({.time = std::numeric_limits<double>::infinity(), .step = before + steps},
                                std::min(batch, steps));
        steps -= simulation_.step() - before;
        const auto took = Time::now() - start;
        if (took > often / 2) look(progress);
        batch = took < often / 2 ? 2 * batch : took > often ? std::max<std::uint64_t>(1, batch / 2) : batch;
      }
    });
  }
  /// The index of the observer that run_until tells of.
  std::size_t every(double interval) {
    need_not_stepping();
    const std::size_t index = observers_;
    simulation_.every(interval, [this, index](const Snapshot&) {
      const nb::gil_scoped_acquire python;
      obey_signals();
      if (!tell_.is_none()) tell_(index);
    });
    return observers_++;
  }

  /// Has the callable that run_until and make_steps are given add accelerations at each evaluation, or no
  /// more.
  void with_force(bool added) {
    need_not_stepping();
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
    if (!fields) return dict_of(simulation_.snapshot());
    return dict_of(reading([&] { return simulation_.snapshot_with_fields(); }));
  }
  /// Positions, velocities and masses of now into arrays of that size.
  void copy_state(nb::handle positions, nb::handle velocities, nb::handle masses) {
    need_this_thread();
    const auto x = host_array_to_fill(positions, "positions"),
               v = host_array_to_fill(velocities, "velocities"), m = host_array_to_fill(masses, "masses");
    const auto xs = rows_of<double>(x, "positions", 3, size()),
               vs = rows_of<double>(v, "velocities", 3, size());
    const auto ms = rows_of<double>(m, "masses", 0, size());
    const auto& b = simulation_.snapshot().bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
      xs(i, 0) = b.x[i], xs(i, 1) = b.y[i], xs(i, 2) = b.z[i];
      vs(i, 0) = b.vx[i], vs(i, 1) = b.vy[i], vs(i, 2) = b.vz[i];
      ms(i) = b.mass[i];
    }
  }
  /// From the same arrays, when something in them was changed; whether it was.
  bool put_state(nb::handle positions, nb::handle velocities, nb::handle masses) {
    need_not_stepping();
    const auto x = host_array(positions, "positions"), v = host_array(velocities, "velocities"),
               m = host_array(masses, "masses");
    const auto xs = rows_of<const double>(x, "positions", 3, size()),
               vs = rows_of<const double>(v, "velocities", 3, size());
    const auto ms = rows_of<const double>(m, "masses", 0, size());
    const auto& now = simulation_.snapshot().bodies;
    const auto same = [&](std::size_t i) {
      return xs(i, 0) == now.x[i] && xs(i, 1) == now.y[i] && xs(i, 2) == now.z[i] && vs(i, 0) == now.vx[i] &&
             vs(i, 1) == now.vy[i] && vs(i, 2) == now.vz[i] && ms(i) == now.mass[i];
    };
    std::size_t first = 0;
    while (first < size() && same(first)) ++first;
    if (first == size()) return false;
    Bodies moved = now;
    moved.low.clear();
    for (std::size_t i = first; i < size(); ++i) {
      moved.x[i] = xs(i, 0), moved.y[i] = xs(i, 1), moved.z[i] = xs(i, 2);
      moved.vx[i] = vs(i, 0), moved.vy[i] = vs(i, 1), moved.vz[i] = vs(i, 2);
      moved.mass[i] = ms(i);
    }
    stepping([&] { simulation_.move_bodies(std::move(moved)); });
    return true;
  }

  std::pair<double, double> energies() {
    const auto e = reading([&] { return simulation_.energies(); });
    return {e.kinetic, e.potential};
  }
  Dict diagnostics() {
    return dict_of(reading([&] { return simulation_.diagnostics(); }));
  }
  Dict force_errors() {
    const auto e = reading([&] { return simulation_.force_errors(); });
    Dict data;
    data["sample"] = e.sample;
    data["median"] = e.median;
    data["p99"] = e.p99;
    data["p99_low"] = e.p99_low;
    data["p99_high"] = e.p99_high;
    data["largest"] = e.largest;
    data["closest"] = e.closest;
    return data;
  }
  Dict describe() {
    need_this_thread();
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
  void save(const std::string& folder) {
    reading([&] {
      pleiad::save(simulation_, folder);
      return 0;
    });
  }

 private:
  Stepper(Simulation simulation, Notes notes)
      : simulation_(std::move(simulation)), notes_(std::move(notes)) {}

  static Simulation made(Options& o, std::optional<Snapshot> given, const tune::TuningContext& tuning_context,
                         const control::Note& note) {
    check(o);
    auto start = given ? run::Start{.initial = std::move(*given), .notes = {}} : run::load(o);
    run::settle(o, start.initial);
    for (const auto& text : start.notes) note(text);
    auto simulation =
        control::accurate_simulation(run::asked_engine(o), std::move(start.initial), run::gravity_of(o),
                                     run::method_of(o), run::demand_of(o), tuning_context, note);
    if (o.time.reverse) simulation.reverse_velocities();
    (void)simulation.reference_energy();
    return simulation;
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

  /// The callable gets time, positions, accelerations to be written, and the queue of the GPU where they are.
  void add_accelerations(const ForceCall& call) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (force_.is_none()) throw UsageError("the force of this Simulation is not known here");
    if (call.single) add_accelerations<float>(call);
    else add_accelerations<double>(call);
  }
  template <class T>
  void add_accelerations(const ForceCall& call) {
    const std::size_t shape[] = {call.n, 3};
    const std::int64_t strides[] = {4, 1};  // of records
    const int device = call.on_gpu ? nb::device::cuda::value : nb::device::cpu::value;
    const auto view = [&]<class U>(U* data) {
      const nb::object owner = nb::find(this);
      if (call.on_gpu)
        return nb::cast(nb::ndarray<U>(data, 2, shape, owner, strides, nb::dtype<U>(), device, 0));
      return nb::cast(nb::ndarray<nb::numpy, U>(data, 2, shape, owner, strides));
    };
    const auto x = view(static_cast<const T*>(call.bodies));
    const auto a = view(static_cast<T*>(call.accelerations));
    force_(call.time, x, a, reinterpret_cast<std::uintptr_t>(call.stream));
    // What was kept would show what it must not: memory of the steps to come.
    if (Py_REFCNT(x.ptr()) > 1 || Py_REFCNT(a.ptr()) > 1)
      throw UsageError("the force has kept an array of its call, which ends with it: copy what you keep");
  }

  void look(const nb::object& progress) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (!progress.is_none()) progress(simulation_.time(), simulation_.step());
    if (!simulation_.finite()) not_finite();
  }
  [[noreturn]] void not_finite() const {
    throw NumericalError(
        fmt::format("a body is no longer finite at step {}, t = {:g}: the step is too long for a close "
                    "encounter; use softening or a smaller dt",
                    simulation_.step(), simulation_.time()));
  }

  Simulation simulation_;
  Notes notes_;
  nb::object tell_ = nb::none(), force_ = nb::none();  ///< see Lent
  std::size_t observers_ = 0;
  bool stepping_ = false;  ///< see alone()
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
      .def("energies", &Stepper::energies)
      .def("diagnostics", &Stepper::diagnostics)
      .def("force_errors", &Stepper::force_errors)
      .def("describe", &Stepper::describe)
      .def("save", &Stepper::save, nb::arg("folder"));
}

}  // namespace pleiad::python
