#include "engine/multi_gpu_engine.hpp"

#include "cuda/external_field.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/multi_gpu/send.hpp"
#include "cuda/state.hpp"
#include "direct/why_not.hpp"
#include "engine/arrays.hpp"
#include "engine/device_softened.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// The device count, if that many can work as one.
int usable(int gpus) {
  const int there = cuda::device_count();
  if (gpus < 1 || gpus > there)
    throw ResourceError(
        fmt::format("{} GPUs asked for; there {} {}", gpus, there == 1 ? "is" : "are", there));
  for (int d = 1; d < gpus; ++d)
    if (const auto first = cuda::name_of_device(0), other = cuda::name_of_device(d); other != first)
      throw ResourceError(
          fmt::format("GPU 0 is a {} and GPU {} a {}: only GPUs of one kind give the same bits; use fewer",
                      first, d, other));
  return gpus;
}

/// The reason why `gpus` GPUs cannot access each other's memory, if the exchange needs it.
std::string why_not_direct(std::optional<cuda::Exchange> exchange, int gpus) {
  return exchange == cuda::Exchange::host ? "" : cuda::why_not_reachable(usable(gpus));
}

}  // namespace

template <class P>
MultiGpuEngine<P>::MultiGpuEngine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                  Precision precision, std::optional<cuda::Exchange> exchange)
    : GpuEngine<P>(gravity, std::move(choice), precision),
      why_not_direct_(why_not_direct(exchange, choice_.gpus)),
      devices_(usable(choice_.gpus), why_not_direct_.empty() && exchange != cuda::Exchange::host) {
  const bool reachable = why_not_direct_.empty();
  if (exchange && *exchange != cuda::Exchange::host && !reachable)
    throw ResourceError(fmt::format("no {}: {}", name_of(*exchange), why_not_direct_));
  if (choice_.method.steps != nullptr && (!reachable || exchange == cuda::Exchange::host))
    throw ResourceError(fmt::format("kernel '{}' on {} GPUs needs peer access: {}; use one GPU",
                                    choice_.method.steps->name, choice_.gpus,
                                    reachable ? "copies through the host were asked for" : why_not_direct_));
  exchange_ = exchange.value_or(reachable ? cuda::Exchange::direct : cuda::Exchange::host);
  const cuda::OnDevice first(0);
  backlog_.emplace(this->most_steps);
  need_room(bodies);
  MultiGpuEngine::load(bodies);
}

template <class P>
void MultiGpuEngine<P>::need_room(const Bodies& bodies) const {
  const std::size_t n = bodies.size(), gpus = std::size_t(devices_.size()),
                    low = bodies.low.size() * sizeof bodies.low[0],
                    needed = device_engine_bytes(n, precision_, choice_.method.tree.has_value(), gpus) +
                             (low + gpus - 1) / gpus;
  devices_.each([&](int d) {
    if (const std::size_t free = cuda::device_memory().first; needed > free)
      throw ResourceError(fmt::format(
          "{} bodies need {:.3g} GiB on each GPU{}, {:.3g} GiB are free on GPU {}{}", n,
          double(needed) / 0x1p30, choice_.method.tree ? ", which holds the whole tree" : "",
          double(free) / 0x1p30, d, choice_.method.tree ? "; use fewer bodies or --precision f32" : ""));
  });
}

template <class P>
void MultiGpuEngine<P>::make_share(int device) {
  auto& s = share(device);
  const auto gpus = static_cast<std::size_t>(devices_.size()), d = static_cast<std::size_t>(device);
  s = {};
  s.first = n_ * d / gpus;
  s.count = n_ * (d + 1) / gpus - s.first;
  for (auto& positions : s.positions) positions = cuda::Reachable<Mass<Real>>(n_);
  s.velocities = cuda::Buffer<Vec4<Real>>(s.count, devices_.stream(device));
  s.sums = cuda::Reachable<Vec4<Real>>(s.count);
}

template <class P>
void MultiGpuEngine<P>::load(const Bodies& b) {
  n_ = b.size();
  this->find_heaviest(b);
  if (this->added_) this->added_->load(b, this->all_);
  Unwritten<Mass<Real>> x(n_);
  Unwritten<Vec4<Real>> v(n_);
  to_arrays<Real>(b, x.span(), v.span());
  shares_.resize(static_cast<std::size_t>(devices_.size()));
  if (exchange_ == cuda::Exchange::host)
    for (auto& positions : positions_of_host_) positions = cuda::Pinned<Mass<Real>>(n_);
  state_ = {}, steps_ = {}, fused_.reset(), solver_.reset();
  this->forget_copies();
  this->forget_diagnostics();
  recordings_.clear();
  devices_.each([&](int d) {
    make_share(d);
    auto& s = share(d);
    // What nobody writes is not a number.
    cuda::fill(s.sums.data(), 0xFF, s.count * sizeof(Vec4<Real>), devices_.stream(d));
  });
  this->load_low(b);
  put(std::as_const(x).span(), std::as_const(v).span());
  massive_.clear();
  for (std::size_t i = 0; i < n_; ++i)
    if (x.span()[i].m > 0) massive_.push_back(i);
  this->eps_ = softenings_of_all({}, b, gravity_.softening);
  make_solver(choice_.method);
  devices_.wait();
  if (choice_.method.steps != nullptr) make_fused_steps();
}

template <class P>
void MultiGpuEngine<P>::put(std::span<const Mass<Real>> x, std::span<const Vec4<Real>> v) {
  receive();
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::copy_to_device(present(s).data(), x.data(), n_ * sizeof(Mass<Real>), devices_.stream(d));
    cuda::wrap(gravity_.boundary, present(s).data(), n_, devices_.stream(d));
    s.velocities.copy_from_host(v.subspan(s.first, s.count));
  });
  devices_.wait();
}

template <class P>
void MultiGpuEngine<P>::make_solver(const ForceMethod& method) {
  std::vector<std::size_t> counts;
  for (const auto& s : shares_) counts.push_back(s.count);
  const MultiGpuPlace place{devices_, exchange_, gravity_, this->heaviest_};
  const auto massive = particles_apart(method) ? std::optional(massive_) : std::nullopt;
  solver_ = this->softened() ? make_multi_gpu_softened_sums<P>(place, this->eps_, massive)
                             : make_multi_gpu_solver<P>(place, method, counts, massive);
}

template <class P>
std::vector<typename MultiGpuEngine<P>::Part> MultiGpuEngine<P>::parts() {
  std::vector<Part> parts;
  for (int d = 0; d < devices_.size(); ++d) {
    auto& s = share(d);
    parts.push_back({.device = d,
                     .stream = devices_.stream(d),
                     .first = s.first,
                     .count = s.count,
                     .positions = present(s).data() + s.first,
                     .velocities = s.velocities.data(),
                     .sums = s.sums.data(),
                     .potentials = s.potentials.data(),
                     .all = std::as_const(present(s)).span(),
                     .number = s.first});
  }
  return parts;
}

template <class P>
void MultiGpuEngine<P>::evaluate(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential) {
  receive();
  std::vector<OnGpu<P>> gpus;
  for (auto& s : shares_)
    gpus.push_back({s.first, s.count, std::as_const(present(s)).span(), (s.*sums).span()});
  solver_->evaluate(gpus, potential);
}

template <class P>
void MultiGpuEngine<P>::evaluate_potentials() {
  devices_.each([&](int d) {
    auto& s = share(d);
    if (s.potentials.size() != s.count) s.potentials = cuda::Reachable<Vec4<Real>>(s.count);
  });
  evaluate(&Share::potentials, true);
}

template <class P>
void MultiGpuEngine<P>::settle() {
  receive();
  devices_.wait();
}

template <class P>
std::vector<cuda::OwnBodies<P>> MultiGpuEngine<P>::owned() {
  std::vector<cuda::OwnBodies<P>> own;
  for (auto& s : shares_)
    own.push_back({.first = s.first,
                   .count = s.count,
                   .now = present(s).data(),
                   .then = s.positions[static_cast<std::size_t>(1 - state_.now)].data(),
                   .velocities = s.velocities.data(),
                   .sums = s.sums.data()});
  return own;
}

template <class P>
void MultiGpuEngine<P>::make_fused_steps() {
  need_able(choice_.method,
            {.n = n_, .gravity = gravity_, .precision = this->precision_, .gpus = choice_.gpus});
  fused_ = cuda::multi_gpu_steps<P>(choice_.method.steps->name, devices_, n_, gravity_, owned());
  if (!fused_)
    throw UsageError(
        fmt::format("kernel '{}' has no parts for several GPUs; choose one GPU", choice_.method.steps->name));
}

template <class P>
void MultiGpuEngine<P>::receive() {
  if (!state_.on_their_way) return;
  state_.on_their_way = false;
  devices_.wait_for_signals();
  if (exchange_ != cuda::Exchange::host) return;
  devices_.each([&](int d) {
    auto& s = share(d);
    const auto* from = positions_of_host_[static_cast<std::size_t>(state_.now)].data();
    auto* to = present(s).data();
    const std::size_t after = s.first + s.count;
    cuda::copy_from_pinned(to, from, s.first * sizeof(*to), devices_.stream(d));
    cuda::copy_from_pinned(to + after, from + after, (n_ - after) * sizeof(*to), devices_.stream(d));
  });
}

template <class P>
void MultiGpuEngine<P>::update(const Update<Real>& asked) {
  auto change = asked;
  if (this->depends_on_velocities()) {
    for (int k = 0; k < change.kicks; ++k) this->kick_implicitly(change.kick[k]);
    change.kicks = 0;
  }
  // Positions that another GPU may still read must not be overwritten.
  if (change.drifts) receive();
  const int next = 1 - state_.now;
  const auto at = static_cast<std::size_t>(next);
  const bool on_lattice = this->lattice_.chosen();
  const auto all = on_lattice ? parts() : std::vector<Part>();
  devices_.each([&](int d) {
    auto& s = share(d);
    cuda::Destinations<Real> to;
    for (auto& other : shares_)
      if (exchange_ == cuda::Exchange::direct || &other == &s)
        to.bodies[to.count++] = other.positions[at].data();
    auto straight = change;
    const bool on_epicycles = this->frame_ && change.drifts;
    if (on_epicycles) straight.drifts = false;
    const auto* const x = present(s).data();
    auto* const v = s.velocities.data();
    if (on_lattice) {
      const auto k = static_cast<std::size_t>(d);
      this->update_on_lattice(change, all[k], k, to);
      if (change.drifts) send(d, next);
      return;
    }
    cuda::update_and_send<Real>(straight, gravity_.boundary, x, v, s.sums.data(), s.first, s.count, to,
                                devices_.stream(d));
    if (on_epicycles)
      cuda::drift_in_hill_frame<Real>(this->frame_->drift_of(double(change.drift)), x, v, s.first, s.count,
                                      to, devices_.stream(d));
    if (change.drifts) send(d, next);
  });
  if (!change.drifts) return;
  devices_.signal();
  state_ = {.now = next, .on_their_way = true};
}

template <class P>
void MultiGpuEngine<P>::send(int device, int next) {
  if (exchange_ == cuda::Exchange::direct) return;
  const auto& s = share(device);
  const auto at = static_cast<std::size_t>(next);
  const auto* const own = s.positions[at].data() + s.first;
  const std::size_t bytes = s.count * sizeof(*own);
  auto* const stream = devices_.stream(device);
  if (exchange_ == cuda::Exchange::host)
    return cuda::copy_to_pinned(positions_of_host_[at].data() + s.first, own, bytes, stream);
  for (int other = 0; other < devices_.size(); ++other)
    if (other != device)
      cuda::copy_between(share(other).positions[at].data() + s.first, other, own, device, bytes, stream);
}

template <class P>
typename MultiGpuEngine<P>::State MultiGpuEngine<P>::State::after(const List& list) const {
  State state = *this;
  for (const auto& work : list)
    if (work.evaluates) state.on_their_way = false;
    else if (work.update.drifts) state = {.now = 1 - state.now, .on_their_way = true};
  return state;
}

template <class P>
void MultiGpuEngine<P>::carry_out(const List& list) {
  for (const auto& work : list)
    if (work.evaluates) SteppedEngine<P>::evaluate();
    else update(work.update), this->moved(work);
}

template <class P>
void MultiGpuEngine<P>::carry_out_again(const List& list) {
  // Trees read numbers between their kernels, and some terms depend on time: such lists cannot be recorded.
  if (choice_.method.tree || !this->terms_recordable()) return carry_out(list);
  const auto before = state_;
  const auto* recording = recordings_.of({list, before}, [&](cuda::Recording& r) {
    const bool recorded = r.record(devices_, [this, list, before] {
      state_ = before;
      carry_out(list);
    });
    state_ = before;
    return recorded;
  });
  if (recording == nullptr) return carry_out(list);
  recording->replay(devices_);
  state_ = before.after(list);
}

template <class P>
void MultiGpuEngine<P>::run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) {
  // Positions that another GPU may still read must not be overwritten.
  receive();
  fused_->run(owned(), program, steps_.forces_current, steps, choice_.method.step_shape);
  devices_.signal();
  state_ = {.now = 1 - state_.now, .on_their_way = true};
}

template <class P>
void MultiGpuEngine<P>::started(std::uint64_t steps) {
  const cuda::OnDevice first(0);
  backlog_->add(steps, devices_.stream(0));
}

template <class P>
EngineDescription MultiGpuEngine<P>::describe() const {
  auto why = this->why();
  if (!why_not_direct_.empty()) why += fmt::format("; {}: {}", name_of(exchange_), why_not_direct_);
  const bool apart = particles_apart(choice_.method);
  std::size_t bytes = solver_->bytes() + this->bytes_of_low();
  for (const auto& s : shares_)
    bytes += 2 * n_ * sizeof(Mass<Real>) + (2 * s.count + s.potentials.size()) * sizeof(Vec4<Real>);
  if (fused_) bytes += shares_.size() * fused_->bytes_per_device();
  return {.device = fmt::format("{} x {}", devices_.size(), cuda::name_of_device(0)),
          .method = this->method(),
          .precision = std::string(name_of(precision_)),
          .why = why,
          .threads = 1,
          .gpus = devices_.size(),
          .bytes = bytes,
          .interactions_per_evaluation = double(n_) * double(apart ? massive_.size() : n_),
          .test_particles = apart ? n_ - massive_.size() : 0};
}

template class MultiGpuEngine<F32>;
template class MultiGpuEngine<F64>;
template class MultiGpuEngine<Mixed>;

}  // namespace pleiad
