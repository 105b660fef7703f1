/// The table of what may be combined against what engines do: every method with every boundary, precision,
/// integrator, number of GPUs, and with ranks. Where it says yes, the accelerations are those of exact sums;
/// where it says no, the library, a run and `pleiad config check` refuse with the same sentence.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "capabilities/capabilities.hpp"

#include "core/larger.hpp"
#include "core/part.hpp"
#include "cuda/gpu.hpp"
#include "cuda/taking_turns.hpp"
#include "direct/why_not.hpp"
#include "io/config/config.hpp"
#include "ranks/division.hpp"
#include "ranks/self.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace pleiad;

namespace {

using CapabilitiesOnAGpu = Gpu;

constexpr std::size_t n = 48;
constexpr double softening = 0.05;

/// One of each family, and of the kernels all: in every text a run may name.
std::vector<ForceMethod> methods() {
  std::vector<ForceMethod> all;
  for (const auto* kernel : catalogue().kernels) all.push_back({.kernel = kernel});
  for (const auto* steps : catalogue().steps) all.push_back({.steps = steps});
  for (const auto* text :
       {"cpu/barnes-hut order=2 theta=0.4", "cpu/fmm order=5", "cpu/fmm order=5 structure=kd",
        "cuda/barnes-hut order=2 theta=0.4", "cuda/fmm order=5"})
    all.push_back(*force_method_of(text));
  return all;
}

struct Problem {
  ForceMethod method;
  Boundary boundary{};
  Precision precision = Precision::mixed;
  std::string integrator = "kdk";
  int gpus = 1;
  bool on_ranks = false;
  bool in_a_field = false;
  bool with_forces = false;
  bool with_a_spline = false;

  bool jerks() const { return integrator != "kdk"; }
  ProblemFacts facts() const {
    return {.n = n,
            .gravity = {.softening = {.eps = softening,
                                      .kernel =
                                          with_a_spline ? SofteningKernel::spline : SofteningKernel::plummer},
                        .boundary = boundary,
                        .potentials = in_a_field ? std::vector{potential_of("plummer mass=2 scale=0.7")}
                                                 : std::vector<Potential>{},
                        .forces = with_forces ? std::vector{added_force_of("gr-potential c=10")}
                                              : std::vector<AddedForce>{}},
            // As make_engine: Hermite's forces are sums in double precision.
            .precision = jerks() && precision == Precision::mixed ? Precision::f64 : precision,
            // As many as asked for at most: fused steps that are not divided stay on one.
            .gpus = method.steps != nullptr && !method.steps->divides ? 1 : gpus,
            .on_ranks = on_ranks,
            .integrator = jerks() ? &integrator_named(integrator) : nullptr};
  }
  std::string name() const {
    return fmt::format("{}, {}, {}, {}, {} GPUs{}{}{}{}", text_of(method),
                       !boundary.periodic      ? "open"
                       : boundary.all_images() ? "all images"
                                               : "nearest images",
                       name_of(precision), integrator, gpus, on_ranks ? ", ranks" : "",
                       in_a_field ? ", in a field" : "", with_forces ? ", with a force" : "",
                       with_a_spline ? ", with a spline" : "");
  }
};

/// All of them; several GPUs are for one process and methods on GPUs, as a rank and the CPU have one.
template <class Work>
void for_each_problem(const Work& work) {
  const std::vector<Boundary> boundaries{{}, {.periodic = true}, {.periodic = true, .images = Images::all}};
  for (const auto& method : methods())
    for (const auto& boundary : boundaries)
      for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed})
        for (const std::string integrator : {"kdk", "hermite4", "hermite4-block"}) {
          // One precision shows what a kernel can.
          if (integrator == "hermite4-block" && (precision != Precision::f64 || boundary.periodic)) continue;
          work(Problem{method, boundary, precision, integrator});
          work(Problem{method, boundary, precision, integrator, 1, true});
          work(Problem{method, boundary, precision, integrator, 1, false, true});
          work(Problem{method, boundary, precision, integrator, 1, false, false, true});
          work(Problem{method, boundary, precision, integrator, 1, false, false, false, true});
          work(Problem{method, boundary, precision, integrator, 1, true, false, false, true});
          if (place_of(method) == Device::cuda) work(Problem{method, boundary, precision, integrator, 2});
        }
}

Bodies bodies() {
  Bodies b;
  const auto inside = [](double v) { return v - std::floor(v); };
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    b.add((1 + 0.5 * std::sin(t)) / double(n),
          {inside(0.755 * t + 0.1), inside(0.570 * t), inside(0.382 * t)}, {0, 0, 0});
  }
  return b;
}

/// The sentence of what an engine for this problem throws, or the largest relative error of its
/// accelerations.
struct Outcome {
  std::string refusal{};
  double error = 0;
};
Outcome outcome_on(ranks::Communicator& ranks, const Problem& p) {
  Outcome found;
  try {
    const auto facts = p.facts();
    const EngineOptions options{.precision = p.precision,
                                .method = p.method,
                                .gpus = p.gpus,
                                .integrator = facts.integrator,
                                .ranks = &ranks};
    const ranks::Division division{n, ranks.ranks()};
    Bodies own;
    append_part(own, bodies(), division.first(ranks.rank()), division.count(ranks.rank()));
    const auto engine = make_engine(own, facts.gravity, options);
    engine->advance({.integrator = &integrator_named(p.integrator),
                     .dt = 1e-6,
                     .eta = p.integrator == "hermite4-block" ? 0.02 : 0},
                    1);
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    const auto sampled = engine->sampled_accelerations(all);
    double scale = 0, worst = 0;
    for (const auto& a : sampled.exact) scale = std::max(scale, std::hypot(a.x, a.y, a.z));
    for (std::size_t i = 0; i < n; ++i) {
      const auto& a = sampled.found.at(i);
      const auto& e = sampled.exact.at(i);
      const double off = std::hypot(a.x - e.x, a.y - e.y, a.z - e.z);
      take_larger(worst, off);
    }
    found.error = worst / scale;
  } catch (const UsageError& e) {
    found.refusal = e.what();
  }
  return found;
}
/// Of two ranks the second has no bodies of so few.
Outcome outcome(const Problem& p) {
  if (!p.on_ranks) return outcome_on(ranks::self(), p);
  Outcome found;
  with_ranks_in_turn(2, [&](ranks::Communicator& ranks) { found = outcome_on(ranks, p); });
  return found;
}

TEST_F(CapabilitiesOnAGpu, AreThoseOfEveryEngine) {
  std::map<bool, std::size_t> said;
  for_each_problem([&](const Problem& p) {
    const auto why = why_not(p.method, p.facts());
    ++said[why.has_value()];
    const auto found = outcome(p);
    EXPECT_EQ(found.refusal, why.value_or("")) << p.name();
    if (why || !found.refusal.empty()) return;
    EXPECT_LT(found.error, p.method.tree ? 3e-2 : 1e-4) << p.name();
  });
  EXPECT_GT(said[true], 100u);
  EXPECT_GT(said[false], 100u);
}

/// As `pleiad config check` and `pleiad run` find it, for a run on one process.
std::string refusal_of_run(const Problem& p, const test::Folder& folder) {
  run::Request request;
  auto& o = request.options;
  o.ic.model = "uniform-box";
  o.ic.parameters = {fmt::format("n={}", n)};
  o.gravity.softening = softening;
  if (p.with_a_spline) o.gravity.softening_kernel = "spline";
  o.gravity.boundary = p.boundary.periodic ? "periodic" : "open";
  if (p.boundary.periodic) o.gravity.box = {1}, o.gravity.images = name_of(p.boundary.images);
  if (p.in_a_field) o.gravity.potentials = {"plummer mass=2 scale=0.7"};
  if (p.with_forces) o.gravity.forces = {"gr-potential c=10"};
  o.time.integrator = p.integrator, o.time.dt = 0.01, o.time.t_end = 0.1;
  o.engine.precision = name_of(p.precision), o.engine.kernel = text_of(p.method), o.engine.gpus = p.gpus;
  o.engine.tuning = "off";
  o.output.directory = (folder.path / "run").string();
  try {
    check(o);
    run::check(request);
    return "";
  } catch (const UsageError& e) {
    return e.what();
  }
}

TEST_F(CapabilitiesOnAGpu, AreThoseOfConfigCheck) {
  const test::Folder folder;
  for_each_problem([&](const Problem& p) {
    if (p.on_ranks) return;  // which the command line starts
    const auto why = why_not(p.method, p.facts());
    EXPECT_EQ(refusal_of_run(p, folder), why.value_or("")) << p.name();
  });
}

/// What `can` of a row says against what the kernels of the family say: yes is all of them, no none, some
/// neither.
void expect_row(Can can, std::size_t able, std::size_t all, std::string_view what) {
  const bool holds = can == Can::yes ? able == all : can == Can::no ? able == 0 : able > 0 && able < all;
  EXPECT_TRUE(holds) << what << ": " << able << " of " << all;
}

TEST_F(CapabilitiesOnAGpu, OfAFamilyAreThoseOfItsKernels) {
  std::map<Family, std::vector<Applicant>> families;
  for (const auto* k : catalogue().kernels) families[applicant(*k).family].push_back(applicant(*k));
  for (const auto* k : catalogue().steps) families[applicant(*k).family].push_back(applicant(*k));
  for (const auto* k : catalogue().ensembles) families[applicant(*k).family].push_back(applicant(*k));
  EXPECT_GE(families.size(), 6u);
  for (const auto& [family, kernels] : families) {
    const auto& row = capabilities(family);
    const auto able = [&](bool Applicant::*flag) {
      return static_cast<std::size_t>(std::ranges::count_if(kernels, [&](const auto& k) { return k.*flag; }));
    };
    expect_row(row.open, able(&Applicant::open), kernels.size(), std::string(row.name) + ", open space");
    expect_row(row.nearest, able(&Applicant::nearest), kernels.size(),
               std::string(row.name) + ", nearest images");
    expect_row(row.all_images, able(&Applicant::all_images), kernels.size(),
               std::string(row.name) + ", all images");
    expect_row(row.f32, able(&Applicant::f32), kernels.size(), std::string(row.name) + ", f32");
    expect_row(row.f64, able(&Applicant::f64), kernels.size(), std::string(row.name) + ", f64");
    expect_row(row.mixed, able(&Applicant::mixed), kernels.size(), std::string(row.name) + ", mixed");
  }
}

}  // namespace
