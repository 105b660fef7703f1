#include "bench/scenes.hpp"

#include "reference/reference.hpp"

#include <pleiad/kernel/pull.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace pleiad::conformance {
namespace {

using List = std::vector<Mass<double>>;

template <class F>
void each(List& bodies, F place) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Random random(20, i);
    const Vec3<double> x = place(random, i);
    bodies[i] = {x.x, x.y, x.z, (0.5 + random.uniform()) / double(bodies.size())};
  }
}
void uniform(List& b) {
  each(b, [](Random& r, std::size_t) { return Vec3<double>{r.uniform(), r.uniform(), r.uniform()}; });
}
void plummer(List& b) {
  each(b, [](Random& r, std::size_t) {
    const double radius = std::min(0.05 / std::sqrt(std::pow(r.uniform(), -2.0 / 3) - 1), 0.45);
    return Vec3<double>{0.5, 0.5, 0.5} + radius * r.direction();
  });
}
void two_clumps(List& b) {
  each(b, [](Random& r, std::size_t i) {
    return Vec3<double>{i % 2 ? 0.9 : 0.1, 0.5, 0.5} + 0.01 * r.uniform() * r.direction();
  });
}
void thin_sheet(List& b) {
  each(b, [](Random& r, std::size_t) {
    return Vec3<double>{r.uniform(), r.uniform(), 0.5 + 1e-6 * r.normal()};
  });
}
void flat(List& b) {
  each(b, [](Random& r, std::size_t) { return Vec3<double>{r.uniform(), r.uniform(), 0}; });
}
void coincident(List& b) {
  uniform(b);
  for (std::size_t i = 0; i + 1 < b.size(); i += 3)
    b[i + 1].x = b[i].x, b[i + 1].y = b[i].y, b[i + 1].z = b[i].z;
}
void massless(List& b) {
  uniform(b);
  for (std::size_t i = 0; i < b.size(); i += 2) b[i].m = 0;
}
void wide_masses(List& b) {
  uniform(b);
  for (std::size_t i = 0; i < b.size(); ++i) b[i].m *= std::pow(10.0, -double(i % 13));
}
/// Kernels that compute each pair once multiply by none then.
void equal_masses(List& b) {
  uniform(b);
  for (auto& body : b) body.m = 1.0 / double(b.size());
}
void far_away(List& b) {
  uniform(b);
  for (auto& body : b) body.x += 1000, body.y += 1000, body.z += 1000;
}
/// Lengths of a galaxy in cm, whose squares overflow single precision.
void galaxy_in_cm(List& b) {
  uniform(b);
  for (auto& body : b) body.x *= 1e23, body.y *= 1e23, body.z *= 1e23, body.m *= 1e36;
}

constexpr std::array all_scenes{
    Scene{"uniform", 0.01, true, uniform},           Scene{"uniform, eps 0", 0, true, uniform},
    Scene{"Plummer", 0.002, true, plummer},          Scene{"two clumps", 1e-4, false, two_clumps},
    Scene{"thin sheet", 1e-3, false, thin_sheet},    Scene{"flat", 0.01, true, flat},
    Scene{"coincident", 0.01, true, coincident},     Scene{"coincident, eps 0", 0, true, coincident},
    Scene{"massless", 0.01, true, massless},         Scene{"massless, eps 0", 0, true, massless},
    Scene{"wide masses", 0.01, true, wide_masses},   Scene{"far away", 0.01, true, far_away},
    Scene{"galaxy in cm", 1e21, true, galaxy_in_cm}, Scene{"equal masses", 0.01, true, equal_masses}};

}  // namespace

std::span<const Scene> scenes() { return all_scenes; }

std::vector<Mass<double>> bodies_of(const Scene& scene, std::size_t n, bool periodic) {
  List bodies(n);
  scene.place(bodies);
  if (periodic)
    for (auto& b : bodies)
      for (double* x : {&b.x, &b.y, &b.z}) *x = std::floor((*x - std::floor(*x)) * 4096) / 4096;
  return bodies;
}

std::vector<const DirectKernel*> kernels_here() {
  std::vector<const DirectKernel*> kernels;
  for (const DirectKernel* kernel : direct_kernels())
    if (kernel->device == Device::cpu && kernel->traits.open) kernels.push_back(kernel);
  return kernels;
}

double extent_of(std::span<const Mass<double>> bodies) {
  double extent = 0;
  for (const auto& b : bodies)
    for (const double d : {b.x - bodies[0].x, b.y - bodies[0].y, b.z - bodies[0].z})
      extent = std::max(extent, 2 * std::abs(d));
  return extent;
}

std::vector<Expected> expected(std::span<const Mass<double>> targets, std::span<const Mass<double>> sources,
                               const Softening& softening, const Boundary& boundary, std::ptrdiff_t self) {
  const auto sums = reference::pulls(targets, sources, softening, boundary, self);
  std::vector<Expected> out(targets.size());
  double mass = 0;
  for (const auto& s : sources) mass += s.m;
  const double cut = 0.5 * std::min({boundary.length.x, boundary.length.y, boundary.length.z});
  for (std::size_t i = 0; i < targets.size(); ++i) {
    out[i].sum = sums[i];
    if (boundary.all_images()) out[i].split = mass / (cut * cut), out[i].split_potential = mass / cut;
    for (std::size_t j = 0; j < sources.size(); ++j) {
      if (self != reference::none && std::ptrdiff_t(j) == self + std::ptrdiff_t(i)) continue;
      // Every periodic scene has the unit box; a z that is always 0 does not mind having it too.
      const Vec3<double> separation = sources[j].position() - targets[i].position();
      const Boundary space = boundary.all_images() ? boundary : Boundary{true, {1, 1, 1}};
      const Vec3<double> d = boundary.periodic ? minimum_image(separation, Box<double>(space)) : separation;
      const double r = std::sqrt(dot(d, d) + softening.eps2());
      if (r == 0) continue;
      const double m = sources[j].m;
      out[i].size += m * (norm(d) / r) / (r * r);
      out[i].steepness += 2 * m / (r * r * r);
      out[i].potential_steepness += m / (r * r);
    }
  }
  return out;
}

template <class P>
Errors errors(std::span<const Vec4<typename P::Sum>> sums, std::span<const Expected> wanted, double extent,
              bool potential, double moved) {
  // Each pull is rounded some 8 times and summed with up to 511 others of its tile, whose roundings have
  // random signs: of a sum of equal terms sqrt(512 / 3) = 13 roundings survive. 48 leaves three standard
  // deviations; double precision gets the same count.
  constexpr bool single = std::is_same_v<typename P::Math, float>;
  constexpr double rounding = single ? 0x1p-24 : 0x1p-53, roundings = 48;
  // Mixed rounds positions relative to a block's origin: each end of a pair moves by up to 2^-25 of the
  // extent along three axes.
  const double shift = (std::is_same_v<P, Mixed> ? 2 * std::sqrt(3.0) * 0x1p-25 * extent : 0) + 2 * moved;
  // Where pairs end, in single precision their polynomial errs by up to 1.7e-6, and less everywhere else.
  const double lost = single ? 2e-6 : 1e-10;
  Errors e;
  std::vector<double> relative;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto& [sum, size, steepness, potential_steepness, split, split_potential] = wanted[i];
    const double dx = double(sums[i].x - sum.x), dy = double(sums[i].y - sum.y),
                 dz = double(sums[i].z - sum.z);
    const double error = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double allowed = roundings * rounding * size + shift * steepness + lost * split;
    const double error_w = std::abs(double(potential ? sums[i].w - sum.w : sums[i].w));
    const double allowed_w = !potential ? 0
                                        : roundings * rounding * (std::abs(double(sum.w)) + split_potential) +
                                              shift * potential_steepness + lost * split_potential;
    const auto worse = [](double worst, double err, double bound) {  // NaN is worse than anything
      const double ratio = err == 0 ? 0 : err / bound;
      return ratio <= worst ? worst : ratio;
    };
    e.worst = worse(e.worst, error, allowed);
    e.worst_potential = worse(e.worst_potential, error_w, allowed_w);
    const double length = std::sqrt(double(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z));
    relative.push_back(error == 0 ? 0 : error / length);
  }
  if (relative.empty()) return e;
  std::nth_element(relative.begin(), relative.begin() + std::ptrdiff_t(relative.size() / 2), relative.end());
  e.median = relative[relative.size() / 2];
  return e;
}
template Errors errors<F32>(std::span<const Vec4<float>>, std::span<const Expected>, double, bool, double);
template Errors errors<F64>(std::span<const Vec4<double>>, std::span<const Expected>, double, bool, double);
template Errors errors<Mixed>(std::span<const Vec4<double>>, std::span<const Expected>, double, bool, double);

}  // namespace pleiad::conformance
