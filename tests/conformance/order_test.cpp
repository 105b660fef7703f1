/// Mixed precision errs as single precision rounds, whatever the order of the bodies and however far apart
/// they are: no origin and no order of the file may matter.
#include "scenes.hpp"

#include <pleiad/rng.hpp>

#include <cmath>
#include <numbers>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {

using List = std::vector<Mass<double>>;

template <class Place>
List bodies_in_no_order(std::size_t n, Place place) {
  List bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random random(31, i);
    const Vec3<double> x = place(random);
    bodies[i] = {x.x, x.y, x.z, (0.5 + random.uniform()) / double(n)};
  }
  return bodies;
}
Vec3<double> in_disc(Random& r) {
  const double radius = -std::log(r.uniform() * r.uniform()), angle = 2 * std::numbers::pi * r.uniform();
  return {radius * std::cos(angle), radius * std::sin(angle), 0};
}
/// Eight clumps of size 1e-3 on the corners of a cube.
Vec3<double> in_clumps(Random& r) {
  const auto side = [&] { return r.uniform() < 0.5 ? 0.0 : 1.0; };
  const Vec3<double> corner{side(), side(), side()};
  return corner + 1e-3 * r.uniform() * r.direction();
}
List one_far(std::size_t n, double distance) {
  auto bodies = bodies_in_no_order(n, [](Random& r) {
    return Vec3<double>{0.02 * r.uniform() - 0.01, 0.02 * r.uniform() - 0.01, 0.02 * r.uniform() - 0.01};
  });
  bodies[n / 3].x = distance;
  return bodies;
}

/// Of the errors of the first targets over the sums of their pulls' magnitudes, which do not cancel as the
/// pulls do: the worst one as a fraction of its bound, and the root mean square.
struct Found {
  double worst = 0, rms = 0;
};
/// Bound: 48 roundings of single precision of the sum of the pulls' magnitudes (see errors() in scenes.cpp).
/// A place moved by 2^-49 of the extent changes a pull by 2^-20 of itself at the most, because nearer pairs
/// are summed in double precision: 16 roundings more.
template <class P = Mixed>
Found found(const DirectKernel& kernel, const List& bodies, double eps, bool potential = false) {
  const auto sources = rounded<P>(bodies);
  const auto wide = widened<typename P::Position>(sources);
  const auto sums = run<P>(
      kernel,
      {.targets = sources, .sources = sources, .sums = {}, .softening = {eps}, .potential = potential});
  const std::size_t count = std::min<std::size_t>(bodies.size(), 400);
  const auto wanted = expected(std::span<const Mass<double>>(wide).first(count), wide, {eps}, {}, 0);
  Found f;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& sum = wanted[i].sum;
    const double dx = double(sums[i].x - sum.x), dy = double(sums[i].y - sum.y),
                 dz = double(sums[i].z - sum.z), error = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double relative = error == 0 ? 0 : error / wanted[i].size;
    if (!(relative <= f.worst)) f.worst = relative;
    f.rms += relative * relative / double(count);
  }
  f.worst /= 64 * 0x1p-24;
  f.rms = std::sqrt(f.rms);
  return f;
}

template <class Check>
void each_kernel(Check check) {
  for (const DirectKernel* kernel : kernels_here())
    if (kernel->mixed != nullptr && kernel->traits.simd)
      for (const bool potential : {false, true}) check(*kernel, potential);
}

}  // namespace

TEST(MixedInAnyOrder, IsAsExactAsItsRounding) {
  each_kernel([](const DirectKernel& kernel, bool potential) {
    for (const std::size_t n : {1, 2, 31, 33, 1023, 7919})
      for (const double eps : {0.0, 1e-3}) {
        EXPECT_LE(found(kernel, bodies_in_no_order(n, in_disc), eps, potential).worst, 1)
            << kernel.name << ", disc of " << n << ", eps " << eps;
        EXPECT_LE(found(kernel, bodies_in_no_order(n, in_clumps), eps / 100, potential).worst, 1)
            << kernel.name << ", clumps of " << n << ", eps " << eps / 100;
      }
  });
}

// Places that are floats leave only the roundings of the pulls and of their sums: mixed precision has these
// and no more. A half more, since other places have other roundings.
TEST(MixedInAnyOrder, ErrsAsSinglePrecisionDoesWhereBodiesAreAtFloats) {
  const auto disc = bodies_in_no_order(7919, in_disc), clumps = bodies_in_no_order(7919, in_clumps);
  each_kernel([&](const DirectKernel& kernel, bool potential) {
    EXPECT_LE(found(kernel, disc, 1e-3, potential).rms, 1.5 * found<F32>(kernel, disc, 1e-3, potential).rms)
        << kernel.name;
    EXPECT_LE(found(kernel, clumps, 1e-5, potential).rms,
              1.5 * found<F32>(kernel, clumps, 1e-5, potential).rms)
        << kernel.name;
  });
}

TEST(MixedInAnyOrder, ABodyFarAwayDoesNotSpoilTheOthers) {
  each_kernel([](const DirectKernel& kernel, bool potential) {
    for (const double distance : {1e4, 1e8, 1e12})
      for (const double eps : {0.0, 1e-3}) {
        EXPECT_LE(found(kernel, one_far(301, distance), eps, potential).worst, 1)
            << kernel.name << " " << distance << " eps " << eps;
        EXPECT_LE(found(kernel, one_far(1001, distance), eps, potential).worst, 1)
            << kernel.name << " " << distance << " eps " << eps;
      }
  });
}

TEST(MixedInAnyOrder, ANarrowPairPulls) {
  each_kernel([](const DirectKernel& kernel, bool potential) {
    for (const double apart : {1e-6, 1e-9, 1e-12, 1e-14})
      for (const std::size_t n : {2, 3, 200, 1000}) {
        auto bodies = bodies_in_no_order(n, in_disc);
        bodies[n / 2 - 1].x = 0.7, bodies[n / 2 - 1].y = 0.3;
        bodies[n / 2] = bodies[n / 2 - 1];
        bodies[n / 2].x += apart;
        EXPECT_LE(found(kernel, bodies, 0, potential).worst, 1)
            << kernel.name << ", " << apart << " apart among " << n;
      }
  });
}

// Images across the face of the box, where the difference of two floats is about the box's length.
TEST(MixedInAnyOrder, IsAsExactAcrossTheFacesOfABox) {
  each_kernel([](const DirectKernel& kernel, bool potential) {
    for (const double side : {1.0, 0.7}) {
      auto bodies = bodies_in_no_order(701, [&](Random& r) {
        const auto near_a_face = [&] { return side * (r.uniform() < 0.5 ? 1e-4 : 1 - 1e-4) * 1.0; };
        return Vec3<double>{near_a_face() + 1e-4 * side * (r.uniform() - 0.5),
                            near_a_face() + 1e-4 * side * (r.uniform() - 0.5),
                            near_a_face() + 1e-4 * side * (r.uniform() - 0.5)};
      });
      const Boundary box{true, {side, side, side}};
      const auto sums = run<Mixed>(kernel, {.targets = bodies,
                                            .sources = bodies,
                                            .sums = {},
                                            .softening = {1e-6},
                                            .boundary = box,
                                            .potential = potential});
      // In open space the same bodies, each where its image nearest to the corner is.
      auto gathered = bodies;
      for (auto& b : gathered)
        for (double* x : {&b.x, &b.y, &b.z})
          if (*x > side / 2) *x -= side;
      const auto wanted = expected(gathered, gathered, {1e-6}, {}, 0);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto& sum = wanted[i].sum;
        const double dx = double(sums[i].x - sum.x), dy = double(sums[i].y - sum.y),
                     dz = double(sums[i].z - sum.z);
        // Places that are wrapped in double precision move by 2^-53 of the side.
        ASSERT_LE(std::sqrt(dx * dx + dy * dy + dz * dz),
                  64 * 0x1p-24 * wanted[i].size + 4 * 0x1p-53 * side * wanted[i].steepness)
            << kernel.name << ", side " << side << ", body " << i;
      }
    }
  });
}
