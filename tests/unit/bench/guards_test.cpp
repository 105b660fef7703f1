/// The guards of the driver: kernels that cheat get no figure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.hpp"
#include "bench/scan.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/pull.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {

/// Two loops over pull(), sources up to `sources`: right when that is all of them.
template <class P>
void sum_pulls(const PairProblem<P>& p, std::size_t sources) {
  for (std::size_t i = 0; i < p.targets.size(); ++i) {
    Vec3<double> sum;
    for (std::size_t j = 0; j < sources; ++j) {
      if (j == i) continue;
      const Vec3<double> from{p.targets[i].x, p.targets[i].y, p.targets[i].z},
          to{p.sources[j].x, p.sources[j].y, p.sources[j].z};
      sum += pull(to - from, double(p.sources[j].m), p.softening.eps2()).xyz();
    }
    using S = typename P::Sum;
    p.sums[i] = {S(sum.x), S(sum.y), S(sum.z), S(0)};
  }
}

/// One accumulator in the precision of the sums, from the first source to the last.
template <class P>
void one_accumulator(const PairProblem<P>& p, const LaunchShape&) {
  using S = typename P::Sum;
  for (std::size_t i = 0; i < p.targets.size(); ++i) {
    const auto at = p.targets[i];
    Vec3<S> sum;
    for (std::size_t j = 0; j < p.sources.size(); ++j) {
      if (j == i) continue;
      const auto& from = p.sources[j];
      const Vec3<S> d{S(from.x) - S(at.x), S(from.y) - S(at.y), S(from.z) - S(at.z)};
      sum += pull(d, S(from.m), S(p.softening.eps2())).xyz();
    }
    p.sums[i] = {sum.x, sum.y, sum.z, S(0)};
  }
}

template <class P>
void honest(const PairProblem<P>& p, const LaunchShape&) {
  sum_pulls(p, p.sources.size());
}
template <class P>
void does_nothing(const PairProblem<P>&, const LaunchShape&) {}
/// Forgets the last body as a source.
template <class P>
void skips_last_source(const PairProblem<P>& p, const LaunchShape&) {
  sum_pulls(p, p.sources.size() - 1);
}
/// Forgets the last body as a target.
template <class P>
void skips_last_target(const PairProblem<P>& p, const LaunchShape&) {
  const auto kept = p.sums[p.sums.size() - 1];
  sum_pulls(p, p.sources.size());
  p.sums[p.sums.size() - 1] = kept;
}
template <class P>
void one_nan(const PairProblem<P>& p, const LaunchShape&) {
  sum_pulls(p, p.sources.size());
  p.sums[3].y = std::numeric_limits<typename P::Sum>::quiet_NaN();
}
/// Right answers from an earlier evaluation: nothing is wrong with them but that no processor computes so
/// fast.
template <class P>
void remembers(const PairProblem<P>& p, const LaunchShape& shape) {
  static std::vector<Vec4<typename P::Sum>> memory;
  if (memory.size() != p.sums.size()) {
    honest(p, shape);
    memory.assign(p.sums.begin(), p.sums.end());
  } else {
    std::copy(memory.begin(), memory.end(), p.sums.begin());
  }
}

#define FAKE(kernel)                                                                                    \
  DirectKernel {                                                                                        \
    .name = "fake/" #kernel, .rung = 1, .idea = "a fake",                                               \
    .fma_port_operations = {.f32 = 12, .f64 = 12, .mixed = 12}, .f32 = kernel<F32>, .f64 = kernel<F64>, \
    .mixed = kernel<Mixed>                                                                              \
  }

constexpr TimingRules brief{.budget_seconds = 0, .quiet = 1, .least_samples = 2, .sample_seconds = 1e-9};

Bodies plummer(std::size_t n) {
  const std::string settings[] = {"n=" + std::to_string(n)};
  return make_model("plummer", settings, 1).bodies;
}

/// A machine that is as fast as one likes: what is measured here decides nothing.
double any_rate(const FmaKind&, int) { return 1e18; }

/// The message with which a measurement is refused, or "" when it gives a row.
std::string refusal(const DirectKernel& kernel, Precision precision, std::size_t n = 300,
                    const PeakMeter& peak = any_rate) {
  const auto problem = make_force_problem(plummer(n), {.eps = 0.01}, precision);
  try {
    measure({.kernel = &kernel, .precision = precision, .threads = 1, .shape = {}}, *problem, brief, peak);
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.kind(), Error::Kind::numerical);
    return error.what();
  }
  return "";
}

constexpr Precision all[] = {Precision::f32, Precision::mixed, Precision::f64};

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

}  // namespace

TEST(Guards, LetAnHonestKernelPass) {
  for (const auto p : all) EXPECT_EQ(refusal(FAKE(honest), p), "") << name_of(p);
}

/// A body so far outside that all pulls on it are alike: their roundings have one sign for long stretches and
/// exceed any random walk, without any fault of the kernel's. A source that it forgets is still seen, by
/// others.
TEST(Guards, LetASumInSinglePrecisionDriftFarOutside) {
  constexpr std::size_t n = 6000;
  auto bodies = plummer(n - 1);
  bodies.add(bodies.mass[0], {1e5, 0, 0}, {});
  const auto problem = make_force_problem(bodies, {.eps = 0.01}, Precision::f32);
  problem->evaluate(FAKE(one_accumulator), {});
  const auto error = problem->error();
  EXPECT_LE(error.excess, 1);
  // That body's: more than a bound with nothing but a random walk has room for.
  EXPECT_GE(error.max, 0x1p-24 * (32 + 2 * std::sqrt(double(n))));
  problem->evaluate(FAKE(skips_last_source), {});
  EXPECT_LE(problem->error().excess, 1);  // nobody misses that body
  std::swap(bodies.x[1], bodies.x[n - 1]), std::swap(bodies.y[1], bodies.y[n - 1]);
  std::swap(bodies.z[1], bodies.z[n - 1]);
  const auto other = make_force_problem(bodies, {.eps = 0.01}, Precision::f32);
  other->evaluate(FAKE(skips_last_source), {});
  EXPECT_GT(other->error().excess, 1);
}

TEST(Guards, SeeAKernelThatDoesNothing) {
  for (const auto p : all) EXPECT_CONTAINS(refusal(FAKE(does_nothing), p), "left 300 of 300 sums unwritten");
}

TEST(Guards, SeeAForgottenTarget) {
  for (const auto p : all)
    EXPECT_CONTAINS(refusal(FAKE(skips_last_target), p),
                    "left 1 of 300 sums unwritten, the first that of body 299");
}

// One source of 4096 is 2e-4 of a typical acceleration, but most of it for the nearest targets, which are in
// every sample.
TEST(Guards, SeeAForgottenSource) {
  for (const auto p : all)
    for (const std::size_t n : {2u, 300u, 4096u})
      EXPECT_CONTAINS(refusal(FAKE(skips_last_source), p, n), "what rounding explains");
}

TEST(Guards, SeeASingleNan) {
  for (const auto p : all)
    EXPECT_CONTAINS(refusal(FAKE(one_nan), p), "1 of 300 sums are not finite, the first that of body 3");
}

// 4096^2 interactions of 12 operations would take this machine 200 seconds; copying 4096 sums takes
// microseconds, however busy it is.
TEST(Guards, SeeAnImpossibleRate) {
  const PeakMeter slow = [](const FmaKind&, int) { return 1e6; };
  for (const auto p : all)
    EXPECT_CONTAINS(refusal(FAKE(remembers), p, 4096, slow),
                    "times what the multiply-add ports of this machine allow");
}

TEST(Guards, RefuseAKernelThatDeclaresNoCost) {
  auto kernel = FAKE(honest);
  kernel.fma_port_operations = {};
  const auto problem = make_force_problem(plummer(16), {.eps = 0.01}, Precision::f32);
  EXPECT_THROW(
      measure({.kernel = &kernel, .precision = Precision::f32, .threads = 1, .shape = {}}, *problem, brief),
      UsageError);
}

TEST(Guards, MeasureTheLimitAgainBeforeTheyDoubtAKernel) {
  // The first, hasty measurements of the peak are far too low, as on a machine busy elsewhere; the patient
  // one is not.
  const auto kernel = FAKE(honest);
  const auto problem = make_force_problem(plummer(64), {.eps = 0.01}, Precision::f64);
  const PeakMeter busy = [](const FmaKind&, int trials) { return trials < 100 ? 1.0 : 1e15; };
  const auto row = measure({.kernel = &kernel, .precision = Precision::f64, .threads = 1, .shape = {}},
                           *problem, brief, busy);
  EXPECT_LE(row.fraction_of_limit(), 1);
  EXPECT_GT(row.fraction_of_limit(), 0);
}

TEST(Guards, RefuseARateWhoseLimitCouldNotBeMeasured) {
  const auto kernel = FAKE(honest);
  const auto problem = make_force_problem(plummer(64), {.eps = 0.01}, Precision::f64);
  const Case what{.kernel = &kernel, .precision = Precision::f64, .threads = 1, .shape = {}};
  EXPECT_THROW(measure(what, *problem, brief, [](const FmaKind&, int) { return 0.0; }), NumericalError);
}

TEST(Scan, KeepsSoundRowsAndRefusesTheOthers) {
  const auto good = FAKE(honest), bad = FAKE(does_nothing);
  const DirectKernel* kernels[] = {&good, &bad};
  const PeakMeter fast = [](const FmaKind&, int) { return 1e15; };
  const auto report = scan(
      {.kernels = kernels, .sizes = {64}, .precisions = {Precision::f64}, .threads = {1}, .rules = brief},
      [](const std::string&) {}, fast);
  ASSERT_EQ(report.table.rows.size(), 1u);
  EXPECT_EQ(std::get<std::string>(report.table.rows[0][0]), "fake/honest");
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_CONTAINS(report.refused[0], "fake/does_nothing");
  EXPECT_EQ(to_text(report.table).find("does_nothing"), std::string::npos);
  EXPECT_THROW(need_all_accepted(report), NumericalError);
}

TEST(Scan, RefusesWhatTheMachineOrTheMeasurementCannotDo) {
  const auto good = FAKE(honest);
  const DirectKernel* kernels[] = {&good};
  const auto quiet = [](const std::string&) {};
  EXPECT_THROW(
      scan({.kernels = kernels, .sizes = {1}, .precisions = {}, .threads = {1}, .rules = brief}, quiet),
      UsageError);
  EXPECT_THROW(
      scan({.kernels = kernels, .sizes = {64}, .precisions = {}, .threads = {100000}, .rules = brief}, quiet),
      UsageError);
}

TEST(Errors, AreThoseOfTheKernelAndNotOfTheReference) {
  // A kernel whose pulls are all 0.1 % too strong has a relative error of 1e-3 at every body; what fp64 adds
  // is 1e-13 of that.
  const auto problem = make_force_problem(plummer(300), {.eps = 0.01}, Precision::f64);
  const DirectKernel strong{.name = "fake/strong",
                            .rung = 1,
                            .idea = "a fake",
                            .f64 = [](const PairProblem<F64>& p, const LaunchShape& s) {
                              honest(p, s);
                              for (auto& sum : p.sums) sum = {sum.x * 1.001, sum.y * 1.001, sum.z * 1.001, 0};
                            }};
  problem->poison();
  problem->evaluate(strong, {});
  const auto error = problem->error();
  for (const double e : {error.rms, error.p99, error.max}) EXPECT_NEAR(e, 1e-3, 1e-10);
  EXPECT_GT(error.excess, 1);
}
