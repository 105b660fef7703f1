#include "reference/reference.hpp"

#include "reference/ewald.hpp"

#include <cmath>

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
