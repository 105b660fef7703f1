#include "engine/gpu_engine.hpp"

#include "core/by_distance.hpp"
#include "core/heaviest.hpp"
#include "core/totals.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/external_field.hpp"
#include "cuda/field_tables.hpp"
#include "cuda/lattice.hpp"
#include "cuda/radii.hpp"
#include "cuda/softened_sums.hpp"
#include "cuda/state.hpp"
#include "engine/arrays.hpp"
#include "engine/device_kernels.hpp"
#include "engine/device_sample.hpp"
#include "engine/device_softened.hpp"
#include "engine/implicit_kick.hpp"
#include "engine/places.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/rounding.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

std::size_t device_engine_bytes(std::size_t n, Precision precision, bool tree, std::size_t gpus) {
  const std::size_t real = precision == Precision::f32 ? 4 : 8;
  // Positions, velocities, sums; sums with potentials. Among several GPUs positions twice, and of the others
  // a part. Copies on their way to the host are set aside where there is room.
  const std::size_t state = 4 * real * (tree && gpus > 1 ? 2 + (3 + gpus - 1) / gpus : 3 + 1);
  // Exact sums of symmetric pairs and the bodies in their frame: at most 30 words and 10 doubles. Twice,
  // since a graph keeps memory of its own; and 4 words for the potentials of a diagnostic. A tree: the bodies
  // in its order, their numbers, and 48 for cells and lists, which share memory with the sort if there is
  // little.
  const std::size_t evaluation = tree ? 4 * real + 4 + 48 : (2 * (30 + 10) + 4) * 8;
  // Partial sums of sources that are split over blocks are bounded.
  const std::size_t splits = tree ? 0 : std::min(std::size_t{256} << 20, n * 32 * 4 * real);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, state + evaluation, &bytes))
    throw ResourceError(
        fmt::format("{} bodies of {} bytes each exceed any device's memory", n, state + evaluation));
  return bytes + splits;
}

template <class P>
std::vector<typename GpuEngine<P>::Part> GpuEngine<P>::parts_with_potentials() {
  if (!std::exchange(potentials_current_, true)) {
    evaluate_potentials();
    ++evaluations_;
  }
  return parts();
}

/// Updates read no potentials.
template <class P>
void GpuEngine<P>::evaluate_with_potentials() {
  evaluate_potentials();
  potentials_current_ = true;
  for (const auto& p : parts()) {
    const cuda::OnDevice here(p.device);
    cuda::copy_on_device(p.sums, p.potentials, p.count * sizeof(*p.sums), p.stream);
  }
}

template <class P>
void GpuEngine<P>::add_terms() {
  each_part([&](const Part& p) {
    for (auto& term : this->terms_)
      term->add({.time = this->now_,
                 .G = gravity_.G,
                 .bodies = {p.positions, p.count},
                 .sums = {p.sums, p.count},
                 .stream = p.stream,
                 .all = p.all,
                 .first = p.number});
  });
}

template <class P>
void GpuEngine<P>::advance(const StepPlan& plan, std::uint64_t steps) {
  if (added_ && !plan.factors->constant())
    throw UsageError("gravity.forces act on bodies in static space only");
  stages_ = ImplicitKick::stages_for(plan.integrator->order);
  take_lattice(plan.lattice);
  SteppedEngine<P>::advance(plan, steps);
  if (lattice_.chosen()) this->need_within_lattice(all_.max(left_lattice() ? 1 : 0) > 0);
}

template <class P>
void GpuEngine<P>::take_lattice(const LatticeUnits& units) {
  if (units == lattice_ && has_low_ == units.chosen()) return;
  if (std::is_same_v<Real, float> && units.chosen())
    throw UsageError("a lattice needs a state in double precision; use precision mixed or f64");
  lattice_ = units;
  forget_recordings();
  make_low(units.chosen());
}

template <class P>
void GpuEngine<P>::make_low(bool wanted) {
  const auto all = parts();
  const auto size = [](const Low& low) { return low.parts.size(); };
  if (wanted == has_low_ && (!wanted || std::ranges::equal(all, low_, {}, &Part::count, size))) return;
  forget_recordings();
  low_.clear(), copies_.clear();
  has_low_ = wanted;
  if (choice_.method.steps != nullptr) steps_.forces_current = false;  // now others make the steps
  if (!wanted) return;
  for (const auto& p : all) {
    const cuda::OnDevice here(p.device);
    auto& low = low_.emplace_back(cuda::Buffer<std::array<double, 6>>(p.count, p.stream),
                                  cuda::Buffer<int>(1, p.stream));
    low.parts.set_bytes(0), low.left.set_bytes(0);
  }
}

template <class P>
void GpuEngine<P>::load_low(const Bodies& b) {
  const bool there = std::is_same_v<Real, double> && !b.low.empty() && b.low.size() == size();
  make_low(there);
  if (there) put_low(b.low);
}

template <class P>
void GpuEngine<P>::put_low(std::span<const std::array<double, 6>> low) {
  const auto all = parts();
  for (std::size_t k = 0; k < low_.size(); ++k) {
    const auto& p = all[k];
    const cuda::OnDevice here(p.device);
    low_[k].parts.copy_from_host(low.subspan(p.first, p.count));
    cuda::wait(p.stream);
  }
}

template <class P>
std::vector<std::array<double, 6>> GpuEngine<P>::low_parts() {
  std::vector<std::array<double, 6>> low(has_low_ ? size() : 0);
  const auto all = parts();
  for (std::size_t k = 0; k < low_.size(); ++k) {
    const auto& p = all[k];
    const cuda::OnDevice here(p.device);
    low_[k].parts.copy_to_host(std::span(low).subspan(p.first, p.count));
  }
  return low;
}

template <class P>
bool GpuEngine<P>::left_lattice() {
  bool any = false;
  const auto all = parts();
  for (std::size_t k = 0; k < low_.size(); ++k) {
    const cuda::OnDevice here(all[k].device);
    int left = 0;
    low_[k].left.copy_to_host({&left, 1});
    if (left != 0) low_[k].left.set_bytes(0), any = true;
  }
  return any;
}

template <class P>
void GpuEngine<P>::update_on_lattice(const Update<Real>& update, const Part& bodies, std::size_t part,
                                     const cuda::Destinations<Real>& to) {
  if constexpr (std::is_same_v<Real, double>)
    cuda::update_on_lattice(update, lattice::Units(lattice_.length, lattice_.velocity),
                            {.x = bodies.all.data(),
                             .v = bodies.velocities,
                             .low = low_[part].parts.data(),
                             .sums = bodies.sums,
                             .first = bodies.number,
                             .n = bodies.count},
                            to, low_[part].left.data(), bodies.stream);
}

template <class P>
std::size_t GpuEngine<P>::bytes_of_low() const {
  std::size_t bytes = 0;
  for (const auto& low : low_) bytes += low.parts.size() * sizeof *low.parts.data();
  return bytes;
}

template <class P>
cuda::Buffer<Vec4<typename P::Position>> GpuEngine<P>::of_all(const Part& on, Vec4<Real>* Part::*what) {
  const cuda::OnDevice here(on.device);
  cuda::Buffer<Vec4<Real>> to(on.all.size(), on.stream);
  std::vector<Vec4<Real>> staging;
  const auto to_host = [&](const Part& p) {
    const cuda::OnDevice there(p.device);
    staging.resize(p.count);
    cuda::copy_to_host(staging.data(), p.*what, p.count * sizeof(Vec4<Real>), p.stream);
  };
  if (all_.comm().ranks() > 1) {  // each has one GPU
    to_host(on);
    const auto all = ranks::all_gather<Vec4<Real>>(all_.comm(), std::span<const Vec4<Real>>(staging)).data;
    to.copy_from_host(all);
    cuda::wait(on.stream);
    return to;
  }
  for (const auto& p : parts()) {
    const std::size_t bytes = p.count * sizeof(Vec4<Real>);
    auto* const place = to.data() + p.first;
    if (copies_between()) {
      cuda::copy_between(place, on.device, p.*what, p.device, bytes, on.stream);
      continue;
    }
    to_host(p);
    cuda::copy_to_device(place, staging.data(), bytes, on.stream);
    cuda::wait(on.stream);
  }
  return to;
}

template <class P>
void GpuEngine<P>::kick_implicitly(Real h) {
  settle();
  const auto all = parts();
  const auto& first = all.front();
  const cuda::OnDevice here(first.device);
  const double time = double(h) / gravity_.G;
  AddedOnDevice<Real> bodies{.time = this->now_,
                             .all = first.all,
                             .count = first.all.size(),
                             .velocities = first.velocities,
                             .stream = first.stream};
  const bool alone = all_.comm().ranks() == 1;
  if (alone && all.size() == 1) return add_work(added_->kick<Real>(stages_, time, bodies, first.sums));
  auto v = of_all(first, &Part::velocities);
  const auto sums = of_all(first, &Part::sums);
  bodies.velocities = v.data();
  add_work(added_->kick<Real>(stages_, time, bodies, sums.data()));
  std::vector<Vec4<Real>> staging;
  for (const auto& p : all) {
    const std::size_t bytes = p.count * sizeof(Vec4<Real>);
    if (bytes == 0) continue;
    const auto* const from = v.data() + p.number;
    if (p.device == first.device) {
      cuda::copy_on_device(p.velocities, from, bytes, first.stream);
    } else if (copies_between()) {
      cuda::copy_between(p.velocities, p.device, from, first.device, bytes, first.stream);
    } else {
      staging.resize(p.count);
      cuda::copy_to_host(staging.data(), from, bytes, first.stream);
      const cuda::OnDevice there(p.device);
      cuda::copy_to_device(p.velocities, staging.data(), bytes, p.stream);
      cuda::wait(p.stream);
    }
  }
  cuda::wait(first.stream);
}

template <class P>
cuda::Buffer<Vec4<typename P::Position>> GpuEngine<P>::sums_with_added(const Part& p) {
  cuda::Buffer<Vec4<Real>> sums(p.count, p.stream);
  cuda::copy_on_device(sums.data(), p.potentials, p.count * sizeof(*p.potentials), p.stream);
  if (!added_) return sums;
  auto velocities = velocities_for_forces(p);
  added_->add_to_sums<Real>(AddedForces::Which::all, added_on(p, velocities), true, sums.data());
  return sums;
}

template <class P>
void GpuEngine<P>::get(std::span<Mass<Real>> x, std::span<Vec4<Real>> v) {
  settle();
  for (const auto& p : parts()) {
    const cuda::OnDevice here(p.device);
    cuda::copy_to_host(x.data() + p.first, p.positions, p.count * sizeof(*x.data()), p.stream);
    cuda::copy_to_host(v.data() + p.first, p.velocities, p.count * sizeof(*v.data()), p.stream);
  }
}

template <class P>
void GpuEngine<P>::copy_to_host(Bodies& b) {
  Unwritten<Mass<Real>> x(size());
  Unwritten<Vec4<Real>> v(size());
  get(x.span(), v.span());
  to_bodies<Real>(std::as_const(x).span(), std::as_const(v).span(), b);
  to_masses<Real>(std::as_const(x).span(), b);
  b.low = low_parts();
}

template <class P>
void GpuEngine<P>::fields(Snapshot& s) {
  Unwritten<Vec4<Real>> sums(size());
  const auto parts = parts_with_potentials();
  settle();
  for (const auto& p : parts) {
    const cuda::OnDevice here(p.device);
    cuda::copy_to_host(sums.data() + p.first, sums_with_added(p).data(), p.count * sizeof(*sums.data()),
                       p.stream);
  }
  to_fields<Real>(std::as_const(sums).span(), gravity_.G, s);
}

template <class P>
Totals GpuEngine<P>::totals() {
  const auto parts = parts_with_potentials();
  settle();
  const auto& first = parts.front();
  const std::size_t n = size();
  const cuda::OnDevice here(first.device);
  const auto sum = [&](const Vec4<Real>* v, const Vec4<Real>* sums) {
    return all_.sum_of_blocks(cuda::sums_of_blocks<Real>(own_positions(), v, sums, n, first.stream));
  };
  const auto total = [&](const Vec4<Real>* v, const Vec4<Real>* sums) {
    auto all = sum(v, sums);
    if (!gravity_.potentials.empty()) {
      cuda::Buffer<Vec4<Real>> in_field(n, first.stream);
      cuda::FieldTables tables;
      cuda::external_potentials<Real>(tables.instants(gravity_.potentials, this->now_, first.stream),
                                      gravity_.G, own_positions(), in_field.data(), n, first.stream);
      all.external = sum(v, in_field.data()).potential;
      all.potential += all.external;
    }
    auto totals = totals_of(all, gravity_.G);
    if (added_) {
      auto velocities = velocities_for_forces(first);
      const double energy = added_->energy<Real>(added_on(first, velocities));
      totals.energies.potential += energy, totals.energies.external += energy;
    }
    return totals;
  };
  if (parts.size() == 1) return total(first.velocities, first.potentials);
  const auto sums = of_all(first, &Part::potentials), v = of_all(first, &Part::velocities);
  return total(v.data(), sums.data());
}

template <class P>
Radii GpuEngine<P>::radii() {
  settle();
  const auto first = parts().front();
  const cuda::OnDevice here(first.device);
  const auto* x = own_positions();
  const std::size_t n = size(), bodies = all_.bodies(n);
  if (bodies > cuda::few_for_passes)
    return all_.radii(*cuda::passes_over(x, n, all_.first(), bodies, first.stream));
  std::vector<Mass<Real>> on_host(n);
  cuda::copy_to_host(on_host.data(), x, n * sizeof(*x), first.stream);
  return all_.radii(std::span<const Mass<Real>>(on_host));
}

template <class P>
std::vector<Vec3<double>> GpuEngine<P>::picked(const std::vector<Part>& parts, Vec4<Real>* Part::*sums,
                                               std::span<const std::size_t> chosen) const {
  return of_chosen_at_once(all_, size(), chosen, [&](std::span<const std::size_t> own) {
    std::vector<Vec3<double>> all(own.size());
    for (const auto& p : parts) {
      std::vector<std::size_t> local, place;
      for (std::size_t k = 0; k < own.size(); ++k)
        if (own[k] >= p.first && own[k] < p.first + p.count)
          local.push_back(own[k] - p.first), place.push_back(k);
      const cuda::OnDevice here(p.device);
      const auto some =
          picked_on_gpu<Real>(std::span<const Vec4<Real>>(p.*sums, p.count), gravity_.G, local, p.stream);
      for (std::size_t k = 0; k < some.size(); ++k) all[place[k]] = some[k];
    }
    return all;
  });
}

template <class P>
SampledAccelerations GpuEngine<P>::computed_accelerations(std::span<const std::size_t> chosen) {
  const bool terms = !this->terms_.empty();  // those of the steps have more than mutual gravity then
  if (terms) parts_with_potentials();
  else this->need_forces();
  settle();
  SampledAccelerations accelerations{.found =
                                         picked(parts(), terms ? &Part::potentials : &Part::sums, chosen)};
  if (!choice_.method.tree)
    accelerations.diagnostic = picked(parts_with_potentials(), &Part::potentials, chosen);
  return accelerations;
}

template <class P>
std::vector<Vec3<double>> GpuEngine<P>::exact_accelerations(std::span<const std::size_t> chosen) {
  settle();
  const auto first = parts().front();
  const cuda::OnDevice here(first.device);
  if (softened()) return softened_exact_on_gpu<Real>(first.all, eps_, gravity_, chosen, first.stream);
  return exact_on_gpu<Real>(all_, std::span(own_positions(), size()), gravity_, chosen, first.stream);
}

template <class P>
std::vector<Vec3<double>> GpuEngine<P>::exact_accelerations_of(const Bodies& bodies,
                                                               std::span<const std::size_t> chosen) {
  const auto first = parts().front();
  const cuda::OnDevice here(first.device);
  if (softened()) {
    const auto x = ranks::all_gather<Mass<double>>(all_.comm(), places_of<double>(bodies)).data;
    const cuda::Buffer<Mass<double>> there(std::span<const Mass<double>>(x), first.stream);
    return softened_exact_on_gpu<double>(there.span(), eps_, gravity_, chosen, first.stream);
  }
  return exact_on_gpu(all_, bodies, gravity_, chosen, first.stream);
}

template <class P>
std::vector<double> GpuEngine<P>::rounding_of_exact(const std::function<const Bodies&()>& bodies,
                                                    const Sample& sample,
                                                    std::span<const Vec3<double>> exact) {
  return collective_rounding(all_, bodies, gravity_, sample, exact);
}

template <class P>
Sample GpuEngine<P>::sample(const Bodies& bodies, std::size_t most) {
  return collective_sample(all_, bodies, most);
}

/// Each GPU copies its own bodies, independently of the others.
template <class P>
std::function<void(Snapshot&)> GpuEngine<P>::begin_copy(bool fields) {
  const auto parts = fields ? parts_with_potentials() : this->parts();
  if (fields && depends_on_velocities()) settle();  // velocities of one GPU go to another one
  const bool free = copies_.size() == parts.size() &&
                    std::ranges::all_of(copies_, [](const auto& copy) { return copy->free(); });
  if (!free) copies_.assign(parts.size(), nullptr);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto& p = parts[k];
    const cuda::OnDevice here(p.device);
    if (!free)
      copies_[k] =
          std::make_shared<DeviceCopy<Real>>(p.count, DeviceCopy<Real>::room_aside(p.count), has_low_);
    const auto sums = fields && added_ ? sums_with_added(p) : cuda::Buffer<Vec4<Real>>();
    copies_[k]->begin(p.positions, p.velocities,
                      !fields  ? nullptr
                      : added_ ? sums.data()
                               : p.potentials,
                      has_low_ ? low_[k].parts.data() : nullptr, p.stream);
  }
  return [copies = copies_, n = fields ? size() : 0, low = has_low_ ? size() : 0,
          G = gravity_.G](Snapshot& snapshot) {
    resize_fields(snapshot, n);
    snapshot.bodies.low.resize(low);
    std::size_t first = 0;
    for (const auto& copy : copies)
      copy->finish([&](auto x, auto v, auto accelerations, auto low_parts) {
        to_bodies<Real>(x, v, snapshot.bodies, first);
        std::ranges::copy(low_parts, snapshot.bodies.low.begin() + std::ptrdiff_t(first));
        to_fields<Real>(accelerations, G, snapshot, first);
        first += x.size();
      });
  };
}

template <class P>
void GpuEngine<P>::find_heaviest(const Bodies& b) {
  heaviest_ = all_.max(heaviest_of(b));
}

template <class P>
double GpuEngine<P>::softening_step(double eta) {
  this->asked_ = true;
  this->need_forces();
  settle();
  double largest = 0;
  for (const auto& p : parts()) {
    const cuda::OnDevice here(p.device);
    if (!softened()) {
      largest = std::max(largest, cuda::largest_pull_squared(p.sums, p.count, p.stream));
      continue;
    }
    const cuda::Buffer<double> eps(std::span<const double>(eps_).subspan(all_.first() + p.first, p.count),
                                   p.stream);
    cuda::Buffer<Vec4<double>> per_softening(p.count, p.stream);
    cuda::pulls_per_softening<Real>(p.sums, eps.data(), p.count, per_softening.data(), p.stream);
    largest =
        std::max(largest, cuda::largest_pull_squared(std::as_const(per_softening).data(), p.count, p.stream));
  }
  if (softened()) return eta * std::sqrt(1 / (gravity_.G * std::sqrt(all_.max(largest))));
  return eta * std::sqrt(gravity_.softening.eps / (gravity_.G * std::sqrt(all_.max(largest))));
}

template <class P>
bool GpuEngine<P>::finite() {
  settle();
  bool all = true;
  for (const auto& p : parts()) {
    const cuda::OnDevice here(p.device);
    all = cuda::all_finite(p.positions, std::as_const(p.velocities), p.count, p.stream) && all;
  }
  return all_.max(all ? 0 : 1) == 0;
}

template <class P>
std::function<splat::ImagePlanes()> GpuEngine<P>::begin_image_planes(const splat::Request& request) {
  // Ranks draw together, from a copy of the bodies of each.
  if (all_.comm().ranks() > 1) return {};
  settle();
  const auto first = parts().front();
  const cuda::OnDevice here(first.device);
  return cuda::begin_image_planes(own_positions(), size(), request, staging_, first.stream);
}

template <class P>
void GpuEngine<P>::reverse_velocities() {
  settle();
  const auto all = parts();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& p = all[k];
    const cuda::OnDevice here(p.device);
    cuda::reverse(p.velocities, p.count, p.stream);
    if (has_low_) cuda::reverse_low(low_[k].parts.data(), p.count, p.stream);
  }
}

/// On the host, where there is room for it whatever else the GPU has to hold.
template <class P>
std::function<void()> GpuEngine<P>::keep_state() {
  std::vector<Mass<Real>> x(size());
  std::vector<Vec4<Real>> v(size());
  get(x, v);
  return [this, x = std::move(x), v = std::move(v), low = low_parts(), has_low = has_low_, work = work_,
          time = this->now_] {
    put(x, v);
    make_low(has_low);
    put_low(low);
    work_ = work;
    this->returned_to(time);
  };
}

template <class P>
void GpuEngine<P>::retune(const ForceMethod& method) {
  if (!choice_.method.tree || !method.tree || method.tree->device != Device::cuda) Engine::retune(method);
  need_able(method, {.n = all_.bodies(size()), .gravity = gravity_, .precision = precision_});
  settle();
  make_solver(method);
  this->go_on_by(method);
}

template <class P>
std::string GpuEngine<P>::why() const {
  if (choice_.method.tree || softened()) return choice_.why;
  const auto& potentials = with_potential(*choice_.method.kernel);
  if (&potentials == choice_.method.kernel) return choice_.why;
  return fmt::format("{}; potentials by {}", choice_.why, potentials.name);
}

template class GpuEngine<F32>;
template class GpuEngine<F64>;
template class GpuEngine<Mixed>;

}  // namespace pleiad
