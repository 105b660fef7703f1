#include "engine/device_particle_steps.hpp"

#include "cuda/external_field.hpp"
#include "cuda/state.hpp"
#include "cuda/test_particles.hpp"
#include "potentials/hill_drift.hpp"

#include <algorithm>
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
  if (!massive.empty()) solver_ = make_device_solver<P>(method, stream);
  cuda::wait(stream);  // `massive` is read until then
}

template <class P>
void DeviceParticleSteps<P>::make_room(std::size_t evaluations) {
  if (trail_.evaluations >= evaluations) return;
  const std::size_t massive = massive_.size();
  recordings_.clear();
  memory_ = {};
  memory_ = cuda::Buffer<std::byte>(evaluations * massive * cuda::Trail<P>::bytes, stream_);
  trail_ = {.memory = memory_.data(), .massive = massive, .evaluations = evaluations};
}

template <class P>
void DeviceParticleSteps<P>::carry_out(const List& list, std::span<const double> times) {
  std::size_t evaluation = 0;
  for (const auto& work : list) {
    if (!work.evaluates) {
      cuda::apply(work.update, gravity_.boundary, x_.data(), v_.data(), std::as_const(sums_).data(),
                  x_.size(), stream_);
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
                       .stream = stream_});
    if (!potentials_.empty())
      cuda::add_external_field<Real>(tables_.instants(potentials_, times[evaluation], stream_), gravity_.G,
                                     std::as_const(x_).data(), sums_.data(), x_.size(), stream_);
    cuda::keep_places<P>(std::as_const(x_).span(), trail_, evaluation++, stream_);
  }
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
void DeviceParticleSteps<P>::advance(const Arrays& all, double heaviest, const StepPlan& plan,
                                     const StepProgram<Real>& program, std::uint64_t first,
                                     std::uint64_t steps) {
  const auto carried = carried_steps<Real>(plan, gravity_.G, all.forces_current, first, steps);
  make_room(carried.times.size());

  const auto numbers = std::as_const(massive_).span();
  if (!numbers.empty()) {
    if (heaviest != heaviest_) recordings_.clear();
    heaviest_ = heaviest;
    cuda::gather<Mass<Real>>(all.bodies.data(), numbers, x_.data(), stream_);
    cuda::gather<Vec4<Real>>(all.velocities.data(), numbers, v_.data(), stream_);
    cuda::gather<Vec4<Real>>(all.sums.data(), numbers, sums_.data(), stream_);
    const cuda::Graph* recording = nullptr;
    if (!changing_)
      recording = recordings_.of(carried.work, [&](cuda::Graph& graph) {
        return graph.record(stream_, [&] { carry_out(carried.work, carried.times); });
      });
    if (recording != nullptr) recording->replay(stream_);
    else carry_out(carried.work, carried.times);
  }
  cuda::particle_steps<P>({.bodies = all.bodies,
                           .velocities = all.velocities,
                           .sums = all.sums,
                           .forces_current = all.forces_current,
                           .trail = trail_,
                           .field = field_at(carried.times),
                           .softening = gravity_.softening,
                           .heaviest = heaviest,
                           .program = program,
                           .steps = steps,
                           .stream = stream_});
  if (numbers.empty()) return;
  cuda::scatter<Mass<Real>>(x_.data(), numbers, all.bodies.data(), stream_);
  cuda::scatter<Vec4<Real>>(v_.data(), numbers, all.velocities.data(), stream_);
  cuda::scatter<Vec4<Real>>(sums_.data(), numbers, all.sums.data(), stream_);
}

template <class P>
std::size_t DeviceParticleSteps<P>::bytes() const {
  return memory_.size() + massive_.size() * (sizeof(std::size_t) + 3 * sizeof(Vec4<Real>));
}

template class DeviceParticleSteps<F32>;
template class DeviceParticleSteps<F64>;
template class DeviceParticleSteps<Mixed>;

}  // namespace pleiad
