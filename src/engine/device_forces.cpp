#include "engine/device_forces.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/pack.hpp"
#include "cuda/state.hpp"
#include "cuda/tree/build.hpp"
#include "engine/force_solver.hpp"
#include "engine/places.hpp"

#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace pleiad {
namespace {

/// Whether three components and a fourth number of each body lie in records of four.
template <class T>
bool in_records(const Vectors<T>& v, const T* fourth, std::size_t stride) {
  return v.stride() == 4 && stride == 4 && v.y() == v.x() + 1 && v.z() == v.x() + 2 && fourth == v.x() + 3;
}

/// P: the precision policy.
template <class T, class P>
class Forces final : public DeviceForces<T> {
 public:
  using Real = typename P::Position;

  Forces() { cuda::keep_released_memory(); }
  Forces(const Forces&) = delete;
  Forces& operator=(const Forces&) = delete;
  ~Forces() override {
    x_ = {}, sums_ = {}, solver_.forget();
    cuda::give_back_released_memory();
  }

  void find(const DeviceArrays<T>& b, const Gravity& gravity, const ForceMethod& method) override {
    const std::size_t n = b.accelerations.size();
    if (n == 0) return;
    const auto x = bodies(b, gravity.boundary);
    if constexpr (std::is_same_v<T, Real>)
      if (!b.targets && in_records<T>(b.accelerations, b.potentials, b.potential_stride)) {
        const std::span sums(reinterpret_cast<Vec4<Real>*>(b.accelerations.x()), n);
        evaluate(b, x, sums, gravity, method);
        if (gravity.G != 1) cuda::scale<Real>(sums, gravity.G, b.stream);
        return;
      }
    const std::size_t all = method.tree ? x.size() : n;
    make_room(sums_, all, b.stream);
    const auto sums = sums_.span().first(all);
    if (b.positions.size() == 0) sums_.set_bytes(0);
    else evaluate(b, x, sums, gravity, method);
    cuda::unpack<T, Real>(sums.last(n), gravity.G, b.accelerations, {b.potentials, b.potential_stride},
                          b.stream);
  }

  Bodies copy(const DeviceArrays<T>& b) override {
    const auto there = bodies(b, {}).first(b.positions.size());
    std::vector<Mass<Real>> here(there.size());
    cuda::copy_to_host(here.data(), there.data(), there.size_bytes(), b.stream);
    return bodies_of(std::span<const Mass<Real>>(here));
  }

 private:
  template <class Element>
  void make_room(cuda::Buffer<Element>& buffer, std::size_t n, void* stream) {
    if (stream == stream_ && buffer.size() >= n) return;
    buffer = {};
    buffer = cuda::Buffer<Element>(n, stream);
  }
  /// The bodies as kernels load them: in the caller's memory, or a copy with the targets behind them.
  std::span<const Mass<Real>> bodies(const DeviceArrays<T>& b, const Boundary& space) {
    const std::size_t n = b.positions.size(), all = n + (b.targets ? b.targets->size() : 0);
    if (b.stream != stream_) x_ = {}, sums_ = {}, solver_.forget();  // which belong to another stream
    stream_ = b.stream;
    if constexpr (std::is_same_v<T, Real>)
      if (!space.periodic && !b.targets && in_records<const T>(b.positions, b.masses, b.mass_stride))
        return {reinterpret_cast<const Mass<Real>*>(b.positions.x()), n};
    make_room(x_, all, b.stream);
    const auto x = x_.span().first(all);
    if (n > 0) cuda::pack<T, Real>(b.positions, {b.masses, b.mass_stride}, x.first(n), b.stream);
    if (b.targets) cuda::pack<T, Real>(*b.targets, {}, x.subspan(n), b.stream);
    cuda::wrap(space, x_.data(), all, b.stream);
    return x;
  }
  void evaluate(const DeviceArrays<T>& b, std::span<const Mass<Real>> x, std::span<Vec4<Real>> sums,
                const Gravity& gravity, const ForceMethod& method) {
    auto& solver = solver_.of(method, [&] { return make_device_solver<P>(method, b.stream); });
    PairProblem<P> problem{.targets = x,
                           .sources = x,
                           .sums = sums,
                           .softening = gravity.softening,
                           .heaviest = heaviest(x, gravity.softening, method),
                           .boundary = gravity.boundary,
                           .self = 0,
                           .potential = b.potential,
                           .stream = b.stream};
    if (b.targets && !method.tree) {
      const std::size_t n = b.positions.size();
      problem.sources = x.first(n), problem.targets = x.subspan(n), problem.self = problem.none;
    }
    solver.evaluate(problem);
  }

  /// Waits for the device where the softening is so small that it may matter for masses up to 1e18; else 0.
  double heaviest(std::span<const Mass<Real>> x, const Softening& softening, const ForceMethod& method) {
    if (method.tree || softening.eps2() >= double(floor_eps2_for<typename P::Math>(1e18))) return 0;
    cuda::Buffer<cuda::tree::Extent> room(cuda::tree::most_extents, stream_);
    std::vector<cuda::tree::Extent> found(cuda::tree::most_extents);
    const unsigned count = cuda::tree::measure(x, room.data(), stream_);
    cuda::copy_to_host(found.data(), room.data(), count * sizeof found[0], stream_);
    double most = 0;
    for (unsigned k = 0; k < count; ++k) most = std::max(most, found[k].heaviest);
    return most;
  }

  void* stream_ = nullptr;
  cuda::Buffer<Mass<Real>> x_;
  cuda::Buffer<Vec4<Real>> sums_;
  KeptSolver<P> solver_;
};

}  // namespace

template <class T>
std::unique_ptr<DeviceForces<T>> make_device_forces_of(Precision precision) {
  switch (precision) {
    case Precision::f32:
      return std::make_unique<Forces<T, F32>>();
    case Precision::f64:
      return std::make_unique<Forces<T, F64>>();
    case Precision::mixed:
      break;
  }
  return std::make_unique<Forces<T, Mixed>>();
}
template std::unique_ptr<DeviceForces<float>> make_device_forces_of(Precision);
template std::unique_ptr<DeviceForces<double>> make_device_forces_of(Precision);

}  // namespace pleiad
