/// Every kernel of the catalogue against the oracle: sizes, scenes, boundaries, precisions, instruction sets.
#include "cpu/direct/frame.hpp"
#include "cpu/target.hpp"
#include "scenes.hpp"
#include "sizes.hpp"

using namespace pleiad;
using namespace pleiad::conformance;

namespace {

struct Case {
  const DirectKernel& kernel;
  const Scene& scene;
  std::size_t n;
  bool periodic, potential;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.kernel.name << " on " << simd_target() << ", " << c.scene.name << ", N = " << c.n
             << (c.periodic ? ", periodic" : ", open") << (c.potential ? ", potential" : "");
}

/// Targets and where they are among the sources.
struct View {
  std::size_t first, count;
  std::ptrdiff_t self;
};

/// All kernels on one scene: the oracle is asked once.
template <class P>
void compare(const Scene& scene, std::size_t n, bool periodic, View view, bool only_simd = false) {
  if (std::is_same_v<P, F32> && scene.name == "far away")
    return;  // its positions are 1000 times coarser than its structure
  const auto sources = rounded<P>(bodies_of(scene, n, periodic));
  const auto targets = std::span(sources).subspan(view.first, view.count);
  const auto wide = widened<typename P::Position>(sources);
  const Softening softening{scene.eps};
  const Boundary boundary{periodic, {1, 1, scene.name == "flat" ? 0.0 : 1.0}};
  if (periodic && scene.name == "galaxy in cm") return;
  const auto wanted =
      expected(std::span(wide).subspan(view.first, view.count), wide, softening, boundary, view.self);
  for (const DirectKernel* kernel : kernels_here())
    for (const bool potential : {false, true}) {
      if (!kernel->has(std::is_same_v<P, F32>   ? Precision::f32
                       : std::is_same_v<P, F64> ? Precision::f64
                                                : Precision::mixed))
        continue;
      if (periodic && !kernel->traits.periodic) continue;
      if ((view.self != 0 || view.count != n) && !kernel->traits.separate_targets) continue;
      if (only_simd && !kernel->traits.simd) continue;
      const auto sums = run<P>(*kernel, {.targets = targets,
                                         .sources = sources,
                                         .sums = {},
                                         .softening = softening,
                                         .boundary = boundary,
                                         .self = view.self,
                                         .potential = potential});
      const Case now{*kernel, scene, n, periodic, potential};
      const Errors e = errors<P>(sums, wanted, periodic ? 1 : extent_of(wide), potential);
      EXPECT_LE(e.worst, 1) << now;
      EXPECT_LE(e.worst_potential, 1) << now;
      // C7; in a periodic box |a| itself is a difference of large pulls, and few bodies have no median.
      if (!periodic && n >= 31 && (scene.compact || !std::is_same_v<P, Mixed>)) {
        EXPECT_LE(e.median, (std::is_same_v<P, F64> ? 1e-13 : 5e-7)) << now;
      }
    }
}
template <class P>
void compare_all(std::size_t n) {
  for (const Scene& scene : scenes())
    for (const bool periodic : {false, true}) compare<P>(scene, n, periodic, {0, n, 0});
}

constexpr std::array<std::size_t, 18> sizes{0,  1,  2,  3,  5,   15,  16,  17,  31,
                                            33, 63, 64, 65, 127, 129, 255, 256, 257};
constexpr std::array<std::size_t, 5> large{511, 513, 1023, 1025, 2049};

}  // namespace

TEST(Conformance, EveryDirectKernelAgreesWithTheReferenceF32) {
  for (const auto n : sizes) compare_all<F32>(n);
}
TEST(Conformance, EveryDirectKernelAgreesWithTheReferenceF64) {
  for (const auto n : sizes) compare_all<F64>(n);
}
TEST(Conformance, EveryDirectKernelAgreesWithTheReferenceMixed) {
  for (const auto n : sizes) compare_all<Mixed>(n);
}

TEST(Conformance, AlsoForManyBodies) {
  for (const auto n : large) {
    for (const std::size_t s : test::all_or(std::vector<std::size_t>{0, 2, 7, 13}, {7})) {
      const Scene& scene = scenes()[s];
      compare<F32>(scene, n, n % 4 == 1, {0, n, 0});
      compare<F64>(scene, n, n % 4 == 1, {0, n, 0});
      compare<Mixed>(scene, n, n % 4 == 1, {0, n, 0});
    }
  }
  compare<F64>(scenes()[8], 1025, false, {0, 1025, 0});
}

TEST(Conformance, TargetsMayBeOthersThanTheSources) {
  // A slice of the sources that knows its place, and one that does not and so meets itself at distance zero.
  for (const std::ptrdiff_t self : {std::ptrdiff_t(70), PairProblem<F64>::none})
    for (const std::size_t s : {0, 1, 7})
      for (const bool periodic : {false, true}) {
        compare<F32>(scenes()[s], 403, periodic, {70, 261, self});
        compare<F64>(scenes()[s], 403, periodic, {70, 261, self});
        compare<Mixed>(scenes()[s], 403, periodic, {70, 261, self});
      }
}

TEST(Conformance, EveryInstructionSetOfThisMachineAgrees) {
  for (const std::string_view target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    EXPECT_EQ(simd_target(), target);
    for (const Scene& scene : scenes())
      for (const bool periodic : {false, true})
        for (const std::size_t n : {33, 301}) {
          compare<F32>(scene, n, periodic, {0, n, 0}, true);
          compare<F64>(scene, n, periodic, {0, n, 0}, true);
          compare<Mixed>(scene, n, periodic, {0, n, 0}, true);
        }
  }
  cpu::use_simd_target("");
}

// The units and the origin of a kernel rest on it; a wrong one would only cost accuracy, so no comparison of
// forces would show it.
TEST(Bounds, AreThoseOfAPlainLoop) {
  for (const std::string_view target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    for (const std::size_t n : {1, 2, 3, 7, 8, 9, 33, 100}) {
      auto bodies = bodies_of(scenes()[10], n, false);
      for (auto& b : bodies) b.y += 3, b.z -= 7;
      Mass<double> low = bodies[0], high = low;
      for (const auto& b : bodies) {
        low = {std::min(low.x, b.x), std::min(low.y, b.y), std::min(low.z, b.z), std::min(low.m, b.m)};
        high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z), std::max(high.m, b.m)};
      }
      const auto bounds = cpu::bounds_of<double>(bodies);
      EXPECT_TRUE(bounds.low.x == low.x && bounds.low.y == low.y && bounds.low.z == low.z &&
                  bounds.low.m == low.m)
          << target << " " << n;
      EXPECT_TRUE(bounds.high.x == high.x && bounds.high.y == high.y && bounds.high.z == high.z &&
                  bounds.high.m == high.m)
          << target << " " << n;
    }
  }
  cpu::use_simd_target("");
}
