#include "scenes.hpp"

#include "core/larger.hpp"
#include "reference/reference.hpp"

#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

namespace pleiad::tree_test {
namespace {

Masses of_model(std::string_view name, std::size_t n, std::uint64_t seed = 1) {
  const std::vector<std::string> settings{"n=" + std::to_string(n)};
  const auto bodies = make_model(name, settings, seed).bodies;
  Masses out;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    out.push_back({bodies.x[i], bodies.y[i], bodies.z[i], bodies.mass[i]});
  return out;
}

/// Clump k of 64: size 0.01 to 1, anywhere in a cube of sides 20.
Masses clumps(std::size_t n) {
  std::mt19937_64 random(64);
  std::uniform_real_distribution<double> place(-10, 10);
  std::array<Vec3<double>, 64> centres;
  for (auto& c : centres) c = {place(random), place(random), place(random)};
  Masses out;
  const auto sphere = plummer(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = i % centres.size();
    const double size = 0.01 * std::pow(100.0, double(k) / 63);
    const auto p = centres[k] + size * sphere[i].position();
    out.push_back({p.x, p.y, p.z, sphere[i].m});
  }
  return out;
}

Masses sheet(std::size_t n) {
  auto out = random_cube(n, 7);
  for (auto& b : out) b.z *= 1e-3;
  return out;
}

Masses cluster_in_halo(std::size_t n) {
  const std::vector<std::string> king{"n=" + std::to_string(n / 2), "W0=9"};
  const auto cluster = make_model("king", king, 3).bodies;
  Masses out = of_model("nfw", n - n / 2, 4);
  for (auto& b : out) b.x *= 10, b.y *= 10, b.z *= 10;
  for (std::size_t i = 0; i < cluster.size(); ++i)
    out.push_back(
        {3 + 0.05 * cluster.x[i], 0.05 * cluster.y[i], 0.05 * cluster.z[i], 0.02 * cluster.mass[i]});
  return out;
}

constexpr std::array all_scenes{
    Scene{"plummer", 1e-3, plummer},
    Scene{"clumps", 0.02, clumps},
    Scene{"sheet", 1e-3, sheet},
    Scene{"galaxies", 0.2, [](std::size_t n) { return of_model("encounter", n); }},
    Scene{"cluster in halo", 1e-3, cluster_in_halo},
};

double at(std::vector<double>& sorted, double part) {
  return sorted[std::min(sorted.size() - 1, std::size_t(part * double(sorted.size())))];
}

}  // namespace

std::span<const Scene> scenes() { return all_scenes; }
const Scene& scene(std::string_view name) {
  for (const auto& s : all_scenes)
    if (s.name == name) return s;
  throw std::invalid_argument("no scene " + std::string(name));
}

Masses plummer(std::size_t n) {
  // Not the model's: uncut, with its farthest bodies a thousand scales away, and draws of this file's own.
  constexpr double scale = 3 * std::numbers::pi / 16;
  Masses out;
  Vec3<double> centre;
  for (std::size_t i = 0; i < n; ++i) {
    Random random(1, i);
    const double m = std::cbrt(random.uniform());
    const auto p = random.direction() * (scale * m / std::sqrt((1 - m) * (1 + m)));
    centre += p * (1 / double(n));
    out.push_back({p.x, p.y, p.z, 1 / double(n)});
  }
  for (auto& b : out) b.x -= centre.x, b.y -= centre.y, b.z -= centre.z;
  return out;
}

Masses random_cube(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(-1, 1), mass(0.5, 1.5);
  Masses out;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = place(random), y = place(random), z = place(random);
    out.push_back({x, y, z, mass(random) / double(n)});
  }
  return out;
}

Masses rounded(Masses bodies) {
  for (auto& b : bodies) b = {float(b.x), float(b.y), float(b.z), float(b.m)};
  return bodies;
}

std::vector<Exact> exact(std::span<const Mass<double>> bodies, double eps, std::size_t count) {
  const std::size_t n = bodies.size(), step = std::max<std::size_t>(1, n / count);
  std::vector<std::size_t> subset;
  for (std::size_t i = 0; i < n; i += step) subset.push_back(i);
  const auto sums = reference::pulls(subset, bodies, {eps}, {});
  std::vector<Exact> out;
  for (std::size_t k = 0; k < subset.size(); ++k) {
    const auto& s = sums[k];
    Exact e{.body = subset[k], .sum = {double(s.x), double(s.y), double(s.z), double(s.w)}};
    const auto here = bodies[e.body].position();
    for (std::size_t j = 0; j < n; ++j) {
      const auto d = bodies[j].position() - here;
      const double r2 = dot(d, d) + eps * eps;
      if (j != e.body && r2 > 0) e.size += bodies[j].m / r2;
    }
    out.push_back(e);
  }
  return out;
}

template <class T>
Errors errors(std::span<const Vec4<T>> sums, std::span<const Exact> exact) {
  Errors out;
  std::vector<double> relative;
  for (const auto& e : exact) {
    const auto& s = sums[e.body];
    const Vec3<double> a{double(s.x), double(s.y), double(s.z)};
    const double da = norm(a - e.sum.xyz()), dw = std::abs(double(s.w) - e.sum.w);
    if (!std::isfinite(da + dw)) {
      ++out.not_finite;
      continue;
    }
    // A body that nothing pulls on must not be pulled at all.
    relative.push_back(da == 0 ? 0 : da / norm(e.sum.xyz()));
    take_larger(out.share, da == 0 ? 0 : da / e.size);
    take_larger(out.potential, dw == 0 ? 0 : dw / std::abs(e.sum.w));
  }
  if (relative.empty()) return out;
  std::sort(relative.begin(), relative.end());
  out.p50 = at(relative, 0.5), out.p99 = at(relative, 0.99), out.max = relative.back();
  return out;
}
template Errors errors(std::span<const Vec4<float>>, std::span<const Exact>);
template Errors errors(std::span<const Vec4<double>>, std::span<const Exact>);

}  // namespace pleiad::tree_test
