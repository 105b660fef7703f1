#include "potentials/host_field.hpp"

#include "core/threads.hpp"
#include "potentials/sum.hpp"

namespace pleiad {

FieldValue field_at(std::span<const Potential> potentials, double G, const Vec3<double>& position) {
  const auto sum = potentials::field_of(potentials.data(), potentials.size(), G, position);
  return {sum.acceleration, sum.potential};
}

namespace potentials {

template <class T>
void add_to_sums(std::span<const Potential> potentials, double G, std::span<const Mass<T>> bodies,
                 std::span<Vec4<T>> sums) {
  const double per_G = 1 / G;
  for_each_index(bodies.size(), [&](std::size_t i) {
    const auto& x = bodies[i];
    const auto a =
        field_at(potentials, G, Vec3<double>{double(x.x), double(x.y), double(x.z)}).acceleration * per_G;
    auto& s = sums[i];
    s = {T(double(s.x) + a.x), T(double(s.y) + a.y), T(double(s.z) + a.z), s.w};
  });
}
template void add_to_sums(std::span<const Potential>, double, std::span<const Mass<float>>,
                          std::span<Vec4<float>>);
template void add_to_sums(std::span<const Potential>, double, std::span<const Mass<double>>,
                          std::span<Vec4<double>>);

void add_with_jerks(std::span<const Potential> potentials, double G, std::span<const Mass<double>> bodies,
                    std::span<const Vec4<double>> velocities, std::span<Vec4<double>> accelerations,
                    std::span<Vec4<double>> jerks) {
  for_each_index(bodies.size(), [&](std::size_t i) {
    const auto& x = bodies[i];
    const auto& v = velocities[i];
    auto &a = accelerations[i], &j = jerks[i];
    for (const auto& p : potentials) {
      const auto f = field_of<Dual>(p, G, {{x.x, v.x}, {x.y, v.y}, {x.z, v.z}}).acceleration;
      a.x += f.x.value, a.y += f.y.value, a.z += f.z.value;
      j.x += f.x.rate, j.y += f.y.rate, j.z += f.z.rate;
    }
  });
}

void add_to_fields(std::span<const Potential> potentials, Snapshot& s) {
  if (potentials.empty() || s.potential.size() != s.bodies.size()) return;
  for_each_index(s.bodies.size(), [&](std::size_t i) {
    const auto f = field_at(potentials, s.G, s.bodies.position(i));
    s.ax[i] += f.acceleration.x, s.ay[i] += f.acceleration.y, s.az[i] += f.acceleration.z;
    s.potential[i] += f.potential;
  });
}

}  // namespace potentials
}  // namespace pleiad
