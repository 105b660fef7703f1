/// Accelerations and jerks for Hermite integrators against the oracle and against a difference in time.
#include "cpu/jerk.hpp"

#include "core/threads.hpp"
#include "cpu/target.hpp"
#include "reference/reference.hpp"
#include "scenes.hpp"

#include <pleiad/rng.hpp>

#include <cmath>
#include <cstring>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {
std::vector<Vec4<double>> velocities(std::size_t n) {
  std::vector<Vec4<double>> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(9, i);
    v[i] = {r.normal(), r.normal(), r.normal(), 0};
  }
  return v;
}
std::vector<Mass<double>> moved(std::vector<Mass<double>> x, const std::vector<Vec4<double>>& v, double t) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i].x += t * v[i].x, x[i].y += t * v[i].y, x[i].z += t * v[i].z;
  return x;
}
struct Answer {
  std::vector<Vec4<double>> a, j;
};
Answer answer(const std::vector<Mass<double>>& x, const std::vector<Vec4<double>>& v, Softening softening,
              Boundary boundary) {
  Answer out{std::vector<Vec4<double>>(x.size()), std::vector<Vec4<double>>(x.size())};
  cpu::add_acceleration_and_jerk({x, v}, {x, v}, out.a, out.j, softening, boundary);
  return out;
}
}  // namespace

TEST(Jerk, OfSourcesInPartsHasTheSameBits) {
  constexpr std::size_t n = 301;
  std::vector<Mass<double>> x;
  for (std::size_t i = 0; i < n; ++i) {
    Random r(3, i);
    x.push_back({r.normal(), r.normal(), r.normal(), r.uniform()});
  }
  const auto v = velocities(n);
  const auto whole = answer(x, v, {}, {});
  Answer parts{std::vector<Vec4<double>>(n), std::vector<Vec4<double>>(n)};
  const auto add = [&](std::size_t begin, std::size_t end) {
    cpu::add_acceleration_and_jerk({x, v},
                                   {std::span<const Mass<double>>(x).subspan(begin, end - begin),
                                    std::span<const Vec4<double>>(v).subspan(begin, end - begin)},
                                   parts.a, parts.j, {}, {});
  };
  add(0, 100), add(100, 100), add(100, n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(parts.a[i].xyz(), whole.a[i].xyz()) << i;
    EXPECT_EQ(parts.j[i].xyz(), whole.j[i].xyz()) << i;
  }
}

// A single pair by hand: d = (3, 0, 4), r = 5, m = 125, dv = (1, 2, 0): a = d, j = dv - 3 (3/25) d.
TEST(Jerk, OfAPairIsTheOneByHand) {
  const std::vector<Mass<double>> x{{0, 0, 0, 0}, {3, 0, 4, 125}};
  const std::vector<Vec4<double>> v{{0, 0, 0, 0}, {1, 2, 0, 0}};
  const auto [a, j] = answer(x, v, {}, {});
  EXPECT_LE(std::abs(a[0].x - 3) + std::abs(a[0].z - 4), 1e-14);
  EXPECT_LE(std::abs(j[0].x + 0.08) + std::abs(j[0].y - 2) + std::abs(j[0].z + 1.44), 1e-14);
}

// The oracle's accelerations at t +- h: the difference errs by h^2 a'''/6, with |a'''| / |a| about (v/eps)^3
// = 1e4 for eps = 0.1 (a few times more in the tail): 1e-10 * 1e4 of |a| for h = 1e-5, and by the positions'
// rounding over h, 1e-16 / 1e-5 * |grad a|: less.
TEST(Jerk, IsTheChangeOfTheAcceleration) {
  for (const std::string_view target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    for (const bool periodic : {false, true})
      for (const std::size_t n : {0, 1, 2, 7, 8, 9, 300}) {
        const Softening softening{0.1};
        const Boundary boundary{periodic, {4, 4, 4}};
        const auto x = bodies_of(scenes()[0], n, false);
        const auto v = velocities(n);
        const double h = 1e-5;
        const auto [a, j] = answer(x, v, softening, boundary);
        const auto now = expected(x, x, softening, boundary, 0);
        const auto late = moved(x, v, h), early = moved(x, v, -h);
        const auto after = reference::pulls(late, late, softening, boundary),
                   before = reference::pulls(early, early, softening, boundary);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_LE(std::abs(double(a[i].x - now[i].sum.x)), 1e-14 * now[i].size) << target << " body " << i;
          const double slope = double(after[i].y - before[i].y) / (2 * h);
          EXPECT_LE(std::abs(j[i].y - slope), 1e-5 * now[i].steepness)
              << target << " N " << n << " body " << i;
          EXPECT_EQ(a[i].w, 0);
          EXPECT_EQ(j[i].w, 0);
        }
      }
  }
  cpu::use_simd_target("");
}

TEST(Jerk, OfCoincidentBodiesIsZeroAndOfAnyThreadsTheSame) {
  auto x = bodies_of(scenes()[7], 1000, false);
  const auto v = velocities(1000);
  set_threads(1);
  const auto one = answer(x, v, {}, {});
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    const auto many = answer(x, v, {}, {});
    EXPECT_EQ(std::memcmp(one.a.data(), many.a.data(), 1000 * sizeof(one.a[0])), 0);
    EXPECT_EQ(std::memcmp(one.j.data(), many.j.data(), 1000 * sizeof(one.j[0])), 0);
  }
  set_threads(0);
  for (const auto& j : one.j) ASSERT_TRUE(std::isfinite(j.x + j.y + j.z));
  const std::vector<Mass<double>> pair(2, {1, 2, 3, 4});
  EXPECT_EQ(answer(pair, velocities(2), {}, {}).j[0].x, 0);
}
