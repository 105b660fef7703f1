#include "engine/individual_engine.hpp"

#include "cuda/device/device.hpp"
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
const Bodies& need_room(const Bodies& bodies) {
  const double needed = double(device_engine_bytes(bodies.size(), Precision::f64)) +
                        double(cuda::individual_bytes(bodies.size())),
               free = double(cuda::device_memory().first);
  if (needed > free)
    throw ResourceError(
        fmt::format("{} bodies with steps of their own need {:.3g} GiB on the GPU, {:.3g} GiB "
                    "are free there",
                    bodies.size(), needed / 0x1p30, free / 0x1p30),
        Error::Code::out_of_device_memory);
  return bodies;
}

}  // namespace

IndividualEngine::IndividualEngine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                   Precision precision)
    : gravity_(gravity),
      at_one_time_(need_room(bodies), gravity, std::move(choice), Precision::f64),
      in_floats_(precision == Precision::mixed && bodies.size() >= enough_for_floats) {
  take(bodies);
}

void IndividualEngine::take(const Bodies& bodies) {
  individual_.reset();
  individual_ = std::make_unique<cuda::IndividualBodies>(
      bodies,
      cuda::IndividualBodies::Settings{
          .eps = gravity_.softening.eps, .G = gravity_.G, .in_floats = in_floats_, .stream = stream_.get()});
  mass_ = bodies.mass;
}

Bodies IndividualEngine::bodies() {
  Bodies b;
  b.resize(mass_.size());
  at_one_time_.copy_to_host(b);
  return b;
}

cuda::IndividualBodies& IndividualEngine::individual() {
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
  auto& own = individual();
  cuda::IndividualProgress done;
  try {
    done = own.advance(plan.dt, plan.eta, steps, plan.time);
  } catch (...) {
    individual_.reset();  // its bodies are at several times
    throw;
  }
  blocks_ += done.blocks, pairs_ += double(done.moves) * double(own.pulling());
  if (const auto state = at_one_time_.device_state(); state && state->n > 0) {
    own.give(static_cast<Mass<double>*>(state->bodies), static_cast<Vec4<double>*>(state->velocities));
    cuda::wait(stream_.get());
  }
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
  d.why += "; each body has steps of its own, by cuda/individual-steps";
  if (in_floats_) d.why += ", weak pulls in floats";
  if (individual_) d.bytes += individual_->bytes();
  if (blocks_ > 0) d.interactions_per_evaluation = pairs_ / double(blocks_);
  return d;
}

}  // namespace pleiad
