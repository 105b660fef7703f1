/// Kicks, drifts and wraps, on every instruction set of this machine.
#include "cpu/update.hpp"

#include "cpu/target.hpp"

#include <pleiad/rng.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {
template <class T>
struct State {
  std::vector<Mass<T>> x;
  std::vector<Vec4<T>> v, sums;
  explicit State(std::size_t n) : x(n), v(n), sums(n) {
    for (std::size_t i = 0; i < n; ++i) {
      Random r(5, i);
      const auto draw = [&] { return T(r.normal()); };
      x[i] = {draw(), draw(), draw(), draw()};
      v[i] = {draw(), draw(), draw(), 0};
      sums[i] = {draw(), draw(), draw(),
                 std::numeric_limits<T>::infinity()};  // a potential must not reach v.w
    }
  }
};
template <class V>
bool same(const std::vector<V>& a, const std::vector<V>& b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(V)) == 0;
}

template <class F>
void on_every_target(F f) {
  for (const auto target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    SCOPED_TRACE(std::string(target));
    f.template operator()<float>();
    f.template operator()<double>();
  }
  cpu::use_simd_target("");
}
template <class T>
constexpr T below(T length) {
  return std::nextafter(length, T(0));
}
}  // namespace

TEST(Update, MergedPassesGiveTheBitsOfSeparateOnes) {
  on_every_target([]<class T>() {
    for (const std::size_t n : {0, 1, 3, 4, 17, 100}) {
      const T h = T(0.013), g = T(-0.7), d = T(0.31);
      State<T> plain(n), merged(n), twice(n), twice_merged(n);
      for (std::size_t i = 0; i < n; ++i) {
        auto& v = plain.v[i];
        const auto& s = plain.sums[i];
        v = {v.x + h * s.x, v.y + h * s.y, v.z + h * s.z, 0};
        auto& x = plain.x[i];
        x = {x.x + d * v.x, x.y + d * v.y, x.z + d * v.z, x.m};
      }
      cpu::kick_drift<T>(merged.x, merged.v, merged.sums, h, d);
      EXPECT_TRUE(same(plain.x, merged.x) && same(plain.v, merged.v)) << n;
      cpu::kick<T>(twice.v, twice.sums, h);
      cpu::kick<T>(twice.v, twice.sums, g);
      cpu::drift<T>(twice.x, twice.v, d);
      cpu::kick2_drift<T>(twice_merged.x, twice_merged.v, twice_merged.sums, h, g, d);
      EXPECT_TRUE(same(twice.x, twice_merged.x) && same(twice.v, twice_merged.v)) << n;
      for (const auto& v : twice.v) ASSERT_EQ(v.w, 0);
    }
  });
}

TEST(Update, FindsWhatIsNotFiniteWhereverItHides) {
  on_every_target([]<class T>() {
    for (std::size_t i = 0; i < 23; ++i)
      for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                          -std::numeric_limits<T>::infinity()}) {
        State<T> s(23);
        EXPECT_TRUE(cpu::all_finite<T>(std::span<const Vec4<T>>(s.v)));
        EXPECT_TRUE(cpu::all_finite<T>(std::span<const Mass<T>>(s.x)));
        s.v[i].y = bad, s.x[i].z = bad;
        EXPECT_FALSE(cpu::all_finite<T>(std::span<const Vec4<T>>(s.v)));
        EXPECT_FALSE(cpu::all_finite<T>(std::span<const Mass<T>>(s.x)));
      }
    // The largest numbers are finite, though their sum is not.
    const std::vector<Vec4<T>> large(9,
                                     {std::numeric_limits<T>::max(), -std::numeric_limits<T>::max(), 0, 0});
    EXPECT_TRUE(cpu::all_finite<T>(std::span<const Vec4<T>>(large)));
  });
}

TEST(Wrap, BringsEveryPositionIntoTheHalfOpenBox) {
  on_every_target([]<class T>() {
    const T length = T(0.7), tiny = T(-1e-20);
    const Boundary box{true, {0.7, 0.7, 0}};
    for (const T start : {T(0), tiny, below(T(0)), length, below(length), -length, T(5.3), T(-5.3),
                          T(7 * 0.7), T(-7 * 0.7), T(1e6), T(-1e6)}) {
      std::vector<Mass<T>> x(7, {start, T(0.1), T(-3), T(-2)});
      cpu::wrap<T>(x, box);
      EXPECT_TRUE(x[0].x >= 0 && x[0].x < length) << start << " became " << x[0].x;
      EXPECT_TRUE(x[0].x == start || !(start >= 0 && start < length)) << start;
      const long double turns =
          ((long double)start - x[0].x) / length;  // a whole number, to rounding of the start
      EXPECT_LE(std::abs(double(turns - std::rint(turns))),
                std::abs(double(turns)) * std::numeric_limits<T>::epsilon() + 1e-15)
          << start;
      EXPECT_EQ(x[6].x, x[0].x);
      EXPECT_EQ(x[0].y, T(0.1));
      EXPECT_EQ(x[0].z, T(-3));  // an axis without length
      EXPECT_EQ(x[0].m, T(-2));
    }
  });
}

TEST(Wrap, LeavesOpenSpaceAlone) {
  std::vector<Mass<double>> x(3, {-5, 12, 1e9, 1});
  cpu::wrap<double>(x, {});
  EXPECT_EQ(x[1].x, -5);
}
