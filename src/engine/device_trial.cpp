#include "engine/device_trial.hpp"

#include "direct/why_not.hpp"
#include "engine/device_sample.hpp"
#include "engine/places.hpp"
#include "engine/ranks_device.hpp"
#include "engine/ranks_sample.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>

#include <utility>

namespace pleiad {

template <class P>
DeviceTrial<P>::DeviceTrial(const Bodies& bodies, const Gravity& gravity, Precision precision,
                            ranks::Communicator& ranks, DivideTree divide_tree)
    : gravity_(gravity), n_(bodies.size()) {
  constexpr TreeSettings any{.device = Device::cuda};
  need_space(any, gravity.boundary);
  if (ranks.ranks() > 1) {
    all_ = ranks::Collective(ranks, n_);
    exchange_ = make_ranks_exchange<Real>(all_, stream_.get());
    divided_ = divides_tree({.method = {.tree = any}, .divide_tree = divide_tree}, precision, all_);
  }
  Unwritten<Mass<Real>> x(n_);
  to_places<Real>(bodies, x.span());
  x_ = cuda::Buffer<Mass<Real>>(divided_ ? n_ : all_.bodies(n_), stream_.get());
  cuda::copy_to_device(x_.data() + first(), x.data(), x.span().size_bytes(), stream_.get());
  if (exchange_ && !divided_) exchange_->give_to_all(x_.data());
  cuda::wait(stream_.get());
}

template <class P>
bool DeviceTrial<P>::can(const TreeSettings& settings) const {
  return !divided_ || !why_not(ForceMethod{.tree = settings},
                               {.on_ranks = true, .must_divide_tree = true, .resumes = false});
}

template <class P>
void DeviceTrial<P>::take(const TreeSettings& settings) {
  if (sums_.size() == 0) sums_ = cuda::Buffer<Vec4<Real>>(n_, stream_.get());
  solver_.reset();  // frees memory before the next solver allocates its own
  const ForceMethod method{.tree = settings};
  solver_ = exchange_ ? make_ranks_device_solver<P>(method, divided_, all_, *exchange_, stream_.get())
                      : make_device_solver<P>(method, stream_.get());
}

template <class P>
void DeviceTrial<P>::evaluate() {
  solver_->evaluate({.targets = own(),
                     .sources = std::as_const(x_).span(),
                     .sums = sums_.span(),
                     .softening = gravity_.softening,
                     .boundary = gravity_.boundary,
                     .stream = stream_.get()});
  cuda::wait(stream_.get());
}

template <class P>
std::vector<Vec3<double>> DeviceTrial<P>::accelerations(std::span<const std::size_t> chosen) {
  return of_chosen_at_once(all_, n_, chosen,
                           [this](std::span<const std::size_t> own) { return own_accelerations(own); });
}

template <class P>
std::vector<Vec3<double>> DeviceTrial<P>::own_accelerations(std::span<const std::size_t> own) {
  return picked_on_gpu<Real>(std::as_const(sums_).span(), gravity_.G, own, stream_.get());
}

template class DeviceTrial<F32>;
template class DeviceTrial<F64>;
template class DeviceTrial<Mixed>;

}  // namespace pleiad
