#include "control/controller.hpp"

#include "control/monitor.hpp"

#include <pleiad/error.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace pleiad::control {
namespace {

class AccuracyController final : public Controller {
 public:
  AccuracyController(AccuracyMonitor watch, const Demand& demand, EngineOptions options)
      : watch_(std::move(watch)),
        accuracy_(demand.request.accuracy),
        check_every_(demand.check_every),
        options_(std::move(options)) {}
  std::uint64_t steps_to_check(const Simulation& simulation) const override {
    return watch_.steps_to_check(simulation);
  }
  void check(Simulation& simulation) override {
    if (!watch_.due(simulation) || !watch_.check(simulation, true)) return;
    options_.precision = watch_.take_better_precision(simulation, options_).precision;
  }
  void bodies_changed(Simulation& simulation) override { watch_.bodies_changed(simulation); }
  std::string text() const override {
    return fmt::format("{:a} {} {} {} {} {}", accuracy_, check_every_, int(options_.method.has_value()),
                       options_.backend, options_.gpus, watch_.text());
  }

 private:
  AccuracyMonitor watch_;
  double accuracy_;
  std::uint64_t check_every_;
  EngineOptions options_;  ///< requested options, in the present precision
};

}  // namespace

Simulation accurate_simulation(const EngineOptions& options, Snapshot initial, const Gravity& gravity,
                               const Method& method, const Demand& asked_for,
                               const tune::TuningContext& tuning_context, const Note& note) {
  Demand demand = asked_for;
  demand.kernel_named = options.method.has_value();
  const Note told = note ? note : [](const std::string&) {};
  const auto settle = [&](const EngineOptions& some, const Bodies& bodies,
                          std::optional<MeasuredSample>& drawn, const Note& said) {
    auto telling = tuning_context;
    telling.note = said;
    return resolved_engine(some, bodies, gravity, demand, telling, &drawn);
  };
  auto start = accurate_start(options, std::move(initial), gravity, method, demand, settle, told);
  AccuracyMonitor watch(start.simulation, demand, {}, told);
  watch.start_with(std::move(start.first));
  auto asked = options;
  asked.precision = start.engine.precision, asked.integrator = method.integrator;
  asked.blocks = method.blocks, asked.symmetric_steps = method.symmetric_steps;
  auto controller = std::make_unique<AccuracyController>(std::move(watch), demand, std::move(asked));
  controller->check(start.simulation);
  start.simulation.set_controller(std::move(controller));
  return std::move(start.simulation);
}

void resume_control(Simulation& simulation, const std::string& text, EngineOptions engine, const Note& note,
                    std::string_view where) {
  std::istringstream in(text);
  std::string accuracy, sample;
  Demand demand;
  bool named = false;
  in >> accuracy >> demand.check_every >> named >> engine.backend >> engine.gpus;
  if (!in) throw InputError(fmt::format("{} is not whole", where));
  std::getline(in >> std::ws, sample);
  demand.request.accuracy = std::strtod(accuracy.c_str(), nullptr);
  demand.kernel_named = named;
  if (!named) engine.method.reset();
  engine.integrator = simulation.method().integrator, engine.blocks = simulation.method().blocks;
  engine.symmetric_steps = simulation.method().symmetric_steps;
  AccuracyMonitor watch(
      simulation, demand, {}, note ? note : [](const std::string&) {});
  watch.restore(sample, simulation.size(), where);
  simulation.set_controller(
      std::make_unique<AccuracyController>(std::move(watch), demand, std::move(engine)));
}

}  // namespace pleiad::control
