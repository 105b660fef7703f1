#include "engine/device_added_forces.hpp"

#include "added_forces/medium.hpp"
#include "cuda/sample.hpp"
#include "cuda/state.hpp"
#include "engine/implicit_kick.hpp"
#include "potentials/at_time.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pleiad {

DeviceAddedForces::DeviceAddedForces(const Gravity& gravity)
    : law_(gravity),
      forces_(gravity),
      turns_(counts_work(gravity) ? balanced_pattern_speed_of(gravity) : std::nullopt) {}

std::vector<cuda::ForceAtTime> DeviceAddedForces::at(Which which, double time, void* stream,
                                                     bool only_conserved) {
  std::vector<cuda::ForceAtTime> found;
  for (std::size_t k = 0; k < law_.forces.size(); ++k) {
    const auto& force = law_.forces[k];
    const auto& kind = kind_of(force);
    if (which != Which::all && kind.of_velocities != (which == Which::of_velocities)) continue;
    if (only_conserved && !kind.keeps_energy) continue;
    cuda::ForceAtTime now{.kind = force.kind, .on = force.on, .reacts = kind.reacts};
    if (const auto source = forces_.number_of_source(k)) now.source = *source;
    std::ranges::copy(force.parameters, now.parameters);
    if (const auto medium = added::medium_of(force)) {
      now.in_medium = true;
      now.medium = tables_.instants(law_.potentials, time, stream)[*medium];
      now.medium_velocity = potentials::velocity_of_centre(law_.potentials[*medium], time);
    }
    found.push_back(now);
  }
  return found;
}

template <class Real>
cuda::Buffer<Vec4<double>> DeviceAddedForces::wide_velocities(const AddedOnDevice<Real>& b) const {
  if (b.velocities == nullptr) return {};
  cuda::Buffer<Vec4<double>> wide(b.all.size(), b.stream);
  cuda::pick(b.velocities, nullptr, b.all.size(), wide.data(), b.stream);
  return wide;
}

template <class Real>
void DeviceAddedForces::add_to_sums(Which which, const AddedOnDevice<Real>& b, bool energies,
                                    Vec4<Real>* sums) {
  if (!any(which) || b.count == 0) return;
  const auto velocities = which == Which::of_positions ? cuda::Buffer<Vec4<double>>() : wide_velocities(b);
  cuda::Buffer<Vec4<double>> effects(b.count, b.stream);
  cuda::added_effects<Real>(
      at(which, b.time, b.stream), law_.G,
      {.all = b.all, .first = b.first, .count = b.count, .velocities = velocities.data(), .stream = b.stream},
      effects.data());
  cuda::add_effects(std::as_const(effects).data(), law_.G, energies, sums, b.count, b.stream);
}

template <class Real>
double DeviceAddedForces::energy(const AddedOnDevice<Real>& b) {
  const auto velocities = wide_velocities(b);
  return cuda::added_energy<Real>(
      at(Which::all, b.time, b.stream, true), law_.G,
      {.all = b.all, .count = b.all.size(), .velocities = velocities.data(), .stream = b.stream});
}

template <class Real>
double DeviceAddedForces::kick(int stages, double time, const AddedOnDevice<Real>& b,
                               const Vec4<Real>* sums) {
  const std::size_t n = b.count;
  if (n == 0 || time == 0) return 0;
  const auto& table = gauss_table(stages);
  const auto forces = at(Which::of_velocities, b.time, b.stream);
  const auto make_room = [&](auto& buffer) {
    if (buffer.size() != n) buffer = cuda::Buffer<Vec4<double>>(n, b.stream);
  };
  make_room(stage_);
  for (int i = 0; i < stages; ++i) make_room(f_[i]), make_room(next_[i]), f_[i].set_bytes(0);
  const auto row_of = [&](double whole, const std::array<double, 4>& weights) {
    cuda::StageRow row{.time = time, .whole = whole, .stages = stages};
    for (int j = 0; j < stages; ++j) row.weights[j] = weights[j], row.f[j] = f_[j].data();
    return row;
  };
  const Vec4<Real>* const v = b.velocities;
  iterate_until_settled(time, [&] {
    double largest = 0;
    for (int i = 0; i < stages; ++i) {
      cuda::stage_velocities(v, sums, law_.G, row_of(table.c[i], table.a[i]), n, stage_.data(), b.stream);
      cuda::added_effects<Real>(
          forces, law_.G,
          {.all = b.all, .first = b.first, .count = n, .velocities = stage_.data(), .stream = b.stream},
          next_[i].data());
      cuda::relative_changes(v, sums, law_.G, time, f_[i].data(), next_[i].data(), n, stage_.data(),
                             b.stream);
      largest = std::max(largest, cuda::largest_pull_squared(std::as_const(stage_).data(), n, b.stream));
    }
    for (int i = 0; i < stages; ++i) std::swap(f_[i], next_[i]);
    return std::sqrt(largest);
  });
  double work = 0;
  for (int i = 0; turns_ && i < stages; ++i) {
    cuda::stage_velocities(v, sums, law_.G, row_of(table.c[i], table.a[i]), n, stage_.data(), b.stream);
    work += time * table.b[i] *
            cuda::power_of<Real>(b.all, std::as_const(stage_).data(), std::as_const(f_[i]).data(), *turns_,
                                 b.stream);
  }
  cuda::change_velocities(b.velocities, sums, law_.G, row_of(1, table.b), n, b.stream);
  return work;
}

#define PLEIAD_ADDED(Real)                                                                            \
  template void DeviceAddedForces::add_to_sums(Which, const AddedOnDevice<Real>&, bool, Vec4<Real>*); \
  template double DeviceAddedForces::energy(const AddedOnDevice<Real>&);                              \
  template double DeviceAddedForces::kick(int, double, const AddedOnDevice<Real>&, const Vec4<Real>*);
PLEIAD_ADDED(float)
PLEIAD_ADDED(double)
#undef PLEIAD_ADDED

}  // namespace pleiad
