/// All images of a periodic box: Ewald's sums, the oracle's and the kernel's.
#include "core/threads.hpp"
#include "cpu/target.hpp"
#include "reference/reference.hpp"
#include "scenes.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {

using Sums = std::vector<Vec4<long double>>;
const DirectKernel& kernel() { return direct_kernel("cpu/ewald"); }

Boundary box(Vec3<double> length) { return {.periodic = true, .length = length, .images = Images::all}; }
const Boundary unit = box({1, 1, 1});

/// The pull of a unit mass at the origin on `at`, and its potential there.
Vec4<long double> of_one(Vec3<double> at, double eps, const Boundary& boundary, long double splitting = 8) {
  const std::vector<Mass<double>> source{{0, 0, 0, 1}}, target{{at.x, at.y, at.z, 0}};
  return reference::pulls_of_all_images(target, source, {eps}, boundary.length, reference::none,
                                        splitting)[0];
}

template <class P>
void compare(std::span<const Mass<double>> bodies, double eps, const Boundary& boundary, std::size_t first,
             std::size_t count, std::ptrdiff_t self, const std::string& what) {
  const auto sources = rounded<P>(bodies);
  const auto wide = widened<typename P::Position>(sources);
  const auto wanted = expected(std::span(wide).subspan(first, count), wide, {eps}, boundary, self);
  for (const bool potential : {false, true}) {
    const auto sums = run<P>(kernel(), {.targets = std::span(sources).subspan(first, count),
                                        .sources = sources,
                                        .sums = {},
                                        .softening = {eps},
                                        .boundary = boundary,
                                        .self = self,
                                        .potential = potential});
    const auto& l = boundary.length;
    const Errors e = errors<P>(sums, wanted, std::max({l.x, l.y, l.z}), potential);
    EXPECT_LE(e.worst, 1) << what;
    EXPECT_LE(e.worst_potential, 1) << what;
  }
}

template <class P>
void compare_scenes() {
  for (const auto& scene : scenes()) {
    if (scene.name == "galaxy in cm" || (std::is_same_v<P, F32> && scene.name == "far away")) continue;
    for (const std::size_t n : {1, 2, 17, 150})
      compare<P>(bodies_of(scene, n, true), scene.eps, unit, 0, n, 0,
                 std::string(scene.name) + " " + std::to_string(n));
  }
}

}  // namespace

// C5: published values, to the digits that are given.
TEST(EwaldReference, GivesTheValuesOfACube) {
  EXPECT_LE(std::abs(of_one({0, 0, 0}, 0, unit).w - 2.837297479480619L), 1e-15L);
  const auto along = of_one({0.25, 0, 0}, 0, unit), diagonal = of_one({0.25, 0.25, 0.25}, 0, unit);
  EXPECT_LE(std::abs(along.x + 14.75354042354028L), 1e-14L);
  EXPECT_LE(std::abs(along.y), 1e-17L);
  for (const auto a : {diagonal.x, diagonal.y, diagonal.z})
    EXPECT_LE(std::abs(a + 2.35864577502747L), 1e-14L);
  EXPECT_LE(std::abs(of_one({0.5, 0, 0}, 0, unit).x), 1e-16L);
}

// Where the sum is divided is nobody's business; 1e-16 is some thousand terms of 1e-19.
TEST(EwaldReference, DoesNotDependOnTheSplitting) {
  for (const double eps : test::all_or(std::vector{0.0, 0.001, 0.1, 0.7}, {0.0, 0.1}))
    for (const auto& boundary : {unit, box({1, 2, 1.5})})
      for (const Vec3<double> at : {Vec3<double>{0.1, 0.2, 0.3}, {0.5, 0.5, 0.5}, {-0.3, 0.9, 0.01}}) {
        const auto one = of_one(at, eps, boundary, 8), other = of_one(at, eps, boundary, 3.5L);
        const auto scale = 1 / dot(at, at);
        EXPECT_LE(std::abs(one.x - other.x), 1e-16L * scale) << eps;
        EXPECT_LE(std::abs(one.y - other.y), 1e-16L * scale) << eps;
        EXPECT_LE(std::abs(one.z - other.z), 1e-16L * scale) << eps;
        EXPECT_LE(std::abs(one.w - other.w), 1e-15L * scale) << eps;
      }
}

// The mean of the potential over the box is 0: by the rule of midpoints, which is exact for all waves below
// 12 per side; softened by a quarter of the box, those of 12 are left with 4 pi / k^2 x K_1(x) = 8e-11 each,
// x = 2 pi 12 / 4.
TEST(EwaldReference, HasAPotentialWithoutMean) {
  const std::vector<Mass<double>> source{{0, 0, 0, 1}};
  std::vector<Mass<double>> grid;
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < 12; ++b)
      for (int c = 0; c < 12; ++c) grid.push_back({(a + 0.5) / 12, (b + 0.5) / 12, (c + 0.5) / 12, 0});
  long double sum = 0;
  for (const auto& s : reference::pulls(grid, source, {0.25}, unit, reference::none)) sum += s.w;
  EXPECT_LE(std::abs(sum / 1728), 1e-9L);
}

// Far from softening, all images softened alike lose 3/2 eps^2 / r^2 of their pull: the sum of that over all
// images, here for one that is near.
TEST(EwaldReference, SoftensNearPairsAsPlummer) {
  const double r = 0.01, eps = 0.02;
  const auto soft = of_one({r, 0, 0}, eps, unit), hard = of_one({r, 0, 0}, 0, unit);
  const double plummer = -r / std::pow(r * r + eps * eps, 1.5), newton = -1 / (r * r);
  // The rest changes by the sum over other images of 3/2 eps^2 r / R^5 and less: 6 eps^2 r.
  EXPECT_LE(std::abs(double(soft.x - hard.x) - (plummer - newton)), 20 * eps * eps * r);
}

TEST(EwaldReference, FulfilsTheThirdLawAndPullsNoLattice) {
  const auto bodies = bodies_of(scenes()[0], 20, true);
  const auto sums = reference::pulls(bodies, bodies, {0.03}, box({1, 1.2, 0.9}));
  Vec3<long double> total{};
  for (std::size_t i = 0; i < bodies.size(); ++i) total += (long double)(bodies[i].m) * sums[i].xyz();
  EXPECT_LE(norm(total), 1e-15L);
  std::vector<Mass<double>> lattice;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 4; ++b)
      for (int c = 0; c < 2; ++c) lattice.push_back({a / 4.0, b / 4.0, c / 2.0, 1});
  for (const auto& s : reference::pulls(lattice, lattice, {}, box({0.75, 1, 1})))
    EXPECT_LE(norm(s.xyz()), 1e-15L);
}

TEST(EwaldKernel, AgreesWithTheReferenceF32) { compare_scenes<F32>(); }
TEST(EwaldKernel, AgreesWithTheReferenceF64) { compare_scenes<F64>(); }
TEST(EwaldKernel, AgreesWithTheReferenceMixed) { compare_scenes<Mixed>(); }

TEST(EwaldKernel, TakesAnyBoxSofteningAndPlace) {
  auto bodies = bodies_of(scenes()[0], 60, true);
  for (std::size_t i = 0; i < 60; i += 7) bodies[i].x += 3, bodies[i].y -= 2;
  bodies[11] = bodies[12];  // coincident
  for (const auto& boundary : {unit, box({2, 1, 1.25}), box({1, 1, 2})})
    for (const double eps : test::all_or(std::vector{0.0, 0.001, 0.2, 1.0}, {0.0, 0.2})) {
      const std::string what = "eps " + std::to_string(eps) + ", z " + std::to_string(boundary.length.z);
      compare<F64>(bodies, eps, boundary, 0, 60, 0, what);
      compare<Mixed>(bodies, eps, boundary, 0, 60, 0, what);
      compare<F64>(bodies, eps, boundary, 13, 31, 13, what + ", a part");
      if (eps > 0) compare<F64>(bodies, eps, boundary, 13, 31, reference::none, what + ", of itself");
    }
}

TEST(EwaldKernel, AgreesOnEveryInstructionSet) {
  for (const std::string_view target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    const auto bodies = bodies_of(scenes()[1], 101, true);
    compare<F32>(bodies, 0.01, unit, 0, 101, 0, std::string(target));
    compare<F64>(bodies, 0.01, unit, 0, 101, 0, std::string(target));
    compare<Mixed>(bodies, 0.01, unit, 0, 101, 0, std::string(target));
  }
  cpu::use_simd_target("");
}

// All but the splitting's error cancels in a lattice; sums of 512 pulls of up to 64 round.
TEST(EwaldKernel, PullsNoLattice) {
  std::vector<Mass<double>> lattice;
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      for (int c = 0; c < 8; ++c) lattice.push_back({a / 8.0, b / 8.0, c / 8.0, 1.0 / 512});
  const auto sums =
      run<F64>(kernel(), {.targets = lattice, .sources = lattice, .sums = {}, .boundary = unit});
  for (const auto& s : sums) EXPECT_LE(norm(s.xyz()), 1e-12);
}

TEST(EwaldKernel, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto same = []<class P>(P) {
    const auto bodies = rounded<P>(bodies_of(scenes()[2], 1500, true));
    std::vector<Vec4<typename P::Sum>> first;
    for (const int count : {1, 2, 7, 3}) {
      set_threads(count);
      const auto sums = run<P>(kernel(), {.targets = bodies,
                                          .sources = bodies,
                                          .sums = {},
                                          .softening = {0.01},
                                          .boundary = unit,
                                          .potential = true});
      if (first.empty()) first = sums;
      EXPECT_EQ(std::memcmp(first.data(), sums.data(), sums.size() * sizeof(sums[0])), 0) << count;
    }
    set_threads(0);
  };
  same(F32{}), same(F64{}), same(Mixed{});
}

TEST(EwaldKernel, RefusesWhatIsNoBox) {
  const std::vector<Mass<double>> one{{0, 0, 0, 1}};
  const auto refusal = [&](const DirectKernel& k, const Boundary& boundary) -> std::string {
    try {
      run<F64>(k, {.targets = one, .sources = one, .sums = {}, .boundary = boundary});
    } catch (const UsageError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal(kernel(), {}).find("all images"), std::string::npos);
  EXPECT_NE(refusal(kernel(), {true, {1, 1, 1}}).find("all images"), std::string::npos);
  EXPECT_NE(refusal(kernel(), box({1, 1, 0})).find("three sides"), std::string::npos);
  EXPECT_NE(refusal(kernel(), box({1, 1, 9})).find("factor of 8"), std::string::npos);
  for (const auto* k : kernels_here())
    EXPECT_NE(refusal(*k, unit).find("cpu/ewald"), std::string::npos) << k->name;
}
