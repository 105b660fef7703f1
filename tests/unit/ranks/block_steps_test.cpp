/// Block time steps on several ranks have the bits of one process, with every solver and space.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/state_hash.hpp"
#include "ranks/division.hpp"
#include "ranks/simulated.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct BlockCase {
  const char* name;
  Gravity gravity{.softening = {0.01}};
  const char* method = "auto";
  Precision precision = Precision::f64;
  std::size_t n = 5000, massless = 0;
  double dt = 1.0 / 16, eta = 0.02;
  const char* integrator = "block-kdk";
  BlockSteps blocks{};
  bool symmetric_steps = false;
};

/// A cuspy galaxy in which every k-th body has no mass, and the types take turns; where close groups are
/// asked for, one body of fifty has a companion.
Bodies cusp(const BlockCase& c) {
  auto b = make_model("hernquist", std::vector<std::string>{"n=" + std::to_string(c.n)}, 7).bodies;
  const std::size_t each = c.massless > 0 ? c.n / c.massless : c.n + 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (i % each == each - 1) b.mass[i] = 0;
    b.type[i] = i % 3 == 0 ? Type::star : Type::halo;
  }
  if (c.blocks.groups == CloseGroups::regularised)
    for (std::size_t i = 0; i + 1 < b.size(); i += 50) {
      constexpr double a = 1e-4;
      const double speed = std::sqrt((b.mass[i] + b.mass[i + 1]) / a);
      b.x[i + 1] = b.x[i] + a, b.y[i + 1] = b.y[i], b.z[i + 1] = b.z[i];
      b.vx[i + 1] = b.vx[i], b.vy[i + 1] = b.vy[i] + 0.8 * speed, b.vz[i + 1] = b.vz[i] + 0.6 * speed;
    }
  if (c.gravity.softening.of == SofteningOf::types) {
    b.softening.resize(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) b.softening[i] = b.type[i] == Type::star ? 0.02 : 0.01;
  }
  return b;
}

struct After {
  std::string hash;
  std::uint64_t evaluations = 0;
  std::array<double, 2> work{};  ///< of forces of velocities
};
/// After some steps dt on this many ranks.
After after(const BlockCase& c, const Bodies& bodies, int ranks) {
  std::vector<Bodies> parts(static_cast<std::size_t>(ranks));
  std::vector<std::uint64_t> evaluations(parts.size());
  std::vector<std::array<double, 2>> work(parts.size());
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    const ranks::Division division{bodies.size(), ranks};
    const std::size_t first = division.first(comm.rank());
    Bodies own;
    for (std::size_t i = first; i < first + division.count(comm.rank()); ++i) {
      own.add(bodies.mass[i], bodies.position(i), bodies.velocity(i), bodies.type[i]);
      own.id.back() = bodies.id[i];
      if (!bodies.softening.empty()) own.softening.push_back(bodies.softening[i]);
    }
    const auto* integrator = &integrator_named(c.integrator);
    const auto engine = make_engine(own, c.gravity,
                                    {.precision = c.precision,
                                     .backend = "cpu",
                                     .method = force_method_of(c.method),
                                     .threads = 1,
                                     .integrator = integrator,
                                     .blocks = c.blocks,
                                     .ranks = &comm});
    engine->advance({.integrator = integrator,
                     .dt = c.dt,
                     .eta = c.eta,
                     .blocks = c.blocks,
                     .symmetric_steps = c.symmetric_steps},
                    2);
    engine->copy_to_host(own);
    evaluations[std::size_t(comm.rank())] = engine->evaluations();
    work[std::size_t(comm.rank())] = engine->work();
    parts[std::size_t(comm.rank())] = std::move(own);
  });
  Bodies all;
  for (const auto& part : parts)
    for (std::size_t i = 0; i < part.size(); ++i) {
      all.add(part.mass[i], part.position(i), part.velocity(i), part.type[i]);
      all.id.back() = part.id[i];
    }
  for (const auto& of_rank : work) EXPECT_EQ(of_rank, work.front());
  return {state_hash(all), evaluations.front(), work.front()};
}

}  // namespace

TEST(BlockStepsOnRanks, HaveTheBitsOfOneProcess) {
  const Boundary box{.periodic = true, .length = {20, 20, 20}};
  auto lattice = box;
  lattice.images = Images::all;
  for (const BlockCase& c :
       {BlockCase{.name = "direct sums", .n = 9000},
        BlockCase{.name = "mixed precision", .precision = Precision::mixed},
        BlockCase{.name = "rows", .method = "cpu/threads", .precision = Precision::f32},
        BlockCase{.name = "pairs", .gravity = {}, .n = 5000, .dt = 1.0 / 1024},
        BlockCase{.name = "steps made again", .n = 1000, .symmetric_steps = true},
        BlockCase{
            .name = "pairs made again", .gravity = {}, .n = 500, .dt = 1.0 / 512, .symmetric_steps = true},
        BlockCase{.name = "a tree with steps made again",
        .method = "cpu/fmm order=3 theta=0.6",
        .n = 4000,
        .symmetric_steps = true},
        BlockCase{.name = "a tree", .method = "cpu/fmm order=3 theta=0.6", .n = 9000},
        BlockCase{.name = "test particles", .massless = 1000},
        BlockCase{
            .name = "a tree and test particles", .method = "cpu/fmm order=3 theta=0.6", .massless = 1000},
        BlockCase{.name = "nearest images", .gravity = {.softening = {0.01}, .boundary = box}},
        BlockCase{.name = "all images",
        .gravity = {.softening = {0.01}, .boundary = lattice},
        .method = "cpu/fmm order=3 theta=0.5"},
        BlockCase{
            .name = "Hermite", .gravity = {}, .n = 9000, .dt = 1.0 / 1024, .integrator = "hermite4-block"},
        BlockCase{.name = "Hermite and test particles",
        .gravity = {.softening = {1e-3}},
        .n = 9000,
        .massless = 3000,
        .dt = 1.0 / 1024,
        .integrator = "hermite4-block"},
        BlockCase{.name = "Hermite and groups",
        .gravity = {},
        .dt = 1.0 / 1024,
        .integrator = "hermite4-block",
        .blocks = {.groups = CloseGroups::regularised, .group_radius = 2e-3}},
        BlockCase{.name = "Hermite and groups in a field",
        .gravity = {.potentials = potentials_of_lines("bar mass=8 length=2 width=1 height=1 omega=2")},
        .dt = 1.0 / 1024,
        .integrator = "hermite4-block",
        .blocks = {.groups = CloseGroups::regularised, .group_radius = 2e-3}},
        BlockCase{.name = "Hermite and groups with relativity",
        .gravity = {.forces = {added_force_of("post-newtonian-pairs c=300 average=0")}},
        .dt = 1.0 / 1024,
        .integrator = "hermite4-block",
        .blocks = {.groups = CloseGroups::regularised, .group_radius = 2e-3}},
        BlockCase{.name = "Hermite and neighbours",
        .gravity = {.potentials = potentials_of_lines("nfw mass=8 scale=2")},
        .n = 3000,
        .massless = 300,
        .dt = 1.0 / 1024,
        .integrator = "hermite4-block",
        .blocks = {.neighbours = Neighbours::on}},
        BlockCase{.name = "splines",
        .gravity = {.softening = {.eps = 0.01, .kernel = SofteningKernel::spline}}},
        BlockCase{.name = "softenings of types", .gravity = {.softening = {.of = SofteningOf::types}}},
        BlockCase{.name = "an external potential",
        .gravity = {.softening = {0.01}, .potentials = potentials_of_lines("nfw mass=8 scale=2")}}}) {
    const auto bodies = cusp(c);
    const auto one = after(c, bodies, 1);
    EXPECT_GE(one.evaluations, 8U) << c.name;
    EXPECT_EQ(one.work[0] != 0, !c.gravity.forces.empty()) << c.name;
    for (const int ranks : {2, 3}) {
      const auto several = after(c, bodies, ranks);
      EXPECT_EQ(several.hash, one.hash) << c.name << ", " << ranks << " ranks";
      EXPECT_EQ(several.evaluations, one.evaluations) << c.name;
      EXPECT_EQ(several.work, one.work) << c.name;
    }
  }
}

/// Whatever the particles need, also where most bodies of a set are particles that need a shorter step.
TEST(BlockStepsOnRanks, OfBodiesWithMassHaveTheBitsThatTheyHaveWithoutParticles) {
  const BlockCase c{.name = "", .n = 2000};
  const auto* integrator = &integrator_named("block-kdk");
  const auto advanced = [&](Bodies bodies) {
    const auto engine =
        make_engine(bodies, c.gravity,
                    {.precision = c.precision, .backend = "cpu", .threads = 1, .integrator = integrator});
    engine->advance({.integrator = integrator, .dt = c.dt, .eta = c.eta}, 2);
    engine->copy_to_host(bodies);
    return bodies;
  };
  auto spread = cusp({.name = "", .n = 2000, .massless = 500});
  Bodies close;  // accelerations of less than 1, and of more than 1000 beside the first body
  for (int k = 0; k < 200; ++k)
    close.add(1, Vec3<double>{double(k % 20), double(k / 20), 0} * 10., {0, 0, 0});
  for (int k = 1; k <= 600; ++k) close.add(0, {0.01 * std::cos(k), 0.01 * std::sin(k), 0}, {0, 0, 0});
  for (const auto& all : {spread, close}) {
    Bodies kept;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all.mass[i] > 0) {
        kept.add(all.mass[i], all.position(i), all.velocity(i), all.type[i]);
        kept.id.back() = all.id[i];
      }
    const auto with = advanced(all), without = advanced(kept);
    std::size_t k = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all.mass[i] > 0) {
        ASSERT_EQ(with.x[i], without.x[k]) << i;
        ASSERT_EQ(with.vz[i], without.vz[k]) << i;
        ++k;
      }
    EXPECT_EQ(k, kept.size());
    EXPECT_LT(k, all.size());
  }
}

}  // namespace pleiad
