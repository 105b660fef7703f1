/// What the law of gravity itself demands of every kernel: softening, potential against force, lattices,
/// momentum.
#include "scenes.hpp"

#include <cmath>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {
template <class F>
void for_each_kernel(F f) {
  for (const DirectKernel* kernel : kernels_here()) {
    if (kernel->f32) f.template operator()<F32>(*kernel);
    if (kernel->f64) f.template operator()<F64>(*kernel);
    if (kernel->mixed) f.template operator()<Mixed>(*kernel);
  }
}
template <class P>
constexpr bool single = std::is_same_v<typename P::Math, float>;
template <class P>
std::string_view precision_name() {
  return std::is_same_v<P, F32> ? "f32" : std::is_same_v<P, F64> ? "f64" : "mixed";
}
}  // namespace

// C6. One pair, so a dozen roundings: 1e-14 leaves 90 of them, 2e-6 33.
TEST(Softening, IsPlummersFromFarInsideToFarOutside) {
  for_each_kernel([]<class P>(const DirectKernel& kernel) {
    using T = typename P::Position;
    const double eps = 0.125, bound = single<P> ? 2e-6 : 1e-14;
    for (double ratio = 1e-3; ratio <= 1e3; ratio *= 1.25) {
      const T r = T(ratio * eps);
      const std::vector<Mass<T>> bodies{{0, 0, 0, 1}, {0, r, 0, 2}};
      for (const bool potential : {false, true}) {
        const auto sums = run<P>(
            kernel,
            {.targets = bodies, .sources = bodies, .sums = {}, .softening = {eps}, .potential = potential});
        const long double r2 = (long double)r * r + eps * eps;
        const double force = double(2 * r / (r2 * std::sqrt(r2))), phi = double(-2 / std::sqrt(r2));
        EXPECT_LE(std::abs(sums[0].y / force - 1), bound)
            << kernel.name << " " << precision_name<P>() << " r/eps " << ratio;
        EXPECT_LE(std::abs(sums[1].y / force + 0.5), bound)
            << kernel.name << " " << precision_name<P>() << " r/eps " << ratio;
        EXPECT_LE(std::abs(sums[0].w - (potential ? phi : 0)), -bound * phi)
            << kernel.name << " r/eps " << ratio;
        EXPECT_EQ(sums[0].x, 0);
        EXPECT_EQ(sums[0].z, 0);
      }
    }
  });
}

// The central difference of step h errs by h^2 phi'''/6 and by the rounding of phi over h. With phi ~ 10,
// phi''' <= 10 / eps^3 = 10^4 and h = 1e-5: 2e-7 and 10 * 1e-16 / 1e-5 = 1e-10, against |a| ~ 1; for single
// precision the difference would be noise.
TEST(Potential, HasTheForceAsItsGradient) {
  for (const DirectKernel* kernel : kernels_here()) {
    if (!kernel->f64 || !kernel->traits.separate_targets) continue;
    const auto sources = bodies_of(scenes()[0], 200, false);
    const double h = 1e-5, eps = 0.1;
    const Vec3<double> at{0.4, 0.55, 0.5};
    std::vector<Mass<double>> targets{{at.x, at.y, at.z, 0}};
    for (const double s : {h, -h}) {
      targets.push_back({at.x + s, at.y, at.z, 0});
      targets.push_back({at.x, at.y + s, at.z, 0});
      targets.push_back({at.x, at.y, at.z + s, 0});
    }
    const auto sums = run<F64>(*kernel, {.targets = targets,
                                         .sources = sources,
                                         .sums = {},
                                         .softening = {eps},
                                         .self = PairProblem<F64>::none,
                                         .potential = true});
    const double gradient[] = {sums[1].w - sums[4].w, sums[2].w - sums[5].w, sums[3].w - sums[6].w};
    const double force[] = {sums[0].x, sums[0].y, sums[0].z};
    for (int c = 0; c < 3; ++c)
      EXPECT_LE(std::abs(gradient[c] / (2 * h) + force[c]), 1e-6) << kernel->name << " axis " << c;
  }
}

// C4. A square lattice in a periodic box pulls nowhere: for odd n by symmetry, for even n because ties count
// as 0. In single precision the odd lattice's spacing 1/n is rounded by 2^-25, so each pull is off by 2 *
// 2^-25 / spacing, in random directions.
TEST(Lattice, OfAPeriodicSquarePullsNowhere) {
  for_each_kernel([]<class P>(const DirectKernel& kernel) {
    using T = typename P::Position;
    if (!kernel.traits.periodic) return;
    for (const int n : {3, 4, 7, 8, 15, 16}) {
      std::vector<Mass<T>> bodies;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) bodies.push_back({T(i) / T(n), T(j) / T(n), 0, T(1)});
      const Boundary box{true, {1, 1, 0}};
      const auto wide = widened<T>(bodies);
      const auto wanted = expected(wide, wide, {}, box, 0);
      const double bound = single<P> ? 1e-6 * (n % 2 ? n : 1) : 1e-13;
      const auto sums = run<P>(kernel, {.targets = bodies, .sources = bodies, .sums = {}, .boundary = box});
      for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_LE(std::abs(sums[i].x), bound * wanted[i].size)
            << kernel.name << " " << precision_name<P>() << " n " << n << " body " << i;
        EXPECT_LE(std::abs(sums[i].y), bound * wanted[i].size)
            << kernel.name << " " << precision_name<P>() << " n " << n << " body " << i;
      }
    }
  });
}

// P10. The forces of a closed system cancel: to rounding of the sums, which is 1e-14 and 1e-6 of the sum of
// their magnitudes. Pairs that are computed once cancel exactly before they are summed, so there only the
// sums' rounding is left: the same bounds hold more easily.
TEST(Momentum, OfAllForcesIsZero) {
  for_each_kernel([]<class P>(const DirectKernel& kernel) {
    const auto bodies = rounded<P>(bodies_of(scenes()[2], 1500, false));
    const auto sums = run<P>(kernel, {.targets = bodies, .sources = bodies, .sums = {}, .softening = {0.01}});
    double total[3] = {}, size = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double m = bodies[i].m, a[] = {double(sums[i].x), double(sums[i].y), double(sums[i].z)};
      for (int c = 0; c < 3; ++c) total[c] += m * a[c];
      size += m * std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    for (const double t : total)
      EXPECT_LE(std::abs(t), (single<P> ? 1e-6 : 1e-14) * size) << kernel.name << " " << precision_name<P>();
  });
}

// P9. Powers of two commute with rounding, so they must commute with every kernel.
TEST(Masses, TimesAPowerOfTwoGiveForcesTimesIt) {
  for_each_kernel([]<class P>(const DirectKernel& kernel) {
    using T = typename P::Position;
    auto bodies = rounded<P>(bodies_of(scenes()[0], 100, false));
    const auto once = run<P>(
        kernel, {.targets = bodies, .sources = bodies, .sums = {}, .softening = {0.01}, .potential = true});
    for (auto& b : bodies) b.m *= T(0x1p20);
    const auto more = run<P>(
        kernel, {.targets = bodies, .sources = bodies, .sums = {}, .softening = {0.01}, .potential = true});
    for (std::size_t i = 0; i < once.size(); ++i) {
      ASSERT_EQ(more[i].x, once[i].x * typename P::Sum(0x1p20)) << kernel.name << " " << precision_name<P>();
      ASSERT_EQ(more[i].w, once[i].w * typename P::Sum(0x1p20)) << kernel.name << " " << precision_name<P>();
    }
  });
}
