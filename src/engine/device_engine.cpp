#include "engine/device_engine.hpp"

#include "core/totals.hpp"
#include "cuda/device/device.hpp"
#include "cuda/radii.hpp"
#include "engine/arrays.hpp"
#include "engine/device_kernels.hpp"
#include "engine/device_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
std::size_t device_engine_bytes(std::size_t n, Precision precision, bool tree, std::size_t gpus) {
  const std::size_t real = precision == Precision::f32 ? 4 : 8;
  // Positions, velocities, sums; sums with potentials; the copies of three of these. Among several GPUs
  // positions twice, and of the others a part.
  const std::size_t state = 4 * real * (tree && gpus > 1 ? 2 + (6 + gpus - 1) / gpus : 3 + 1 + 3);
  // Exact sums of symmetric pairs and the bodies in their frame: at most 30 words and 10 doubles. Twice,
  // since a graph keeps memory of its own; and 4 words for the potentials of a diagnostic.
  // A tree: keys twice, numbers twice, the bodies in its order, and 64 for cells and lists.
  const std::size_t evaluation = tree ? 3 * 8 + 2 * 4 + 4 * real + 64 : (2 * (30 + 10) + 4) * 8;
  // Partial sums of sources that are split over blocks are bounded.
  const std::size_t splits = tree ? 0 : std::min(std::size_t{256} << 20, n * 32 * 4 * real);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, state + evaluation, &bytes))
    throw ResourceError(
        fmt::format("{} bodies of {} bytes each exceed any device's memory", n, state + evaluation));
  return bytes + splits;
}

template <class P>
DeviceEngine<P>::DeviceEngine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                              Precision precision)
    : SteppedEngine<P>(gravity, std::move(choice), precision), backlog_(this->most_steps) {
  const std::size_t needed = device_engine_bytes(bodies.size(), precision, choice_.method.tree.has_value()),
                    free = cuda::device_memory().first;
  if (needed > free)
    throw ResourceError(fmt::format("{} bodies need {:.3g} GiB on the GPU, {:.3g} GiB are free there",
                                    bodies.size(), double(needed) / 0x1p30, double(free) / 0x1p30));
  if (choice_.method.tree) tree_ = cuda::tree::make_forces<P>(*choice_.method.tree, stream_.get());
  DeviceEngine::load(bodies);
}

template <class P>
void DeviceEngine<P>::load(const Bodies& b) {
  n_ = b.size();
  recordings_.clear();
  steps_ = {}, copy_ = {};
  x_ = {}, v_ = {}, sums_ = {};
  forget_diagnostics();
  std::vector<Mass<Real>> x(n_);
  std::vector<Vec4<Real>> v(n_);
  to_arrays<Real>(b, x, v);
  x_ = cuda::Buffer<Mass<Real>>(std::span<const Mass<Real>>(x), stream_.get());
  v_ = cuda::Buffer<Vec4<Real>>(std::span<const Vec4<Real>>(v), stream_.get());
  sums_ = cuda::Buffer<Vec4<Real>>(n_, stream_.get());
  cuda::wrap(gravity_.boundary, x_.data(), n_, stream_.get());
  // Here, not at some later call: the bodies are there, and what failed so far is said.
  cuda::wait(stream_.get());
}

template <class P>
void DeviceEngine<P>::evaluate(const DirectKernel& kernel, const LaunchShape& shape,
                               cuda::Buffer<Vec4<Real>>& sums, bool potential) {
  const PairProblem<P> problem{.targets = x_.span(),
                               .sources = x_.span(),
                               .sums = sums.span(),
                               .softening = gravity_.softening,
                               .boundary = gravity_.boundary,
                               .self = 0,
                               .potential = potential,
                               .stream = stream_.get()};
  kernel.template run<P>()(problem, shape);
}

template <class P>
void DeviceEngine<P>::evaluate_forces() {
  if (tree_) tree_->evaluate(x_.span(), sums_.span(), gravity_.softening, false);
  else evaluate(*choice_.method.kernel, choice_.method.shape, sums_, false);
}

template <class P>
void DeviceEngine<P>::run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) {
  choice_.method.steps->template run<P>()({.bodies = x_.span(),
                                           .velocities = v_.span(),
                                           .sums = sums_.span(),
                                           .forces_current = steps_.forces_current,
                                           .softening = gravity_.softening,
                                           .boundary = gravity_.boundary,
                                           .program = program,
                                           .steps = steps,
                                           .stream = stream_.get()},
                                          choice_.method.step_shape);
}

template <class P>
void DeviceEngine<P>::carry_out(const List& list) {
  for (const auto& work : list) {
    if (work.evaluates) evaluate_forces();
    else cuda::apply(work.update, gravity_.boundary, x_.data(), v_.data(), sums_.data(), n_, stream_.get());
  }
}

template <class P>
void DeviceEngine<P>::carry_out_again(const List& list) {
  // A tree asks for numbers between its kernels.
  if (tree_) return carry_out(list);
  const auto* recording = recordings_.of(list, [&](cuda::Graph& graph) {
    return graph.record(stream_.get(), [this, list] { carry_out(list); });
  });
  if (recording != nullptr) recording->replay(stream_.get());
  else carry_out(list);
}

template <class P>
void DeviceEngine<P>::forget_diagnostics() {
  diagnostic_sums_ = {}, diagnostic_sums_current_ = false;
}

template <class P>
void DeviceEngine<P>::copy_to_host(Bodies& b) {
  std::vector<Mass<Real>> x(n_);
  std::vector<Vec4<Real>> v(n_);
  x_.copy_to_host(x);
  v_.copy_to_host(v);
  to_bodies<Real>(x, v, b);
}

template <class P>
const cuda::Buffer<Vec4<typename P::Position>>& DeviceEngine<P>::potential_sums() {
  if (std::exchange(diagnostic_sums_current_, true)) return diagnostic_sums_;
  diagnostic_sums_ = cuda::Buffer<Vec4<Real>>(n_, stream_.get());
  if (tree_) tree_->evaluate(x_.span(), diagnostic_sums_.span(), gravity_.softening, true);
  else
    evaluate(with_potential(*choice_.method.kernel), {}, diagnostic_sums_,
             true);  // not all shapes can sum potentials
  ++evaluations_;
  return diagnostic_sums_;
}

template <class P>
void DeviceEngine<P>::fields(Snapshot& s) {
  std::vector<Vec4<Real>> sums(n_);
  potential_sums().copy_to_host(sums);
  to_fields<Real>(sums, gravity_.G, s);
}

template <class P>
Totals DeviceEngine<P>::totals() {
  const auto& sums = potential_sums();
  return totals_of(
      cuda::totals(std::as_const(x_).data(), std::as_const(v_).data(), sums.data(), n_, stream_.get()),
      gravity_.G);
}

template <class P>
Radii DeviceEngine<P>::radii() {
  return cuda::radii(std::as_const(x_).data(), n_, stream_.get());
}

template <class P>
SampledAccelerations DeviceEngine<P>::sampled_accelerations(std::span<const std::size_t> chosen) {
  this->need_forces();
  const auto picked = [&](const cuda::Buffer<Vec4<Real>>& sums) {
    return picked_on_gpu<Real>(sums.span(), gravity_.G, chosen, stream_.get());
  };
  SampledAccelerations accelerations{.found = picked(std::as_const(sums_))};
  if (!tree_) accelerations.diagnostic = picked(potential_sums());
  accelerations.exact = exact_on_gpu<Real>(std::as_const(x_).span(), gravity_, chosen, stream_.get());
  return accelerations;
}

template <class P>
std::function<void(Snapshot&)> DeviceEngine<P>::begin_copy(bool fields) {
  if (!copy_ || !copy_->free()) copy_ = std::make_shared<DeviceCopy<Real>>(n_);
  const Vec4<Real>* sums = fields ? potential_sums().data() : nullptr;
  copy_->begin(x_.data(), v_.data(), sums, stream_.get());
  return [copy = copy_, G = gravity_.G](Snapshot& snapshot) {
    copy->finish([&](auto x, auto v, auto accelerations) {
      to_bodies<Real>(x, v, snapshot.bodies);
      to_fields<Real>(accelerations, G, snapshot);
    });
  };
}

template <class P>
double DeviceEngine<P>::suggest_dt(const Integrator& integrator, double eta) {
  this->need_no_jerks(integrator);
  this->asked_ = true;
  this->need_forces();
  const double largest =
      std::sqrt(cuda::largest_pull_squared(std::as_const(sums_).data(), n_, stream_.get()));
  return eta * std::sqrt(gravity_.softening.eps / (gravity_.G * largest));
}

template <class P>
std::function<splat::Layers()> DeviceEngine<P>::begin_layers(const splat::Request& request) {
  return cuda::begin_layers(std::as_const(x_).data(), n_, request, staging_, stream_.get());
}

template <class P>
bool DeviceEngine<P>::finite() {
  return cuda::all_finite(std::as_const(x_).data(), std::as_const(v_).data(), n_, stream_.get());
}

template <class P>
void DeviceEngine<P>::reverse_velocities() {
  cuda::reverse(v_.data(), n_, stream_.get());
}

template <class P>
EngineDescription DeviceEngine<P>::describe() const {
  const auto* diagnostic_sums = tree_ ? nullptr : &with_potential(*choice_.method.kernel);
  return {.device = cuda::device_facts().name,
          .method = choice_.method,
          .precision = std::string(name_of(precision_)),
          .why = choice_.why + (diagnostic_sums == choice_.method.kernel
                                    ? ""
                                    : fmt::format("; potentials by {}", diagnostic_sums->name)),
          .threads = 1,
          .gpus = 1,
          .bytes = device_engine_bytes(n_, precision_, tree_ != nullptr) + (tree_ ? tree_->bytes() : 0),
          .interactions_per_evaluation = double(n_) * double(n_)};
}

template <class P>
void DeviceEngine<P>::retune(const ForceMethod& method) {
  if (!tree_ || !method.tree || method.tree->device != Device::cuda) Engine::retune(method);
  need_able(method, n_, precision_, gravity_);
  tree_ = cuda::tree::make_forces<P>(*method.tree, stream_.get());
  this->go_on_by(method);
}

template class DeviceEngine<F32>;
template class DeviceEngine<F64>;
template class DeviceEngine<Mixed>;

}  // namespace pleiad
