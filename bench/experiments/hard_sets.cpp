#include "bench/experiments/promises.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// Adds bodies of equal mass, in an order that says nothing about their places.
class Builder {
 public:
  Builder(std::size_t n, std::uint64_t seed) : n_(n), random_(seed, 0) {}

  Random& random() { return random_; }
  std::size_t part(double fraction) const { return std::size_t(std::llround(fraction * double(n_))); }
  std::size_t left() const { return n_ - std::min(n_, places_.size()); }
  void add(Vec3<double> place) { places_.push_back(place); }
  /// Radius of the mass fraction u of a sphere.
  template <class Radius>
  void sphere(std::size_t count, Vec3<double> centre, const Radius& radius) {
    for (std::size_t k = 0; k < count; ++k) {
      const double r = radius(random_.uniform());
      add(centre + r * random_.direction());
    }
  }
  void plummer(std::size_t count, double scale, Vec3<double> centre = {}) {
    sphere(count, centre, [&](double u) {
      const double inside = 0.001 + 0.998 * u;
      return scale / std::sqrt(std::pow(inside, -2.0 / 3) - 1);
    });
  }
  Bodies bodies(double heavy = 0) {
    for (std::size_t k = places_.size(); k > 1; --k) std::swap(places_[k - 1], places_[random_.bits() % k]);
    Bodies b;
    const double each = (1 - heavy) / double(places_.size());
    for (const auto& place : places_) b.add(each, place, {});
    return b;
  }

 private:
  std::size_t n_;
  Random random_;
  std::vector<Vec3<double>> places_;
};

Bodies core(std::size_t n, std::uint64_t seed, double fraction, double scale) {
  Builder b(n, seed);
  b.plummer(b.part(fraction), scale);
  b.plummer(b.left(), 1);
  return b.bodies();
}
Bodies core_in_halo(std::size_t n, std::uint64_t seed) { return core(n, seed, 0.6, 1e-3); }
Bodies large_core(std::size_t n, std::uint64_t seed) { return core(n, seed, 0.7, 1e-2); }
Bodies tiny_core(std::size_t n, std::uint64_t seed) { return core(n, seed, 0.55, 1e-4); }

/// The cusp of a Jaffe sphere: density r^-2 (1 + r)^-2, mass r / (1 + r).
Bodies cusp(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  b.sphere(n, {}, [](double u) { return std::min(u, 0.99) / (1 - std::min(u, 0.99)); });
  return b.bodies();
}

/// A homogeneous cube without the bodies of a sphere, in which a few are left.
Bodies empty_sphere(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  const std::size_t inside = b.part(0.03);
  b.sphere(inside, {}, [](double u) { return 0.35 * std::cbrt(u); });
  while (b.left() > 0) {
    const Vec3<double> place{b.random().uniform() - 0.5, b.random().uniform() - 0.5,
                             b.random().uniform() - 0.5};
    if (norm(place) > 0.4) b.add(place);
  }
  return b.bodies();
}

/// A thin shell, within which pulls cancel.
Bodies shell(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  b.sphere(b.part(0.1), {}, [](double u) { return 0.8 * std::cbrt(u); });
  b.sphere(b.left(), {}, [](double u) { return 1 + 0.01 * u; });
  return b.bodies();
}

/// A lattice in a ball, displaced by a plane wave.
Bodies wave(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  const double spacing = std::cbrt(4 * std::numbers::pi / 3 / double(n));
  const int most = int(1.5 / spacing) + 1;
  std::vector<Vec3<double>> places;
  for (int i = -most; i <= most; ++i)
    for (int j = -most; j <= most; ++j)
      for (int k = -most; k <= most; ++k) places.push_back({i * spacing, j * spacing, k * spacing});
  std::ranges::stable_sort(places, {}, [](const Vec3<double>& x) { return norm(x); });
  for (std::size_t k = 0; k < n; ++k) {
    auto x = places[k];
    x.x += 0.05 * spacing * std::sin(2 * std::numbers::pi * x.x);
    b.add(x);
  }
  return b.bodies();
}

Bodies far_clusters(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  b.plummer(b.part(0.5), 0.05, {-100, 0, 0});
  b.plummer(b.part(0.45), 0.5, {100, 30, 0});
  b.plummer(b.left(), 20);
  return b.bodies();
}

Bodies disc_with_bulge(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  b.plummer(b.part(0.3), 0.02);
  while (b.left() > 0) {
    const double r = -std::log(std::max(1e-9, b.random().uniform() * b.random().uniform())),
                 angle = 2 * std::numbers::pi * b.random().uniform();
    b.add({r * std::cos(angle), r * std::sin(angle), 0.01 * (b.random().uniform() - 0.5)});
  }
  return b.bodies();
}

/// Knots along a line, of sizes that differ by factors of two.
Bodies filament(std::size_t n, std::uint64_t seed) {
  Builder b(n, seed);
  constexpr int knots = 12;
  for (int k = 0; k < knots; ++k)
    b.plummer(std::min(b.left(), b.part(0.06)), 0.3 * std::pow(2.0, -k), {double(k), 0.2 * std::sin(k), 0});
  while (b.left() > 0)
    b.add({knots * b.random().uniform(), 0.1 * (b.random().uniform() - 0.5),
           0.1 * (b.random().uniform() - 0.5)});
  return b.bodies();
}

/// One body has half of the mass.
Bodies black_hole(std::size_t n, std::uint64_t seed) {
  Builder b(n - 1, seed);
  b.sphere(n - 1, {}, [](double u) { return 0.001 + 5 * std::pow(u, 4.0 / 3); });
  auto bodies = b.bodies(0.5);
  bodies.add(0.5, {}, {});
  return bodies;
}

constexpr std::array all{
    HardSet{"core", "60 % in a Plummer sphere of scale 1e-3, the others in one of scale 1", 1e-5,
            core_in_halo},
    HardSet{"large-core", "70 % in a Plummer sphere of scale 1e-2", 1e-4, large_core},
    HardSet{"tiny-core", "55 % in a Plummer sphere of scale 1e-4", 1e-6, tiny_core},
    HardSet{"cusp", "a Jaffe sphere: density r^-2 at the centre", 1e-4, cusp},
    HardSet{"void", "a cube with an empty sphere, in which 3 % are left", 1e-3, empty_sphere},
    HardSet{"shell", "a thin shell, and 10 % within it", 1e-3, shell},
    HardSet{"wave", "a lattice in a ball, displaced by a plane wave", 1e-3, wave},
    HardSet{"far-clusters", "two clusters, 200 apart, and a thin halo", 1e-4, far_clusters},
    HardSet{"disc", "a thin disc with a dense bulge", 1e-3, disc_with_bulge},
    HardSet{"filament", "twelve knots along a line, each half as large as the last", 1e-5, filament},
    HardSet{"black-hole", "one body with half of the mass in a cusp", 1e-4, black_hole},
};

}  // namespace

std::span<const HardSet> hard_sets() { return all; }

const HardSet& hard_set_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& set : all) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  throw UsageError(fmt::format("no set '{}' of this experiment: it is one of {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

}  // namespace pleiad::bench
