#include "potentials/host_field.hpp"

#include "core/threads.hpp"
#include "potentials/at_time.hpp"

namespace pleiad {

FieldValue field_at(std::span<const Potential> potentials, double G, const Vec3<double>& position,
                    double time) {
  Vec3<double> a{};
  double phi = 0;
  for (const auto& p : potentials) {
    const auto field = potentials::field_of(p, G, position, time);
    a += field.acceleration, phi += field.potential;
  }
  return {a, phi};
}

namespace potentials {

HostField::HostField(std::span<const Potential> potentials, double G, double time)
    : G_(G), now_(instants_of<double>(potentials, time)) {}

FieldValue HostField::at(const Vec3<double>& position) const {
  const auto sum = field_of(now_.data(), now_.size(), G_, position);
  return {sum.acceleration, sum.potential};
}

template <class T>
void HostField::add_to_sums(std::span<const Mass<T>> bodies, std::span<Vec4<T>> sums) const {
  const double per_G = 1 / G_;
  for_each_index(bodies.size(), [&](std::size_t i) {
    const auto& x = bodies[i];
    const auto a = at({double(x.x), double(x.y), double(x.z)}).acceleration * per_G;
    auto& s = sums[i];
    s = {T(double(s.x) + a.x), T(double(s.y) + a.y), T(double(s.z) + a.z), s.w};
  });
}
template void HostField::add_to_sums(std::span<const Mass<float>>, std::span<Vec4<float>>) const;
template void HostField::add_to_sums(std::span<const Mass<double>>, std::span<Vec4<double>>) const;

void add_with_jerks(std::span<const Potential> potentials, double G, double time,
                    std::span<const Mass<double>> bodies, std::span<const Vec4<double>> velocities,
                    std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks) {
  const auto now = instants_of<Dual>(potentials, {time, 1});
  for_each_index(bodies.size(), [&](std::size_t i) {
    const auto& x = bodies[i];
    const auto& v = velocities[i];
    auto &a = accelerations[i], &j = jerks[i];
    for (const auto& each : now) {
      const auto f = field_of<Dual>(each, G, {{x.x, v.x}, {x.y, v.y}, {x.z, v.z}}).acceleration;
      a.x += f.x.value, a.y += f.y.value, a.z += f.z.value;
      j.x += f.x.rate, j.y += f.y.rate, j.z += f.z.rate;
    }
  });
}

void add_to_fields(std::span<const Potential> potentials, Snapshot& s) {
  if (potentials.empty() || s.potential.size() != s.bodies.size()) return;
  const HostField field(potentials, s.G, s.time);
  for_each_index(s.bodies.size(), [&](std::size_t i) {
    const auto f = field.at(s.bodies.position(i));
    s.ax[i] += f.acceleration.x, s.ay[i] += f.acceleration.y, s.az[i] += f.acceleration.z;
    s.potential[i] += f.potential;
  });
}

}  // namespace potentials
}  // namespace pleiad
