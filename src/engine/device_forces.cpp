#include "engine/device_forces.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/pack.hpp"
#include "cuda/state.hpp"
#include "engine/force_solver.hpp"
#include "engine/places.hpp"

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
    const std::size_t n = b.positions.size();
    if (n == 0) return;
    const auto x = bodies(b, gravity.boundary);
    if constexpr (std::is_same_v<T, Real>)
      if (in_records<T>(b.accelerations, b.potentials, b.potential_stride)) {
        const std::span sums(reinterpret_cast<Vec4<Real>*>(b.accelerations.x()), n);
        evaluate(x, sums, gravity, method, b.potential, b.stream);
        if (gravity.G != 1) cuda::scale<Real>(sums, gravity.G, b.stream);
        return;
      }
    make_room(sums_, n, b.stream);
    const auto sums = sums_.span().first(n);
    evaluate(x, sums, gravity, method, b.potential, b.stream);
    cuda::unpack<T, Real>(sums, gravity.G, b.accelerations, {b.potentials, b.potential_stride}, b.stream);
  }

  Bodies copy(const DeviceArrays<T>& b) override {
    const auto there = bodies(b, {});
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
  /// As kernels load them: the caller's, or a copy.
  std::span<const Mass<Real>> bodies(const DeviceArrays<T>& b, const Boundary& space) {
    const std::size_t n = b.positions.size();
    if (b.stream != stream_) x_ = {}, sums_ = {}, solver_.forget();  // which belong to another queue
    stream_ = b.stream;
    if constexpr (std::is_same_v<T, Real>)
      if (!space.periodic && in_records<const T>(b.positions, b.masses, b.mass_stride))
        return {reinterpret_cast<const Mass<Real>*>(b.positions.x()), n};
    make_room(x_, n, b.stream);
    cuda::pack<T, Real>(b.positions, {b.masses, b.mass_stride}, x_.span().first(n), b.stream);
    cuda::wrap(space, x_.data(), n, b.stream);
    return x_.span().first(n);
  }
  void evaluate(std::span<const Mass<Real>> x, std::span<Vec4<Real>> sums, const Gravity& gravity,
                const ForceMethod& method, bool potential, void* stream) {
    auto& solver = solver_.of(method, [&] { return make_device_solver<P>(method, stream); });
    solver.evaluate({.targets = x,
                     .sources = x,
                     .sums = sums,
                     .softening = gravity.softening,
                     .boundary = gravity.boundary,
                     .self = 0,
                     .potential = potential,
                     .stream = stream});
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
