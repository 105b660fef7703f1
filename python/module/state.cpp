#include "module/state.hpp"

#include "module/arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pleiad::python {

void copy_state(const Bodies& b, nb::handle positions, nb::handle velocities, nb::handle masses) {
  const auto x = host_array_to_fill(positions, "positions"), v = host_array_to_fill(velocities, "velocities"),
             m = host_array_to_fill(masses, "masses");
  const auto xs = rows_of<double>(x, "positions", 3, b.size()),
             vs = rows_of<double>(v, "velocities", 3, b.size());
  const auto ms = rows_of<double>(m, "masses", 0, b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    xs(i, 0) = b.x[i], xs(i, 1) = b.y[i], xs(i, 2) = b.z[i];
    vs(i, 0) = b.vx[i], vs(i, 1) = b.vy[i], vs(i, 2) = b.vz[i];
    ms(i) = b.mass[i];
  }
}

std::optional<Bodies> changed_bodies(const Bodies& now, nb::handle positions, nb::handle velocities,
                                     nb::handle masses) {
  const auto x = host_array(positions, "positions"), v = host_array(velocities, "velocities"),
             m = host_array(masses, "masses");
  const auto xs = rows_of<const double>(x, "positions", 3, now.size()),
             vs = rows_of<const double>(v, "velocities", 3, now.size());
  const auto ms = rows_of<const double>(m, "masses", 0, now.size());
  const auto same = [&](std::size_t i) {
    return xs(i, 0) == now.x[i] && xs(i, 1) == now.y[i] && xs(i, 2) == now.z[i] && vs(i, 0) == now.vx[i] &&
           vs(i, 1) == now.vy[i] && vs(i, 2) == now.vz[i] && ms(i) == now.mass[i];
  };
  std::size_t first = 0;
  while (first < now.size() && same(first)) ++first;
  if (first == now.size()) return std::nullopt;
  Bodies moved = now;
  moved.low.clear(), moved.series.clear();
  for (std::size_t i = first; i < now.size(); ++i) {
    moved.x[i] = xs(i, 0), moved.y[i] = xs(i, 1), moved.z[i] = xs(i, 2);
    moved.vx[i] = vs(i, 0), moved.vy[i] = vs(i, 1), moved.vz[i] = vs(i, 2);
    moved.mass[i] = ms(i);
  }
  return moved;
}

namespace {

template <class T>
Any view_of(const std::shared_ptr<const DeviceState>& state, std::string_view column) {
  auto* const records = static_cast<T*>(column == "velocities" ? state->velocities : state->bodies);
  const std::size_t shape[] = {state->n, 3};
  const std::int64_t strides[] = {4, 1};  // of records x y z m
  using Kept = std::shared_ptr<const DeviceState>;
  const nb::capsule owner(new Kept(state), [](void* p) noexcept { delete static_cast<Kept*>(p); });
  const bool one = column == "masses";
  return nb::borrow<Any>(nb::cast(nb::ndarray<nb::array_api, T>(
      one ? records + 3 : records, one ? 1 : 2, shape, owner, strides, nb::dtype<std::remove_const_t<T>>(),
      nb::device::cuda::value, state->device)));
}

}  // namespace

Any view_of(const std::shared_ptr<const DeviceState>& state, std::string_view column, bool writable) {
  if (state->single) return writable ? view_of<float>(state, column) : view_of<const float>(state, column);
  return writable ? view_of<double>(state, column) : view_of<const double>(state, column);
}

}  // namespace pleiad::python
