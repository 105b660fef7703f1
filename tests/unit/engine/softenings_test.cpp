/// Softenings of types and of bodies in engines: forces in every precision, the bits of one softening where
/// all are equal, ranks, test particles, trees of pairs of types, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/softenings.hpp"

#include "core/part.hpp"
#include "core/threads.hpp"
#include "direct/why_not.hpp"
#include "ranks/division.hpp"
#include "ranks/simulated.hpp"
#include "reference/reference.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

Bodies plummer(std::size_t n) { return make_model("plummer", std::array{fmt::format("n={}", n)}, 5).bodies; }

/// Half of the bodies are stars.
Bodies with_types(std::size_t n, double of_halo, double of_star) {
  auto b = plummer(n);
  for (std::size_t i = 0; i < n; ++i) {
    b.type[i] = i % 2 == 0 ? Type::halo : Type::star;
    b.softening.push_back(i % 2 == 0 ? of_halo : of_star);
  }
  return b;
}

std::vector<Mass<double>> places(const Bodies& b) {
  std::vector<Mass<double>> x;
  for (std::size_t i = 0; i < b.size(); ++i) x.push_back({b.x[i], b.y[i], b.z[i], b.mass[i]});
  return x;
}

EngineOptions on_cpu(Precision precision, const std::string& method = "") {
  EngineOptions options{.precision = precision, .backend = "cpu"};
  if (!method.empty()) options.method = force_method_of(method);
  return options;
}

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Vec3<double>> found_by(const Bodies& b, const Gravity& gravity, const EngineOptions& options) {
  return make_engine(b, gravity, options)->computed_accelerations(all_of(b.size())).found;
}

StepPlan steps_of(const char* integrator, double dt) {
  return {.integrator = &integrator_named(integrator), .dt = dt};
}

std::string state_after(const Bodies& b, const Gravity& gravity, const EngineOptions& asked,
                        const char* integrator = "kdk") {
  auto options = asked;
  options.integrator = &integrator_named(integrator);
  const auto engine = make_engine(b, gravity, options);
  engine->advance(steps_of(integrator, 1e-3), 5);
  auto after = b;
  engine->copy_to_host(after);
  return state_hash(after);
}

/// Errors of a tree with one Plummer softening of all bodies.
ForceErrors errors_of_one(const std::string& tree, std::size_t n, double eps) {
  const auto b = plummer(n);
  const Gravity law{.softening = {eps}};
  return errors_of(found_by(b, law, on_cpu(Precision::mixed, tree)), exact_accelerations(b, law, all_of(n)));
}

std::string refusal_of(const Bodies& b, const Gravity& gravity, const EngineOptions& options) {
  try {
    (void)make_engine(b, gravity, options);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(Softenings, AreOneWhereAllAreEqual) {
  auto b = plummer(10);
  EXPECT_TRUE(softening_of(b, {.eps = 0.3}).plain());
  EXPECT_THROW(softening_of(b, {.eps = 0.3, .of = SofteningOf::types}), UsageError);
  b.softening.assign(10, 0.25);
  const auto equal = softening_of(b, {.eps = 0.3, .of = SofteningOf::bodies});
  EXPECT_TRUE(equal.plain());
  EXPECT_EQ(equal.eps, 0.25);
  // sqrt(eps^2 + eps^2)
  const auto added = softening_of(b, {.rule = SofteningRule::quadratic});
  EXPECT_TRUE(added.plain());
  EXPECT_EQ(added.eps, 0.25 * std::numbers::sqrt2);
  EXPECT_EQ(added.rule, SofteningRule::max) << "which makes the same of it";
  b.softening[3] = 0.125;
  const auto differ = softening_of(b, {});
  EXPECT_EQ(differ.of, SofteningOf::bodies);
  EXPECT_EQ(differ.eps, 0.125);
  EXPECT_EQ(softening_of(b, {.of = SofteningOf::types}).of, SofteningOf::types);
}

TEST(Softenings, ThatAreEqualGiveTheBitsOfOne) {
  for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed})
    for (const std::size_t n : {60, 300}) {
      const auto one = plummer(n);
      auto each = one;
      each.softening.assign(n, 0.05);
      EXPECT_EQ(state_after(each, {}, on_cpu(precision)),
                state_after(one, {.softening = {0.05}}, on_cpu(precision)))
          << name_of(precision) << " " << n;
    }
}

// Positions in single precision are rounded by 6e-8, which a pull within a spline feels as much: 1e-5 of the
// largest is far above. Double and mixed precision compute in double precision.
TEST(Softenings, AreThoseOfTheOracleInEveryPrecision) {
  constexpr std::size_t n = 203;
  auto b = plummer(n);
  for (std::size_t i = 0; i < n; ++i) b.softening.push_back(0.01 * double(i % 17));
  for (const auto kernel : softening_kernel_names)
    for (const auto rule : {SofteningRule::max, SofteningRule::quadratic}) {
      Gravity law{.G = 2};
      law.softening.kernel = kernel == "spline" ? SofteningKernel::spline : SofteningKernel::plummer;
      law.softening.rule = rule;
      const auto exact = reference::softened_pulls(places(b), b.softening, law.softening, {});
      double energy = 0;
      for (std::size_t i = 0; i < n; ++i) energy += b.mass[i] * double(exact[i].w);  // G / 2 is 1
      EXPECT_LE(std::abs(direct_energies(b, law).potential / energy - 1), 1e-14);
      for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
        const auto engine = make_engine(b, law, on_cpu(precision));
        const auto found = engine->computed_accelerations(all_of(n)).found;
        const double allowed = precision == Precision::f32 ? 1e-5 : 2e-14;
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const Vec3<double> right{2 * double(exact[i].x), 2 * double(exact[i].y), 2 * double(exact[i].z)};
          largest = std::max(largest, norm(right));
          if (const double off = norm(found[i] - right); !(off <= worst)) worst = off;
        }
        EXPECT_LE(worst, allowed * largest) << kernel << " " << name_of(rule) << " " << name_of(precision);
        EXPECT_LE(std::abs(engine->totals().energies.potential / energy - 1), allowed) << kernel;
      }
    }
}

TEST(Softenings, HaveTheSameBitsOnAnyRanksAndThreads) {
  constexpr std::size_t n = 4200;  // more than the block of 4096 that a rank has at least
  auto b = plummer(n);
  for (std::size_t i = 0; i < n; ++i) {
    b.softening.push_back(0.01 * double(i % 7));
    if (i % 3 == 0) b.mass[i] = 0;
  }
  const Gravity law{.softening = {.kernel = SofteningKernel::spline}};
  for (const char* integrator : {"kdk", "hermite4"}) {
    const auto run = [&](ranks::Communicator& ranks) {
      const ranks::Division division{n, ranks.ranks()};
      Bodies own;
      append_part(own, b, division.first(ranks.rank()), division.count(ranks.rank()));
      auto options = on_cpu(Precision::f64);
      options.integrator = &integrator_named(integrator), options.ranks = &ranks;
      const auto engine = make_engine(own, law, options);
      engine->advance(steps_of(integrator, 1e-3), 1);
      return engine->totals().energies.total();
    };
    const double one = run(ranks::self());
    for (const int threads : {1, 3}) {
      set_threads(threads);
      EXPECT_EQ(run(ranks::self()), one) << integrator;
    }
    set_threads(0);
    for (const int ranks : {2, 3}) {
      std::mutex mutex;
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
        const double found = run(comm);
        const std::lock_guard lock(mutex);
        EXPECT_EQ(found, one) << integrator << " on " << ranks;
      });
    }
  }
}

// Each rank has a part of the bodies of each tree, which those of one softening are not enough to fill.
TEST(Softenings, OfTypesHaveTheSameBitsWithTreesOnAnyRanks) {
  constexpr std::size_t n = 9000;
  auto b = with_types(n, 0.1, 0.02);
  for (std::size_t i = 0; i < n; i += 7) b.mass[i] = 0;
  for (const auto rule : {SofteningRule::max, SofteningRule::quadratic})
    for (const auto* tree : {"cpu/fmm order=4 theta=0.5", "cpu/barnes-hut order=2 theta=0.5"}) {
      const Gravity law{.softening = {.eps = 0.02, .rule = rule, .of = SofteningOf::types}};
      const auto run = [&](ranks::Communicator& ranks) {
        const ranks::Division division{n, ranks.ranks()};
        Bodies own;
        append_part(own, b, division.first(ranks.rank()), division.count(ranks.rank()));
        auto options = on_cpu(Precision::mixed, tree);
        options.ranks = &ranks;
        const auto engine = make_engine(own, law, options);
        engine->advance(steps_of("kdk", 1e-3), 1);
        return std::pair{engine->computed_accelerations(all_of(n)).found, engine->totals().energies.total()};
      };
      const auto one = run(ranks::self());
      for (const int ranks : {2, 3}) {
        std::mutex mutex;
        ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
          const auto found = run(comm);
          const std::lock_guard lock(mutex);
          EXPECT_TRUE(found.first == one.first) << tree << " on " << ranks;
          EXPECT_EQ(found.second, one.second) << tree << " on " << ranks;
        });
      }
    }
}

TEST(Softenings, OfTestParticlesChangeNoBodyWithMass) {
  auto b = plummer(100);
  for (std::size_t i = 0; i < 100; ++i) b.softening.push_back(0.01 * double(1 + i % 5));
  auto more = b;
  for (int k = 0; k < 30; ++k) {
    more.add(0, {0.1 * k, 0.2, 0}, {0, 0.1, 0});
    more.softening.push_back(0.3);
  }
  const auto alone = found_by(b, {}, on_cpu(Precision::f64)),
             with = found_by(more, {}, on_cpu(Precision::f64));
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(with[i], alone[i]) << i;
}

// The errors are those of the same tree with one softening, up to the parts that forces have here.
TEST(Softenings, OfTypesAreTakenByTrees) {
  const auto b = with_types(4000, 0.1, 0.02);
  for (const auto& [kernel, rule] : {std::pair{SofteningKernel::plummer, SofteningRule::max},
                                     {SofteningKernel::plummer, SofteningRule::quadratic},
                                     {SofteningKernel::spline, SofteningRule::max}}) {
    const Gravity law{.softening = {.eps = 0.02, .kernel = kernel, .rule = rule, .of = SofteningOf::types}};
    const auto exact = exact_accelerations(b, law, all_of(b.size()));
    const double energy = direct_energies(b, law).potential;
    for (const auto* tree : {"cpu/fmm order=5 theta=0.5", "cpu/barnes-hut order=3 theta=0.4"})
      for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
        const auto engine = make_engine(b, law, on_cpu(precision, tree));
        const auto errors = errors_of(engine->computed_accelerations(all_of(b.size())).found, exact);
        const auto usual = errors_of_one(tree, b.size(), 0.02);
        EXPECT_LE(errors.p99, 2 * usual.p99) << tree << " " << name_of(kernel) << " " << name_of(rule);
        EXPECT_LE(errors.largest, 5 * usual.largest)
            << tree << " " << name_of(kernel) << " " << name_of(rule);
        EXPECT_GT(errors.p99, 1e-9) << "as of a tree";
        EXPECT_LE(std::abs(engine->totals().energies.potential / energy - 1), 1e-4) << tree;
      }
    // One softening of all is another law.
    const auto other = exact_accelerations(plummer(4000), {.softening = {0.02}}, all_of(b.size()));
    EXPECT_GT(errors_of(other, exact).median, 1e-3);
  }
}

// A cell is used only outside of the splines: with radii of up to h = 1.4, which many cells are within, the
// errors of a tree stay those of Newtonian cells. A cell inside h would be wrong by all of the difference.
TEST(Softenings, OfSplinesAreTakenByTrees) {
  for (const double most : {0.01, 0.5})
    for (const auto rule : {SofteningRule::max, SofteningRule::quadratic})
      for (const bool one : {true, false}) {
        auto b = plummer(4000);
        for (std::size_t i = 0; i < b.size(); ++i)
          b.softening.push_back(one ? most : i % 10 == 0 ? most : 0.1 * most * double(i % 3));
        const Gravity law{.softening = {.kernel = SofteningKernel::spline, .rule = rule}};
        const auto exact = exact_accelerations(b, law, all_of(b.size()));
        const double energy = direct_energies(b, law).potential;
        for (const auto* tree :
             {"cpu/fmm order=5 theta=0.5", "cpu/fmm order=5 mac=error tolerance=1e-4",
              "cpu/barnes-hut order=3 theta=0.4", "cpu/fmm order=5 theta=0.5 structure=kd"}) {
          const auto engine = make_engine(b, law, on_cpu(Precision::mixed, tree));
          const auto errors = errors_of(engine->computed_accelerations(all_of(b.size())).found, exact);
          const auto usual = errors_of_one(tree, b.size(), 0.01);
          EXPECT_LE(errors.p99, 1.5 * usual.p99) << tree << " eps " << most << " " << name_of(rule);
          EXPECT_LE(errors.largest, 2 * usual.largest) << tree << " eps " << most << " " << name_of(rule);
          EXPECT_GT(errors.p99, 1e-9) << "as of a tree";
          EXPECT_LE(std::abs(engine->totals().energies.potential / energy - 1), 1e-3) << tree;
        }
      }
}

// Hermite's energy error falls by 2^4 with half the step, also with a spline, whose jerk it takes.
TEST(Softenings, KeepTheOrderOfHermite) {
  auto b = plummer(40);
  for (std::size_t i = 0; i < 40; ++i) b.softening.push_back(0.2 + 0.1 * double(i % 3));
  const Gravity law{.softening = {.kernel = SofteningKernel::spline}};
  const auto error = [&](double dt) {
    auto options = on_cpu(Precision::f64);
    options.integrator = &integrator_named("hermite4");
    const auto engine = make_engine(b, law, options);
    const double before = engine->totals().energies.total();
    engine->advance(steps_of("hermite4", dt), std::uint64_t(std::lround(2 / dt)));
    return std::abs(engine->totals().energies.total() - before);
  };
  const double coarse = error(1.0 / 16), fine = error(1.0 / 64);
  EXPECT_GT(coarse / fine, 100) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-6);
}

TEST(Softenings, AreRefusedInWordsWhereNothingComputesThem) {
  const auto by_type = with_types(50, 0.1, 0.02);
  auto by_body = by_type;
  const Gravity spline{.softening = {.eps = 0.1, .kernel = SofteningKernel::spline}},
      types{.softening = {.of = SofteningOf::types}};
  const std::string spline_key = "gravity.softening_kernel = \"spline\"";
  EXPECT_EQ(refusal_of(plummer(50), spline, on_cpu(Precision::f64, "cpu/symmetric")),
            spline_key + ": computed by cpu/threads, not by 'cpu/symmetric'; use that one");
  EXPECT_EQ(refusal_of(plummer(50), spline, on_cpu(Precision::f64, "cpu/simd")),
            spline_key + ": computed by cpu/threads, not by 'cpu/simd'; use that one");
  EXPECT_EQ(refusal_of(by_type, types, on_cpu(Precision::f64, "cpu/symmetric")),
            "gravity.softening_by_type: computed by cpu/threads, not by 'cpu/symmetric'; use that one");
  EXPECT_EQ(refusal_of(by_body, {}, on_cpu(Precision::f64, "cpu/barnes-hut order=2 theta=0.5")).substr(0, 52),
            "bodies with softenings of their own: trees, such as ");
  auto periodic = spline;
  periodic.boundary = {.periodic = true, .length = {9, 9, 9}, .images = Images::all};
  EXPECT_EQ(refusal_of(plummer(50), periodic, on_cpu(Precision::f64)),
            spline_key + ": there are no sums over all images; use gravity.images = \"nearest\"");
  EXPECT_NE(why_not(*force_method_of("cpu/fmm order=5"), {.gravity = spline, .on_ranks = true})
                .value_or("")
                .find("on one process"),
            std::string::npos);
  auto wisdom_holman = on_cpu(Precision::f64);
  wisdom_holman.integrator = &integrator_named("wisdom-holman");
  EXPECT_NE(refusal_of(by_body, {}, wisdom_holman).find("without softening"), std::string::npos);
  by_body.softening.pop_back();
  EXPECT_NE(refusal_of(by_body, {}, on_cpu(Precision::f64)), "");
}

}  // namespace pleiad
