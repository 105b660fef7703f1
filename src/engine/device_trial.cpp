#include "engine/device_trial.hpp"

#include "engine/device_sample.hpp"
#include "engine/places.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>

#include <utility>

namespace pleiad {

template <class P>
DeviceTrial<P>::DeviceTrial(const Bodies& bodies, const Gravity& gravity) : gravity_(gravity) {
  constexpr TreeSettings any{.device = Device::cuda};
  if (const auto why = why_not(any, Precision::mixed, gravity.boundary)) throw UsageError(*why);
  const auto x = places_of<Real>(bodies);
  x_ = cuda::Buffer<Mass<Real>>(std::span<const Mass<Real>>(x), stream_.get());
  cuda::wait(stream_.get());
}

template <class P>
void DeviceTrial<P>::take(const TreeSettings& settings) {
  if (sums_.size() == 0) sums_ = cuda::Buffer<Vec4<Real>>(x_.size(), stream_.get());
  solver_.reset();  // before the next one asks for memory
  solver_ = make_device_solver<P>({.tree = settings}, stream_.get());
}

template <class P>
void DeviceTrial<P>::evaluate() {
  const auto x = std::as_const(x_).span();
  solver_->evaluate({.targets = x,
                     .sources = x,
                     .sums = sums_.span(),
                     .softening = gravity_.softening,
                     .stream = stream_.get()});
  cuda::wait(stream_.get());
}

template <class P>
std::vector<Vec3<double>> DeviceTrial<P>::accelerations(std::span<const std::size_t> chosen) {
  return picked_on_gpu<Real>(std::as_const(sums_).span(), gravity_.G, chosen, stream_.get());
}

template <class P>
std::vector<Vec3<double>> DeviceTrial<P>::exact(std::span<const std::size_t> chosen) {
  return exact_on_gpu<Real>(std::as_const(x_).span(), gravity_, chosen, stream_.get());
}

template class DeviceTrial<F32>;
template class DeviceTrial<F64>;
template class DeviceTrial<Mixed>;

}  // namespace pleiad
