#include "engine/individual_engine.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/steps/individual_bodies.hpp"
#include "engine/host_driven_bodies.hpp"
#include "integrate/individual.hpp"

#include <pleiad/error.hpp>

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// From here on pulls in floats are faster (bench/results/nvidia-h200/individual-steps.json).
constexpr std::size_t enough_for_floats = 8192;

/// Before the memory of either part is taken.
const Bodies& need_room(const Bodies& bodies, bool by_host) {
  const double needed = double(device_engine_bytes(bodies.size(), Precision::f64)) +
                        double(individual_bytes(bodies.size(), by_host)),
               free = double(cuda::device_memory().first);
  if (needed > free)
    throw ResourceError(
        fmt::format("{} bodies with steps of their own need {:.3g} GiB on the GPU, {:.3g} GiB "
                    "are free there",
                    bodies.size(), needed / 0x1p30, free / 0x1p30),
        Error::Code::out_of_device_memory);
  return bodies;
}

/// The engine of shared steps is on one.
Choice on_one_gpu(Choice choice) {
  choice.gpus = 1;
  return choice;
}

/// Those that one kernel moves.
class KernelBodies final : public IndividualBodies {
 public:
  KernelBodies(const Bodies& bodies, const Gravity& gravity, const IndividualChoice& choice, void* stream)
      : bodies_(
            bodies,
            {.eps = gravity.softening.eps, .G = gravity.G, .in_floats = choice.in_floats, .stream = stream}),
        in_floats_(choice.in_floats),
        stream_(stream) {}
  Work advance(const StepPlan& plan, std::uint64_t steps) override {
    const auto done = bodies_.advance(plan.dt, plan.eta, steps, plan.time);
    return {done.blocks, double(done.moves) * double(bodies_.pulling())};
  }
  void give(Mass<double>* positions, Vec4<double>* velocities) override {
    bodies_.give(positions, velocities);
    cuda::wait(stream_);
  }
  void copy_to_host(Bodies& bodies) const override { bodies_.copy_to_host(bodies); }
  void keep(Bodies& bodies) const override { bodies_.keep(bodies); }
  void reverse_velocities() override { bodies_.reverse_velocities(); }
  std::function<void()> keep_state() override { return bodies_.keep_state(); }
  std::size_t bytes() const override { return bodies_.bytes(); }
  std::string description() const override {
    return std::string("by cuda/individual-steps") + (in_floats_ ? ", weak pulls in floats" : "");
  }

 private:
  cuda::IndividualBodies bodies_;
  bool in_floats_;
  void* stream_;
};

}  // namespace

std::size_t individual_bytes(std::size_t n, bool by_host) {
  return by_host ? cuda::bytes_of_paths(n) : cuda::individual_bytes(n);
}

std::unique_ptr<IndividualBodies> make_individual_bodies(const Bodies& bodies, const Gravity& gravity,
                                                         const IndividualChoice& choice, void* stream) {
  if (choice.by_host) return std::make_unique<HostDrivenBodies>(bodies, gravity, choice, stream);
  return std::make_unique<KernelBodies>(bodies, gravity, choice, stream);
}

IndividualEngine::IndividualEngine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                   Precision precision, IndividualChoice how)
    : gravity_(gravity),
      how_(how),
      at_one_time_(need_room(bodies, how.by_host), gravity, on_one_gpu(std::move(choice)), Precision::f64) {
  how_.in_floats = precision == Precision::mixed && bodies.size() >= enough_for_floats;
  take(bodies);
}

void IndividualEngine::take(const Bodies& bodies) {
  individual_.reset();
  individual_ = make_individual_bodies(bodies, gravity_, how_, stream_.get());
  mass_ = bodies.mass;
}

Bodies IndividualEngine::bodies() {
  Bodies b;
  b.resize(mass_.size());
  at_one_time_.copy_to_host(b);
  return b;
}

IndividualBodies& IndividualEngine::individual() {
  if (!individual_) take(bodies());
  return *individual_;
}

void IndividualEngine::load(const Bodies& bodies) {
  at_one_time_.load(bodies);
  take(bodies);
}

void IndividualEngine::advance(const StepPlan& plan, std::uint64_t steps) {
  if (!has_individual_steps(plan.integrator)) {
    at_one_time_.advance(plan, steps);
    individual_.reset();
    return;
  }
  if (!plan.factors->constant())
    throw UsageError(
        "hermite4-block steps bodies in static space only; kdk takes factors that change with time");
  if (plan.blocks.groups != CloseGroups::off && !how_.by_host)
    throw UsageError("this engine was made for single bodies, not for time.groups = \"regularised\"");
  auto& own = individual();
  IndividualBodies::Work done;
  try {
    done = own.advance(plan, steps);
  } catch (...) {
    individual_.reset();  // its bodies are at several times
    throw;
  }
  blocks_ += done.blocks, pairs_ += done.pairs;
  if (const auto state = at_one_time_.device_state(); state && state->n > 0)
    own.give(static_cast<Mass<double>*>(state->bodies), static_cast<Vec4<double>*>(state->velocities));
  at_one_time_.state_changed();
  at_one_time_.set_time(plan.time_of(steps));
}

void IndividualEngine::copy_to_host(Bodies& b) {
  at_one_time_.copy_to_host(b);
  if (individual_) individual_->keep(b);
  else b.low.clear(), b.series.clear();
}

/// What was only seen goes on with its bits.
void IndividualEngine::state_changed() {
  at_one_time_.state_changed();
  if (!individual_) return;
  const Bodies now = bodies();
  Bodies before = now;
  individual_->copy_to_host(before);
  before.low.clear(), before.series.clear(), before.mass = mass_;
  if (before != now) individual_.reset(), mass_ = now.mass;
}

std::function<void(Snapshot&)> IndividualEngine::begin_copy(bool fields) {
  Bodies kept;
  if (individual_) individual_->keep(kept);
  return [finish = at_one_time_.begin_copy(fields), kept = std::move(kept)](Snapshot& snapshot) {
    finish(snapshot);
    snapshot.bodies.low = kept.low, snapshot.bodies.series = kept.series;
  };
}

std::function<splat::ImagePlanes()> IndividualEngine::begin_image_planes(const splat::Request& request) {
  return at_one_time_.begin_image_planes(request);
}

/// Steps are parts of dt.
double IndividualEngine::suggest_dt(const Integrator& integrator, double eta) {
  return has_individual_steps(&integrator) ? std::numeric_limits<double>::infinity()
                                           : at_one_time_.suggest_dt(integrator, eta);
}

void IndividualEngine::reverse_velocities() {
  at_one_time_.reverse_velocities();
  if (individual_) individual_->reverse_velocities();
}

std::function<void()> IndividualEngine::keep_state() {
  auto& own = individual();
  return [this, &own, put_back = at_one_time_.keep_state(), put_back_own = own.keep_state()] {
    put_back();
    if (individual_.get() == &own) put_back_own();
    else individual_.reset();
  };
}

EngineDescription IndividualEngine::describe() const {
  auto d = at_one_time_.describe();
  d.why += "; each body has steps of its own";
  if (individual_) d.why += ", " + individual_->description(), d.bytes += individual_->bytes();
  if (how_.by_host) d.gpus = how_.gpus;
  if (blocks_ > 0) d.interactions_per_evaluation = pairs_ / double(blocks_);
  return d;
}

}  // namespace pleiad
