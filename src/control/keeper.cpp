#include "control/keeper.hpp"

#include "control/watch.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace pleiad::control {
namespace {

class AccuracyKeeper final : public Keeper {
 public:
  AccuracyKeeper(AccuracyWatch watch, EngineOptions options)
      : watch_(std::move(watch)), options_(std::move(options)) {}
  std::uint64_t steps_to_check(const Simulation& simulation) const override {
    return watch_.steps_to_check(simulation);
  }
  void check(Simulation& simulation) override {
    if (!watch_.due(simulation) || !watch_.check(simulation, true)) return;
    options_.precision = watch_.take_better_precision(simulation, options_).precision;
  }

 private:
  AccuracyWatch watch_;
  EngineOptions options_;  ///< those that were asked for, in the precision of now
};

}  // namespace

Simulation accurate_simulation(const EngineOptions& options, Snapshot initial, const Gravity& gravity,
                               const Method& method, const Demand& demand,
                               const tune::TuningContext& tuning_context, const Note& note) {
  const Note told = note ? note : [](const std::string&) {};
  const auto settle = [&](const EngineOptions& some, const Bodies& bodies, std::optional<Sample>& drawn,
                          const Note& said) {
    auto telling = tuning_context;
    telling.note = said;
    return resolved_engine(some, bodies, gravity, demand, telling, &drawn);
  };
  auto start =
      accurate_start(options, std::move(initial), gravity, method, demand.request.accuracy, settle, told);
  AccuracyWatch watch(start.simulation, demand, {}, told);
  watch.start_with(std::move(start.first));
  auto asked = options;
  asked.precision = start.engine.precision, asked.jerks = method.integrator->hermite;
  auto keeper = std::make_unique<AccuracyKeeper>(std::move(watch), std::move(asked));
  keeper->check(start.simulation);
  start.simulation.kept_by(std::move(keeper));
  return std::move(start.simulation);
}

}  // namespace pleiad::control
