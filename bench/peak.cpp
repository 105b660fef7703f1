/// The peak rate of multiply-adds: twelve independent chains, so that neither latency nor a second port is
/// left idle.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peak.cpp"
#include "bench/peak.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef PLEIAD_BENCH_PEAK_ONCE
#define PLEIAD_BENCH_PEAK_ONCE
namespace pleiad::bench {
/// What a burst did: its sum keeps the compiler from leaving the work out.
struct Burst {
  double operations = 0, sum = 0;
};
}  // namespace pleiad::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace pleiad::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// x <- x a + b has its fixed point at 1 for a + b = 1: chains stay at ordinary numbers for ever.
template <class D>
Burst burst_of(D d, int rounds) {
  using T = hn::TFromD<D>;
  const auto a = hn::Set(d, T(0.999)), b = hn::Set(d, T(0.001));
  // Different starts: of equal chains the compiler would compute one.
  auto x0 = hn::Set(d, T(1.01)), x1 = hn::Set(d, T(1.02)), x2 = hn::Set(d, T(1.03)), x3 = hn::Set(d, T(1.04));
  auto x4 = hn::Set(d, T(1.05)), x5 = hn::Set(d, T(1.06)), x6 = hn::Set(d, T(1.07)), x7 = hn::Set(d, T(1.08));
  auto x8 = hn::Set(d, T(1.09)), x9 = hn::Set(d, T(1.10)), x10 = hn::Set(d, T(1.11)),
       x11 = hn::Set(d, T(1.12));
  const auto next = [&](auto x) {
#if HWY_NATIVE_FMA
    return hn::MulAdd(x, a, b);
#else
    (void)b;  // 60000 rounds of x 0.999 end at e^-60, still an ordinary number
    return hn::Mul(x, a);
#endif
  };
  for (int r = 0; r < rounds; ++r) {
    x0 = next(x0), x1 = next(x1), x2 = next(x2), x3 = next(x3), x4 = next(x4), x5 = next(x5);
    x6 = next(x6), x7 = next(x7), x8 = next(x8), x9 = next(x9), x10 = next(x10), x11 = next(x11);
#if !HWY_NATIVE_FMA
#endif
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), hn::Add(hn::Add(x4, x5), hn::Add(x6, x7)));
  const auto all = hn::Add(sum, hn::Add(hn::Add(x8, x9), hn::Add(x10, x11)));
  return {12.0 * rounds * double(hn::Lanes(d)), double(hn::GetLane(all))};
}

Burst burst(bool vector, bool f64, int rounds) {
  if (vector && f64) return burst_of(hn::ScalableTag<double>(), rounds);
  if (vector) return burst_of(hn::ScalableTag<float>(), rounds);
  if (f64) return burst_of(hn::CappedTag<double, 1>(), rounds);
  return burst_of(hn::CappedTag<float, 1>(), rounds);
}

int lanes() { return int(hn::Lanes(hn::ScalableTag<float>())); }
const char* name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace pleiad::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pleiad::bench {
HWY_EXPORT(burst);
HWY_EXPORT(lanes);
HWY_EXPORT(name);

namespace {

using Clock = std::chrono::steady_clock;

/// Starts all threads together: a task that finds itself alone (its mates still asleep) gives up after a
/// while.
class StartingLine {
 public:
  explicit StartingLine(int expected) : expected_(expected) {}
  bool wait() {
    const auto late = Clock::now() + std::chrono::milliseconds(20);
    arrived_.fetch_add(1);
    while (arrived_.load() < expected_)
      if (Clock::now() > late) return false;
    return true;
  }

 private:
  int expected_;
  std::atomic<int> arrived_{0};
};

/// One burst on all threads at once: operations per second, or 0 when the threads did not run together.
double one_trial(const FmaKind& kind) {
  constexpr int rounds = 60000;
  struct Lane {
    Clock::time_point start, end;
    Burst burst;
    bool together = false;
  };
  std::vector<Lane> lanes(std::size_t(kind.threads));
  StartingLine line(kind.threads);
  parallel_for(lanes.size(), [&](std::size_t k) {
    auto& lane = lanes[k];
    lane.together = line.wait();
    lane.start = Clock::now();
    lane.burst = HWY_DYNAMIC_DISPATCH(burst)(kind.vector, kind.f64, rounds);
    lane.end = Clock::now();
  });
  double operations = 0;
  auto start = lanes[0].start, end = lanes[0].end;
  for (const auto& lane : lanes) {
    // The sum of every chain is finite; asking keeps the burst from being left out as unused.
    if (!lane.together || !std::isfinite(lane.burst.sum)) return 0;
    operations += lane.burst.operations;
    start = std::min(start, lane.start), end = std::max(end, lane.end);
  }
  return operations / std::chrono::duration<double>(end - start).count();
}

}  // namespace

double peak_fma(const FmaKind& kind, int trials) {
  const Threads threads(kind.threads);
  const WithThreads ours(threads);
  double best = 0;
  for (int t = 0; t < trials; ++t) best = std::max(best, one_trial(kind));
  return best;
}

std::string_view peak_simd_target() { return HWY_DYNAMIC_DISPATCH(name)(); }
int peak_lanes_f32() { return HWY_DYNAMIC_DISPATCH(lanes)(); }

}  // namespace pleiad::bench
#endif
