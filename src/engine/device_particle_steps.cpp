#include "engine/device_particle_steps.hpp"

#include "cuda/external_field.hpp"
#include "cuda/state.hpp"
#include "cuda/test_particles.hpp"
#include "potentials/hill_drift.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace pleiad {

template <class P>
DeviceParticleSteps<P>::DeviceParticleSteps(const ForceMethod& method, std::span<const std::size_t> massive,
                                            const Gravity& gravity, void* stream)
    : gravity_(gravity),
      potentials_(potentials::kicking(gravity.potentials)),
      changing_(!std::ranges::all_of(potentials_, is_static)),
      stream_(stream),
      massive_(massive, stream),
      x_(massive.size(), stream),
      v_(massive.size(), stream),
      sums_(massive.size(), stream) {
  if (!massive.empty()) solver_ = make_device_solver<P>(method, of_massive_.get());
  cuda::wait(stream);  // `massive` is read until then
}

template <class P>
DeviceParticleSteps<P>::~DeviceParticleSteps() {
  // Memory is released in the order of one stream, and the other one may still use it.
  try {
    cuda::wait(of_massive_.get());
  } catch (const std::exception&) {  // of work whose failure is reported where it is waited for
  }
}

template <class P>
void DeviceParticleSteps<P>::make_room(std::size_t evaluations) {
  if (kept_[0].trail.evaluations >= evaluations) return;
  const std::size_t massive = massive_.size();
  recordings_.clear();
  cuda::wait(of_massive_.get());
  for (auto& kept : kept_) {
    kept.memory = {};
    kept.memory = cuda::Buffer<std::byte>(evaluations * massive * cuda::Trail<P>::bytes, stream_);
    kept.trail = {.memory = kept.memory.data(), .massive = massive, .evaluations = evaluations};
  }
  cuda::wait(stream_);  // from here on both streams may use it
}

template <class P>
void DeviceParticleSteps<P>::carry_out(const CarriedSteps<Real>& steps, const Kept& kept) {
  std::size_t evaluation = 0;
  auto* const stream = of_massive_.get();
  for (const auto& work : steps.work) {
    if (!work.evaluates) {
      cuda::apply(work.update, gravity_.boundary, x_.data(), v_.data(), std::as_const(sums_).data(),
                  x_.size(), stream);
      continue;
    }
    solver_->evaluate({.targets = x_.span(),
                       .sources = x_.span(),
                       .sums = sums_.span(),
                       .softening = gravity_.softening,
                       .heaviest = heaviest_,
                       .boundary = gravity_.boundary,
                       .self = 0,
                       .potential = false,
                       .stream = stream});
    if (!potentials_.empty())
      cuda::add_external_field<Real>(
          tables_of_massive_.instants(potentials_, steps.times[evaluation], stream), gravity_.G,
          std::as_const(x_).data(), sums_.data(), x_.size(), stream);
    cuda::keep_places<P>(std::as_const(x_).span(), kept.trail, evaluation++, stream);
  }
}

template <class P>
void DeviceParticleSteps<P>::move_massive(const CarriedSteps<Real>& steps, Kept& kept) {
  auto* const stream = of_massive_.get();
  kept.read.hold(stream);
  const cuda::Graph* recording = nullptr;
  if (!changing_)
    recording = recordings_.of({steps.work, &kept}, [&](cuda::Graph& graph) {
      return graph.record(stream, [&] { carry_out(steps, kept); });
    });
  if (recording != nullptr) recording->replay(stream);
  else carry_out(steps, kept);
  kept.written.set(stream);
  kept.written.hold(stream_);
}

template <class P>
cuda::FieldOfSteps DeviceParticleSteps<P>::field_at(std::span<const double> times) {
  if (potentials_.empty()) return {.G = gravity_.G};
  if (changing_ || instants_.size() == 0) {
    host_instants_.clear();
    for (const double time : changing_ ? times : times.first(std::min<std::size_t>(1, times.size()))) {
      const auto now = tables_.instants(potentials_, time, stream_);
      host_instants_.insert(host_instants_.end(), now.begin(), now.end());
    }
    if (instants_.size() < host_instants_.size())
      instants_ = cuda::Buffer<potentials::Instant<double>>(host_instants_.size(), stream_);
    cuda::copy_to_device(instants_.data(), host_instants_.data(),
                         host_instants_.size() * sizeof(host_instants_[0]), stream_);
  }
  return {.potentials = instants_.data(),
          .count = int(potentials_.size()),
          .changes = changing_,
          .G = gravity_.G};
}

template <class P>
void DeviceParticleSteps<P>::advance(const Arrays& all, bool forces_current, double heaviest,
                                     const StepPlan& plan, const StepProgram<Real>& program,
                                     std::uint64_t steps, const Started& started) {
  const auto numbers = std::as_const(massive_).span();
  const bool any_massive = !numbers.empty();
  if (any_massive) {
    if (heaviest != heaviest_) recordings_.clear();
    heaviest_ = heaviest;
    cuda::gather<Mass<Real>>(all.bodies.data(), numbers, x_.data(), stream_);
    cuda::gather<Vec4<Real>>(all.velocities.data(), numbers, v_.data(), stream_);
    cuda::gather<Vec4<Real>>(all.sums.data(), numbers, sums_.data(), stream_);
    make_room(program.stages * most_carried_steps + 1);  // at most
    begun_.set(stream_), begun_.hold(of_massive_.get());
  }
  // The first steps of the bodies with mass are awaited, so there are few.
  std::uint64_t made = 0, most = any_massive ? most_carried_steps / 4 : most_carried_steps;
  for (std::size_t turn = 0; made < steps; ++turn) {
    const auto now = std::min(steps - made, most);
    most = std::min(2 * most, most_carried_steps);
    const auto carried = carried_steps<Real>(plan, gravity_.G, forces_current, made, now);
    auto& kept = kept_[turn % 2];
    if (any_massive) {
      move_massive(carried, kept);
    }
    cuda::particle_steps<P>({.bodies = all.bodies,
                             .velocities = all.velocities,
                             .sums = all.sums,
                             .forces_current = forces_current,
                             .trail = kept.trail,
                             .field = field_at(carried.times),
                             .softening = gravity_.softening,
                             .heaviest = heaviest,
                             .program = program,
                             .steps = now,
                             .leaves_room = any_massive,
                             .stream = stream_});
    if (any_massive) kept.read.set(stream_);
    forces_current = started(program, now);
    made += now;
  }
  if (!any_massive) return;
  cuda::scatter<Mass<Real>>(x_.data(), numbers, all.bodies.data(), stream_);
  cuda::scatter<Vec4<Real>>(v_.data(), numbers, all.velocities.data(), stream_);
  cuda::scatter<Vec4<Real>>(sums_.data(), numbers, all.sums.data(), stream_);
}

template <class P>
std::size_t DeviceParticleSteps<P>::bytes() const {
  return kept_[0].memory.size() + kept_[1].memory.size() +
         massive_.size() * (sizeof(std::size_t) + 3 * sizeof(Vec4<Real>));
}

template class DeviceParticleSteps<F32>;
template class DeviceParticleSteps<F64>;
template class DeviceParticleSteps<Mixed>;

}  // namespace pleiad
