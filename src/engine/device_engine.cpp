#include "engine/device_engine.hpp"

#include "cuda/device/device.hpp"
#include "cuda/external_field.hpp"
#include "cuda/state.hpp"
#include "engine/arrays.hpp"
#include "engine/device_softened.hpp"
#include "engine/particle_pulls.hpp"
#include "engine/ranks_device.hpp"
#include "engine/test_particles.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {

template <class P>
DeviceEngine<P>::DeviceEngine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                              Precision precision, ranks::Communicator& ranks)
    : GpuEngine<P>(gravity, std::move(choice), precision), backlog_(this->most_steps) {
  if (ranks.ranks() > 1) {
    all_ = ranks::Collective(ranks, bodies.size());
    exchange_ = make_ranks_exchange<Real>(all_, stream_.get());
    // Added forces need the positions of all bodies.
    divided_ = !this->added_ && divides_tree(choice_, precision, all_);
  }
  const std::size_t n = held(bodies.size());
  const auto needed = double(device_engine_bytes(n, precision, choice_.method.tree.has_value(),
                                                 divided_ ? 1 : std::size_t(ranks.ranks())) +
                             bodies.low.size() * sizeof bodies.low[0]);
  const auto free = double(cuda::device_memory().first);
  // Collective: if one rank has too little memory, all throw.
  if (all_.max(needed > free ? 1 : 0) > 0)
    throw ResourceError(
        fmt::format("{} bodies need {:.3g} GiB on the GPU, {:.3g} GiB are free there{}", n, needed / 0x1p30,
                    free / 0x1p30, needed > free ? "" : "; on another rank there is too little"),
        Error::Code::out_of_device_memory);
  DeviceEngine::load(bodies);
}

namespace {

/// Steps of bodies in the memory of a GPU.
template <class P>
class DeviceBlockStepper final : public Stepper {
 public:
  DeviceBlockStepper(DeviceBlocks<P>& blocks, std::uint64_t& evaluations)
      : blocks_(blocks), evaluations_(evaluations) {}
  void advance(const StepPlan& plan, std::uint64_t steps) override {
    evaluations_ += blocks_.advance(plan, steps);
  }
  /// Steps are parts of dt.
  double suggest_dt(double) override { return std::numeric_limits<double>::infinity(); }

 private:
  DeviceBlocks<P>& blocks_;
  std::uint64_t& evaluations_;
};

}  // namespace

template <class P>
std::unique_ptr<Stepper> DeviceEngine<P>::make_stepper(const Integrator& integrator) {
  if (!integrator.in_blocks || integrator.needs_jerks) return SteppedEngine<P>::make_stepper(integrator);
  need_able(choice_.method,
            {.n = n_, .gravity = gravity_, .precision = precision_, .integrator = &integrator});
  blocks_ = std::make_unique<DeviceBlocks<P>>(typename DeviceBlocks<P>::Engine{
      .method = choice_.method,
      .gravity = gravity_,
      .heaviest = this->heaviest_,
      .eps = this->eps_,
      .n = n_,
      .x = own().data(),
      .v = v_.data(),
      .sums = sums_.data(),
      .terms = this->terms_,
      .stream = stream_.get(),
      .begin =
          [this] {
            forget_diagnostics();
            diagnostics_expected_ = std::exchange(this->potentials_expected_, false);
          },
      .evaluate =
          [this](double time, bool last) {
            this->now_ = time;
            if (std::exchange(steps_.forces_current, true)) return false;
            if (last && std::exchange(diagnostics_expected_, false)) this->evaluate_with_diagnostics();
            else SteppedEngine<P>::evaluate();
            return true;
          },
      .moved = [this] { steps_.forces_current = false; },
      .started = [this](std::uint64_t steps) { started(steps); }});
  return std::make_unique<DeviceBlockStepper<P>>(*blocks_, this->evaluations_);
}

template <class P>
void DeviceEngine<P>::forget_blocks() {
  if (!blocks_) return;
  this->forget_stepper();
  blocks_.reset();
}

template <class P>
void DeviceEngine<P>::make_solver(const ForceMethod& method) {
  forget_blocks();
  particle_steps_.reset();
  solver_.reset();  // frees memory before the next solver allocates its own
  if (this->softened()) {
    solver_ =
        make_device_softened_solver<P>(gravity_, this->eps_, apart_ ? &massive_ : nullptr, stream_.get());
    return;
  }
  solver_ = apart_ && exchange_
                ? make_ranks_particle_solver<P>(method, massive_, all_, *exchange_, stream_.get())
            : apart_    ? make_device_particle_solver<P>(method, massive_, n_, stream_.get())
            : exchange_ ? make_ranks_device_solver<P>(method, divided_, all_, *exchange_, stream_.get())
                        : make_device_solver<P>(method, stream_.get());
}

template <class P>
void DeviceEngine<P>::load(const Bodies& b) {
  steps_ = {};
  forget_blocks();
  forget_diagnostics();
  this->find_heaviest(b);
  if (this->added_) this->added_->load(b, all_);
  if (b.size() != n_ || x_.size() == 0) make_room(b.size());
  Unwritten<Mass<Real>> x(n_);
  Unwritten<Vec4<Real>> v(n_);
  to_arrays<Real>(b, x.span(), v.span());
  auto eps = softenings_of_all(all_, b, gravity_.softening);
  const bool others = eps != this->eps_;
  this->eps_ = std::move(eps);
  this->load_low(b);
  find_massive(std::as_const(x).span(), others);
  put(std::as_const(x).span(), std::as_const(v).span());
}

template <class P>
void DeviceEngine<P>::find_massive(std::span<const Mass<Real>> bodies, bool anew) {
  const auto& method = choice_.method;
  const auto has_mass = [&](std::size_t i) { return bodies[i].m > 0; };
  std::vector<std::size_t> massive;
  if (exchange_) {
    massive = TestParticles(all_, bodies.size(), has_mass).massive_numbers();
  } else {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (has_mass(i)) massive.push_back(i);
  }
  // Fused steps and trees are of all bodies.
  const bool apart = massive.size() < all_.bodies(bodies.size()) && !method.tree && !this->fuses();
  if (!apart) massive.clear();
  if (solver_ && !anew && apart == apart_ && massive == massive_) return;
  apart_ = apart, massive_ = std::move(massive);
  recordings_.clear();
  make_solver(method);
}

template <class P>
void DeviceEngine<P>::put(std::span<const Mass<Real>> x, std::span<const Vec4<Real>> v) {
  cuda::copy_to_device(own().data(), x.data(), own().size_bytes(), stream_.get());
  v_.copy_from_host(v);
  cuda::wrap(gravity_.boundary, own().data(), n_, stream_.get());
  received_ = false;
  // Waits here: after load the bodies are on the GPU, and earlier failures are reported.
  cuda::wait(stream_.get());
}

template <class P>
void DeviceEngine<P>::make_room(std::size_t n) {
  n_ = n;
  recordings_.clear();
  x_ = {}, v_ = {}, sums_ = {};
  this->forget_copies();
  x_ = cuda::Buffer<Mass<Real>>(held(n), stream_.get());
  v_ = cuda::Buffer<Vec4<Real>>(n, stream_.get());
  sums_ = cuda::Buffer<Vec4<Real>>(n, stream_.get());
}

template <class P>
std::optional<DeviceState> DeviceEngine<P>::device_state() {
  wait();
  return DeviceState{.device = device_,
                     .n = n_,
                     .single = std::is_same_v<Real, float>,
                     .bodies = own().data(),
                     .velocities = v_.data()};
}

template <class P>
void DeviceEngine<P>::state_changed() {
  const cuda::OnDevice here(device_);
  cuda::wait_for_all();
  if (apart_) {  // masses may be others now
    Unwritten<Mass<Real>> x(n_);
    cuda::copy_to_host(x.data(), own().data(), n_ * sizeof(Mass<Real>), stream_.get());
    find_massive(std::as_const(x).span());
  }
  forget_blocks();
  steps_.forces_current = false;
  forget_diagnostics();
  cuda::wrap(gravity_.boundary, own().data(), n_, stream_.get());
  received_ = false;
}

template <class P>
void DeviceEngine<P>::receive() {
  if (exchange_ && !divided_ && !std::exchange(received_, true)) exchange_->give_to_all(x_.data());
}

template <class P>
void DeviceEngine<P>::wait() {
  if (exchange_) exchange_->wait();
  else cuda::wait(stream_.get());
}

template <class P>
std::vector<typename DeviceEngine<P>::Part> DeviceEngine<P>::parts() {
  return {{.device = device_,
           .stream = stream_.get(),
           .first = 0,
           .count = n_,
           .positions = own().data(),
           .velocities = v_.data(),
           .sums = sums_.data(),
           .potentials = potentials_.data(),
           .all = std::as_const(x_).span(),
           .number = divided_ ? 0 : all_.first()}};
}

template <class P>
void DeviceEngine<P>::evaluate(cuda::Buffer<Vec4<Real>>& sums, bool potential) {
  receive();
  solver_->evaluate({.targets = own(),
                     .sources = x_.span(),
                     .sums = sums.span(),
                     .softening = gravity_.softening,
                     .heaviest = this->heaviest_,
                     .boundary = gravity_.boundary,
                     .self = static_cast<std::ptrdiff_t>(all_.first()),
                     .potential = potential,
                     .stream = stream_.get()});
}

template <class P>
void DeviceEngine<P>::evaluate_potentials() {
  potentials_ = cuda::Buffer<Vec4<Real>>(n_, stream_.get());
  evaluate(potentials_, true);
}

template <class P>
void DeviceEngine<P>::forget_diagnostics() {
  GpuEngine<P>::forget_diagnostics();
  potentials_ = {};
}

template <class P>
void DeviceEngine<P>::run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) {
  choice_.method.steps->template run<P>()({.bodies = x_.span(),
                                           .velocities = v_.span(),
                                           .sums = sums_.span(),
                                           .forces_current = steps_.forces_current,
                                           .softening = gravity_.softening,
                                           .heaviest = this->heaviest_,
                                           .boundary = gravity_.boundary,
                                           .program = program,
                                           .steps = steps,
                                           .stream = stream_.get()},
                                          choice_.method.step_shape);
}

template <class P>
bool DeviceEngine<P>::carries_particles() const {
  return apart_ && !exchange_ && !this->softened() && !this->added_ && !gravity_.boundary.periodic &&
         !this->frame_ && massive_.size() <= most_massive_for_particle_steps &&
         std::ranges::none_of(this->terms_, [](const auto& term) { return term->of_user(); });
}

template <class P>
void DeviceEngine<P>::carry_particles(const StepPlan& plan, const StepProgram<Real>& program,
                                      std::uint64_t steps) {
  if (!particle_steps_)
    particle_steps_ =
        std::make_unique<DeviceParticleSteps<P>>(choice_.method, massive_, gravity_, stream_.get());
  particle_steps_->advance({own(), v_.span(), sums_.span()}, steps_.forces_current, this->heaviest_, plan,
                           program, steps, [this](const auto& made, std::uint64_t now) {
                             this->count(made, now);
                             return steps_.forces_current;
                           });
}

template <class P>
void DeviceEngine<P>::apply(Update<Real> update) {
  if (this->depends_on_velocities()) {
    for (int k = 0; k < update.kicks; ++k) this->kick_implicitly(update.kick[k]);
    update.kicks = 0;
  }
  if (this->lattice_.chosen())
    return this->update_on_lattice(update, parts().front(), 0, {.count = 1, .bodies = {x_.data()}});
  const bool on_epicycles = this->frame_ && update.drifts;
  if (on_epicycles) update.drifts = false;
  cuda::apply(update, gravity_.boundary, own().data(), v_.data(), sums_.data(), n_, stream_.get());
  if (on_epicycles)
    cuda::drift_in_hill_frame<Real>(this->frame_->drift_of(double(update.drift)), own().data(), v_.data(), 0,
                                    n_, {.count = 1, .bodies = {own().data()}}, stream_.get());
}

template <class P>
void DeviceEngine<P>::carry_out(const List& list) {
  for (const auto& work : list) {
    if (work.evaluates) {
      SteppedEngine<P>::evaluate();
    } else {
      apply(work.update);
      if (work.update.drifts) received_ = false;
      this->moved(work);
    }
  }
}

template <class P>
void DeviceEngine<P>::carry_out_again(const List& list) {
  // Trees read numbers between their kernels, user forces are called by the host, and ranks may exchange
  // through it: such lists cannot be recorded.
  if (choice_.method.tree || !this->terms_recordable() || exchange_) return carry_out(list);
  const auto* recording = recordings_.of(list, [&](cuda::Graph& graph) {
    return graph.record(stream_.get(), [this, list] { carry_out(list); });
  });
  if (recording != nullptr) recording->replay(stream_.get());
  else carry_out(list);
}

template <class P>
EngineDescription DeviceEngine<P>::describe() const {
  const std::size_t n = all_.bodies(n_), ranks = divided_ ? 1 : std::size_t(all_.division().ranks);
  return {.device = cuda::device_facts().name,
          .method = this->method(),
          .precision = std::string(name_of(precision_)),
          .why = carries_particles() && !this->has_low_parts()
                     ? fmt::format("{}; up to {} steps of test particles in a launch", this->why(),
                                   most_carried_steps)
                     : this->why(),
          .threads = 1,
          .gpus = 1,
          .bytes = device_engine_bytes(held(n_), precision_, choice_.method.tree.has_value(), ranks) +
                   this->bytes_of_low() + solver_->bytes() +
                   (particle_steps_ ? particle_steps_->bytes() : 0) + (exchange_ ? exchange_->bytes() : 0) +
                   (blocks_ ? blocks_->bytes() : 0),
          .interactions_per_evaluation = blocks_ && blocks_->interactions() > 0
                                             ? blocks_->interactions()
                                             : double(n) * double(apart_ ? massive_.size() : n),
          .exchange = !exchange_ ? ""
                      : divided_ ? exchange_->how() + "; the tree is divided"
                                 : exchange_->how(),
          .test_particles = apart_ ? n - massive_.size() : 0};
}

template class DeviceEngine<F32>;
template class DeviceEngine<F64>;
template class DeviceEngine<Mixed>;

}  // namespace pleiad
