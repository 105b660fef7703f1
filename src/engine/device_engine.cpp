#include "engine/device_engine.hpp"

#include "cuda/device/device.hpp"
#include "engine/device_kernels.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace pleiad {

template <class P>
DeviceEngine<P>::DeviceEngine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                              Precision precision)
    : gravity_(gravity), choice_(std::move(choice)), precision_(precision) {
  DeviceEngine::load(bodies);
}

template <class P>
void DeviceEngine<P>::load(const Bodies& b) {
  n_ = b.size();
  x_ = {}, v_ = {}, sums_ = {};
  std::vector<Mass<Real>> x(n_);
  std::vector<Vec4<Real>> v(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    x[i] = {Real(b.x[i]), Real(b.y[i]), Real(b.z[i]), Real(b.mass[i])};
    v[i] = {Real(b.vx[i]), Real(b.vy[i]), Real(b.vz[i]), Real(0)};
  }
  x_ = cuda::Buffer<Mass<Real>>(std::span<const Mass<Real>>(x), stream_.get());
  v_ = cuda::Buffer<Vec4<Real>>(std::span<const Vec4<Real>>(v), stream_.get());
  sums_ = cuda::Buffer<Vec4<Real>>(n_, stream_.get());
  cuda::wrap(gravity_.boundary, x_.data(), n_, stream_.get());
  fresh_ = false;
  pending_ = {};
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
  ++evaluations_;
}

template <class P>
void DeviceEngine<P>::need_forces() {
  if (fresh_) return;
  evaluate(*choice_.kernel, choice_.shape, sums_, false);
  fresh_ = true;
}

template <class P>
void DeviceEngine<P>::kick(Real h) {
  need_forces();
  if (pending_.kicks == 2 || pending_.damps) apply_pending();
  pending_.kick[pending_.kicks++] = h;
}

template <class P>
void DeviceEngine<P>::damp(Real factor) {
  if (pending_.damps) apply_pending();
  pending_.damps = true;
  pending_.damping = factor;
}

template <class P>
void DeviceEngine<P>::drift(Real h) {
  pending_.drifts = true;
  pending_.drift = h;
  apply_pending();
  fresh_ = false;
}

template <class P>
void DeviceEngine<P>::apply_pending() {
  if (pending_.kicks > 0 || pending_.damps || pending_.drifts)
    cuda::apply(pending_, gravity_.boundary, x_.data(), v_.data(), sums_.data(), n_, stream_.get());
  pending_ = {};
}

template <class P>
void DeviceEngine<P>::step(const StepPlan& plan) {
  const auto& [kicks, drifts] = plan.integrator->splitting;
  for (std::size_t s = 0; s < kicks.size(); ++s) {
    if (kicks[s] != 0) kick(Real(kicks[s] * gravity_.G * plan.dt));
    if (plan.damping != 1) damp(Real(plan.damping));
    if (s < drifts.size()) drift(Real(drifts[s] * plan.dt));
  }
}

template <class P>
void DeviceEngine<P>::advance(const StepPlan& plan, std::uint64_t steps) {
  need_no_jerk(*plan.integrator);
  for (; steps > 0; --steps) step(plan);
  apply_pending();
  cuda::wait(stream_.get());
}

template <class P>
void DeviceEngine<P>::copy_to_host(Bodies& b) {
  std::vector<Mass<Real>> x(n_);
  std::vector<Vec4<Real>> v(n_);
  x_.copy_to_host(x);
  v_.copy_to_host(v);
  for (std::size_t i = 0; i < n_; ++i) {
    b.x[i] = double(x[i].x), b.y[i] = double(x[i].y), b.z[i] = double(x[i].z);
    b.vx[i] = double(v[i].x), b.vy[i] = double(v[i].y), b.vz[i] = double(v[i].z);
  }
}

template <class P>
cuda::Buffer<Vec4<typename P::Position>> DeviceEngine<P>::potential_sums() {
  cuda::Buffer<Vec4<Real>> sums(n_, stream_.get());
  const auto& kernel = with_potential(*choice_.kernel);
  evaluate(kernel, {}, sums, true);  // not all shapes of the run's kernel can sum potentials
  return sums;
}

template <class P>
void DeviceEngine<P>::fields(Snapshot& s) {
  std::vector<Vec4<Real>> sums(n_);
  potential_sums().copy_to_host(sums);
  s.ax.resize(n_), s.ay.resize(n_), s.az.resize(n_), s.potential.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    s.ax[i] = gravity_.G * double(sums[i].x), s.ay[i] = gravity_.G * double(sums[i].y),
    s.az[i] = gravity_.G * double(sums[i].z);
    s.potential[i] = gravity_.G * double(sums[i].w);
  }
}

template <class P>
Energies DeviceEngine<P>::energies() {
  const auto sums = potential_sums();
  return {cuda::kinetic_energy(std::as_const(x_).data(), std::as_const(v_).data(), n_, stream_.get()),
          gravity_.G * cuda::potential_energy(std::as_const(x_).data(), sums.data(), n_, stream_.get())};
}

template <class P>
double DeviceEngine<P>::suggest_dt(const Integrator& integrator, double eta) {
  need_no_jerk(integrator);
  need_forces();
  const double largest =
      std::sqrt(cuda::largest_pull_squared(std::as_const(sums_).data(), n_, stream_.get()));
  return eta * std::sqrt(gravity_.softening.eps / (gravity_.G * largest));
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
  return {.device = cuda::device_facts().name,
          .kernel = text_of(choice_),
          .precision = std::string(name_of(precision_)),
          .why = choice_.why,
          .threads = 1,
          .bytes = n_ * (sizeof(Mass<Real>) + 2 * sizeof(Vec4<Real>)),
          .interactions_per_evaluation = double(n_) * double(n_)};
}

template class DeviceEngine<F32>;
template class DeviceEngine<F64>;
template class DeviceEngine<Mixed>;

}  // namespace pleiad
