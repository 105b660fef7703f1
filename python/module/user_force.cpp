#include "module/user_force.hpp"

#include "module/arrays.hpp"

#include <pleiad/error.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::python {
namespace {

template <class T>
void add(const nb::object& force, nb::handle owner, const ForceCall& call) {
  const std::size_t shape[] = {call.n, 3};
  const std::int64_t strides[] = {4, 1};  // of records
  const auto view = [&]<class U>(U* data) {
    if (call.on_gpu)
      return nb::cast(
          nb::ndarray<U>(data, 2, shape, owner, strides, nb::dtype<U>(), nb::device::cuda::value, 0));
    return nb::cast(nb::ndarray<nb::numpy, U>(data, 2, shape, owner, strides));
  };
  const auto x = view(static_cast<const T*>(call.bodies));
  const auto a = view(static_cast<T*>(call.accelerations));
  force(call.time, x, a, reinterpret_cast<std::uintptr_t>(call.stream));
  // A kept array would give access to the memory of later steps.
  if (Py_REFCNT(x.ptr()) > 1 || Py_REFCNT(a.ptr()) > 1)
    throw UsageError("the force has kept an array of its call, which ends with it: copy what you keep");
}

}  // namespace

void add_accelerations(const nb::object& force, nb::handle owner, const ForceCall& call) {
  if (call.single) add<float>(force, owner, call);
  else add<double>(force, owner, call);
}

}  // namespace pleiad::python
