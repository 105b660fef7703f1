#include "reference/reference.hpp"

#include "reference/ewald.hpp"

#include <cmath>
#include <numeric>

namespace pleiad::reference {
namespace {
using Real = long double;

/// The image of a separation that is nearest to zero; two equally near ones count as 0.
Real nearest_image(Real d, Real length) {
  if (!(length > 0)) return d;
  d -= length * std::rint(d / length);
  return std::abs(d) == length / 2 ? 0 : d;
}

Vec4<Real> sum_of_pulls(Mass<double> target, std::span<const Mass<double>> sources,
                        const Softening& softening, const Boundary& boundary, std::ptrdiff_t self) {
  const Real eps2 = Real(softening.eps) * softening.eps;
  const Vec3<double> box = boundary.periodic ? boundary.length : Vec3<double>{};
  Vec4<Real> sum;
  for (std::size_t j = 0; j < sources.size(); ++j) {
    if (std::ptrdiff_t(j) == self) continue;
    const Real dx = nearest_image(Real(sources[j].x) - target.x, box.x);
    const Real dy = nearest_image(Real(sources[j].y) - target.y, box.y);
    const Real dz = nearest_image(Real(sources[j].z) - target.z, box.z);
    const Real r = std::sqrt(dx * dx + dy * dy + dz * dz + eps2);
    if (r == 0) continue;  // coincident without softening: no pull
    const Real m = sources[j].m;
    sum.x += m * dx / (r * r * r);
    sum.y += m * dy / (r * r * r);
    sum.z += m * dz / (r * r * r);
    sum.w -= m / r;
  }
  return sum;
}
/// The part of a spline's mass within u radii: the integral of its density 8 / pi (1 - 6 u^2 + 6 u^3), and
/// from u = 1/2 on 16 / pi (1 - u)^3.
Real mass_within(Real u) {
  if (u >= 1) return 1;
  if (u < Real(0.5)) return 32 * u * u * u * (Real(1) / 3 - u * u * (Real(6) / 5 - u));
  const Real w = 1 - u;  // what is outside: 64 times the integral of w^3 (1 - w)^2
  return 1 - 64 * w * w * w * w * (Real(1) / 4 - w * (Real(2) / 5 - w / 6));
}
/// -phi h of a unit mass: the mass within u by its distance, and that of the shells outside.
Real potential_at(Real u) {
  if (u >= 1) return 1 / u;
  const auto shells = [](Real v) {  // 64 times the integral of v (1 - v)^3
    return 64 * v * v * (Real(1) / 2 - v * (1 - v * (Real(3) / 4 - v / 5)));
  };
  if (u >= Real(0.5)) return mass_within(u) / u + shells(1) - shells(u);
  const auto inner = [](Real v) {  // 32 times the integral of v (1 - 6 v^2 + 6 v^3)
    return 32 * v * v * (Real(1) / 2 - v * v * (Real(3) / 2 - v * Real(6) / 5));
  };
  const Real within = u > 0 ? mass_within(u) / u : 0;
  return within + inner(Real(0.5)) - inner(u) + shells(1) - shells(Real(0.5));
}
/// Few images of a pair and many waves: waves are summed once for all targets.
constexpr Real usual_splitting = 6;
}  // namespace

std::vector<Vec4<long double>> pulls(std::span<const Mass<double>> targets,
                                     std::span<const Mass<double>> sources, const Softening& softening,
                                     const Boundary& boundary, std::ptrdiff_t self) {
  if (boundary.all_images())
    return pulls_of_all_images(targets, sources, softening, boundary.length, self, usual_splitting);
  std::vector<Vec4<Real>> sums(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    sums[i] = sum_of_pulls(targets[i], sources, softening, boundary,
                           self == none ? none : self + std::ptrdiff_t(i));
  return sums;
}

std::vector<Vec4<long double>> softened_pulls(std::span<const std::size_t> subset,
                                              std::span<const Mass<double>> bodies,
                                              std::span<const double> eps, const Softening& softening,
                                              const Boundary& boundary) {
  const Vec3<double> box = boundary.periodic ? boundary.length : Vec3<double>{};
  std::vector<Vec4<Real>> sums(subset.size());
  for (std::size_t k = 0; k < subset.size(); ++k) {
    const std::size_t i = subset[k];
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i == j) continue;
      const Real a = eps[i], b = eps[j];
      const Real pair = softening.rule == SofteningRule::max ? std::fmax(a, b) : std::sqrt(a * a + b * b);
      const Real dx = nearest_image(Real(bodies[j].x) - bodies[i].x, box.x);
      const Real dy = nearest_image(Real(bodies[j].y) - bodies[i].y, box.y);
      const Real dz = nearest_image(Real(bodies[j].z) - bodies[i].z, box.z);
      const Real r2 = dx * dx + dy * dy + dz * dz, m = bodies[j].m;
      Real of_pull = 0, potential = 0;
      if (softening.kernel == SofteningKernel::plummer) {
        const Real r = std::sqrt(r2 + pair * pair);
        if (r > 0) of_pull = 1 / (r * r * r), potential = 1 / r;
      } else {
        const Real r = std::sqrt(r2), h = Real(28) / 10 * pair;
        if (r > 0) of_pull = (h > 0 ? mass_within(r / h) : 1) / (r * r * r);
        if (h > 0) potential = potential_at(r / h) / h;
        else if (r > 0) potential = 1 / r;
      }
      sums[k].x += m * dx * of_pull, sums[k].y += m * dy * of_pull, sums[k].z += m * dz * of_pull;
      sums[k].w -= m * potential;
    }
  }
  return sums;
}

std::vector<Vec4<long double>> softened_pulls(std::span<const Mass<double>> bodies,
                                              std::span<const double> eps, const Softening& softening,
                                              const Boundary& boundary) {
  std::vector<std::size_t> all(bodies.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  return softened_pulls(all, bodies, eps, softening, boundary);
}

std::vector<Vec4<long double>> pulls(std::span<const std::size_t> subset,
                                     std::span<const Mass<double>> sources, const Softening& softening,
                                     const Boundary& boundary) {
  std::vector<Vec4<Real>> sums(subset.size());
  if (boundary.all_images()) {
    const EwaldSums ewald(sources, softening, boundary.length, usual_splitting);
    for (std::size_t i = 0; i < subset.size(); ++i)
      sums[i] = ewald.at(sources[subset[i]], std::ptrdiff_t(subset[i]));
    return sums;
  }
  for (std::size_t i = 0; i < subset.size(); ++i)
    sums[i] = sum_of_pulls(sources[subset[i]], sources, softening, boundary, std::ptrdiff_t(subset[i]));
  return sums;
}

}  // namespace pleiad::reference
