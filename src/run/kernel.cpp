#include "run/kernel.hpp"

#include "core/part.hpp"
#include "core/version.hpp"
#include "direct/why_not.hpp"
#include "engine/device.hpp"
#include "run/observer.hpp"
#include "run/start.hpp"
#include "run/timings.hpp"
#include "tune/trial.hpp"
#include "tune/tuning.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// The tuning context of a run: it reports its work, and its time is counted.
class TuningInARun {
 public:
  TuningInARun(const Resolving& resolving, control::Note note) {
    const auto tell = [&resolving](const std::string& what, bool begins) {
      if (resolving.observer != nullptr) resolving.observer->tuning(what, begins);
    };
    tuning_context.cache = resolving.cache;
    tuning_context.measures = resolving.measure;
    tuning_context.steps = resolving.evaluations;
    tuning_context.progress = [tell](const std::string& text) { tell(text, false); };
    tuning_context.note = std::move(note);
    tuning_context.begins = [this, tell, &resolving](const std::string& text) {
      measuring_.emplace(resolving.seconds != nullptr ? *resolving.seconds : elsewhere_);
      tell(text, true);
    };
  }
  TuningInARun(const TuningInARun&) = delete;
  TuningInARun& operator=(const TuningInARun&) = delete;
  tune::TuningContext tuning_context;

 private:
  double elsewhere_ = 0;
  std::optional<Timed> measuring_;
};

control::Note into(std::vector<std::string>& notes) {
  return [&notes](const std::string& text) { notes.push_back(text); };
}

/// The error, if any, because of which the kernels of the checkpoint cannot be used on this machine. On
/// another device they make a step of a few of the bodies, because not every GPU supports every shape. Errors
/// of a missing or failing GPU concern the machine; all others concern the checkpoint.
std::optional<Error> why_not_here(const Checkpoint& c, const Options& o, EngineOptions& engine) {
  try {
    engine.method = force_method_of(c.kernel);
  } catch (const UsageError& e) {
    return Error(Error::Code::invalid_data, e.what());
  } catch (const ResourceError&) {
    return Error(Error::Code::invalid_data, why_no_device());  // only a build without CUDA lacks it
  }
  if (!engine.method) return Error(Error::Code::invalid_data, "its name is missing");
  const bool on_gpu = place_of(*engine.method) == Device::cuda;
  if (on_gpu)
    if (const auto why = why_no_device(); !why.empty())
      return Error(built_for_devices ? Error::Code::no_device : Error::Code::invalid_data, why);
  const auto& bodies = c.snapshot.bodies;
  engine = control::on_useful_gpus(std::move(engine), bodies.size(), gravity_of(o).boundary);
  if (const auto why = why_not(*engine.method,
                               {.n = bodies.size(), .gravity = gravity_of(o), .precision = engine.precision}))
    return Error(Error::Code::invalid_data, *why);
  try {
    auto law = gravity_of(o);
    law.forces.clear();  // their sources may be other bodies
    // A run on CPUs may have named a GPU for its test particles.
    auto here = engine;
    if (!on_gpu) here.backend = "auto";
    const auto trial = make_engine(first_of(bodies, 1024), law, here);
    if (trial->describe().device != c.simd_target && on_gpu)
      trial->advance({.integrator = &integrator_named("kdk"),
                      .dt = o.time.dt,
                      .time = c.snapshot.time,
                      .end = c.snapshot.time},
                     1);
    return std::nullopt;
  } catch (const UsageError& e) {
    return Error(Error::Code::invalid_data, e.what());
  }
}

}  // namespace

double evaluations_from(const Options& o, double time) {
  // Where an error is asked for, dt is the longest step.
  const double steps = std::max(o.time.chooses_step() ? 1000.0 : 1.0, (o.time.t_end - time) / o.time.dt);
  return steps * method_of(o).integrator->evaluations;
}

EngineOptions asked_engine(const Options& o) {
  auto engine = engine_of(o);
  const auto method = method_of(o);
  engine.integrator = method.integrator, engine.blocks = method.blocks;
  // A tree may be named as a kernel; its error is then watched as that of a chosen one.
  if (engine.method && !engine.method->tree && o.solver.accuracy > 0)
    throw UsageError("[solver] and engine.kernel both choose the force method: leave one of them to auto");
  return engine;
}

bool searches_solver(const Options& o) {
  return o.solver.accuracy > 0 || (o.solver.method != "auto" && o.solver.method != "direct");
}

EngineOptions for_ranks(EngineOptions engine, ranks::Communicator& ranks) {
  if (ranks.ranks() > 1) engine.gpus = 1;
  engine.ranks = &ranks;
  return engine;
}

control::Demand demand_of(const Options& o) {
  const auto& s = o.solver;
  tune::SolverRequest request{.accuracy = s.accuracy};
  const auto set = [](auto& to, auto value) {
    if (value != 0) to = value;
  };
  const auto find = [](auto& to, const std::string& name, const auto& names) {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) to = static_cast<typename std::remove_reference_t<decltype(to)>::value_type>(k);
  };
  find(request.solver, s.method, solver_names);
  find(request.mac, s.mac, mac_names);
  if (s.structure != name_of(Structure::octree)) find(request.structure, s.structure, structure_names);
  set(request.order, s.order), set(request.leaf_size, s.leaf_size), set(request.group, s.group_size);
  set(request.theta, s.theta), set(request.tolerance, s.tolerance);
  return {.request = request,
          .check_every = s.check_every,
          .tuning = tune::tuning_named(o.engine.tuning),
          .kernel_named = o.engine.kernel != "auto"};
}

EngineOptions resolved_engine(const Options& o, const Bodies& bodies, const Resolving& resolving,
                              std::vector<std::string>& notes) {
  const TuningInARun tuning(resolving, into(notes));
  return control::resolved_engine(for_ranks(asked_engine(o), resolving.ranks), bodies, gravity_of(o),
                                  demand_of(o), tuning.tuning_context);
}

control::AccurateStart accurate_start(Options& o, Snapshot initial, const Resolving& resolving,
                                      std::vector<std::string>& notes) {
  const auto gravity = gravity_of(o);
  const auto demand = demand_of(o);
  const auto settle = [&](const EngineOptions& engine, const Bodies& bodies,
                          std::optional<MeasuredSample>& drawn, const control::Note& note) {
    const TuningInARun tuning(resolving, note);
    return control::resolved_engine(engine, bodies, gravity, demand, tuning.tuning_context, &drawn);
  };
  auto start = control::accurate_start(for_ranks(asked_engine(o), resolving.ranks), std::move(initial),
                                       gravity, method_of(o), demand, settle, into(notes));
  o.engine.precision = name_of(start.engine.precision);
  return start;
}

EngineOptions resumed_engine(Options& o, const Checkpoint& c, bool accepted, const Resolving& resolving,
                             std::vector<std::string>& notes) {
  auto engine = for_ranks(engine_without_method_of(o), resolving.ranks);
  engine.why = "that of the checkpoint";
  if (resolving.ranks.ranks() > 1) {
    engine.method = force_method_of(c.kernel);
    return engine;
  }
  const auto why_not = why_not_here(c, o, engine);
  if (!why_not) return engine;
  if (!accepted)
    throw Error(
        why_not->code(),
        fmt::format("the checkpoint was written with kernel '{}', which cannot be used here ({}): the bits "
                    "would differ; --accept-other-build continues with another kernel",
                    c.kernel, why_not->what()));
  notes.push_back(fmt::format("kernel '{}' of the checkpoint cannot be used here ({}): another one is used",
                              c.kernel, why_not->what()));
  o.engine.kernel = o.engine.backend = "auto";
  return resolved_engine(o, c.snapshot.bodies, resolving, notes);
}

void need_same_build(const Checkpoint& c, const EngineDescription& now, bool accepted,
                     std::vector<std::string>& notes) {
  const auto compare = [&](std::string_view what, const std::string& then, const std::string& present) {
    if (then != present && !accepted)
      throw InputError(
          fmt::format("the checkpoint was written with {} '{}', this is '{}': the bits would differ; "
                      "--accept-other-build continues anyway",
                      what, then, present));
  };
  compare("program version", c.code_version, version());
  compare("precision", c.precision, now.precision);
  compare("kernel", c.kernel, now.kernel());
  // Of several GPUs: "4 x NVIDIA H200".
  const auto one_of = [](const std::string& device) {
    const auto count = device.find(" x ");
    return count != device.npos && count == device.find_first_not_of("0123456789") ? device.substr(count + 3)
                                                                                   : device;
  };
  const bool on_gpu = place_of(now.method) == Device::cuda && c.kernel == now.kernel();
  if (!on_gpu) compare("device", c.simd_target, now.device);
  else if (one_of(c.simd_target) != one_of(now.device))
    notes.push_back(fmt::format(
        "the checkpoint was written on '{}', this is '{}': with the same kernel in the same shape "
        "the bits stay the same, if both round reciprocal roots alike",
        c.simd_target, now.device));
}

std::optional<ForceMethod> method_for(const ForceMethod& present, const Bodies& own, const Gravity& gravity,
                                      const EngineOptions& engine) {
  auto& ranks = ranks::or_self(engine.ranks);
  const auto n = ranks::sum(ranks, own.size());
  const bool able = !why_not(
      present, {.n = n, .gravity = gravity, .precision = engine.precision, .on_ranks = ranks.ranks() > 1});
  return able ? std::optional(present) : std::nullopt;
}

}  // namespace pleiad::run
