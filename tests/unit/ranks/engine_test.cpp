/// Engines of several ranks: the bits of one process, for any number of ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ranks/agree.hpp"
#include "ranks/coincident.hpp"
#include "ranks/collective.hpp"
#include "ranks/simulated.hpp"
#include "ranks/validate.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// Bodies [first, first + count).
Bodies part_of(const Bodies& b, std::size_t first, std::size_t count) {
  Bodies part;
  const auto take = [&](auto& to, const auto& from) {
    const auto begin = from.begin() + std::ptrdiff_t(first);
    to.assign(begin, begin + std::ptrdiff_t(count));
  };
  take(part.x, b.x), take(part.y, b.y), take(part.z, b.z);
  take(part.vx, b.vx), take(part.vy, b.vy), take(part.vz, b.vz);
  take(part.mass, b.mass), take(part.id, b.id), take(part.type, b.type);
  return part;
}

struct Result {
  std::string hash;
  double time = 0;
  Totals totals;
  Radii radii;
  std::vector<double> potential;
  bool finite = false;
};
bool operator==(const Result& a, const Result& b) {
  const auto same = [](Vec3<double> x, Vec3<double> y) { return x.x == y.x && x.y == y.y && x.z == y.z; };
  return a.hash == b.hash && a.time == b.time && a.finite == b.finite && a.potential == b.potential &&
         a.totals.energies.kinetic == b.totals.energies.kinetic &&
         a.totals.energies.potential == b.totals.energies.potential &&
         same(a.totals.momentum, b.totals.momentum) &&
         same(a.totals.angular_momentum, b.totals.angular_momentum) &&
         a.totals.largest_acceleration == b.totals.largest_acceleration &&
         same(a.radii.centre, b.radii.centre) && a.radii.lagrangian == b.radii.lagrangian;
}

struct Case {
  std::string name;
  Snapshot initial;
  Gravity gravity;
  Method method;
  Precision precision = Precision::mixed;
  int steps = 2;
  std::string kernel{};  ///< "": each that sums directly
};

/// Where a simulation of these bodies comes to; those of other ranks are joined by `join`.
template <class Join>
Result result_of(const Case& c, Snapshot initial, ranks::Communicator* ranks, const Join& join) {
  EngineOptions engine{.precision = c.precision, .backend = "cpu", .ranks = ranks};
  engine.method = force_method_of(c.kernel);
  Simulation simulation(std::move(initial), c.gravity, c.method, engine);
  for (int k = 0; k < c.steps; ++k) simulation.run_towards({.time = 1, .step = 100}, 1);
  const auto totals = simulation.totals();
  const auto radii = simulation.radii();
  const bool finite = simulation.finite();
  const auto all = join(simulation.snapshot_with_fields());
  return {state_hash(all.bodies), simulation.time(), totals, radii, all.potential, finite};
}

Result alone(const Case& c) {
  return result_of(c, c.initial, nullptr, [](Snapshot s) { return s; });
}

Result together(const Case& c, int ranks) {
  std::vector<Snapshot> parts(static_cast<std::size_t>(ranks));
  std::vector<Result> results(parts.size());
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& t) {
    const ranks::Division division{c.initial.bodies.size(), ranks};
    Snapshot own = c.initial;
    own.bodies = part_of(c.initial.bodies, division.first(t.rank()), division.count(t.rank()));
    results[static_cast<std::size_t>(t.rank())] = result_of(c, std::move(own), &t, [&](Snapshot s) {
      parts[static_cast<std::size_t>(t.rank())] = std::move(s);
      t.barrier();
      Snapshot all;
      for (const auto& part : parts) {
        const auto n = all.bodies.size();
        all.bodies.append(part.bodies);
        std::ranges::copy(part.bodies.id, all.bodies.id.begin() + std::ptrdiff_t(n));
        all.potential.insert(all.potential.end(), part.potential.begin(), part.potential.end());
      }
      return all;
    });
  });
  for (const auto& each : results) EXPECT_TRUE(each == results.front()) << "ranks disagree";
  return results.front();
}

Snapshot plummer(std::size_t n) {
  return make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 3);
}

Case kdk(std::string name, Snapshot initial) {
  return {std::move(name),
          std::move(initial),
          {.G = 1, .softening = {0.05}},
          {.integrator = &integrator_named("kdk"), .dt = 0.01}};
}

void expect_same_bits(Case c) {
  if (c.kernel.empty()) {
    for (const char* kernel : {"cpu/threads", "cpu/symmetric"}) c.kernel = kernel, expect_same_bits(c);
    return;
  }
  const auto expected = alone(c);
  for (const int ranks : {1, 2, 3, 4, 7})
    EXPECT_TRUE(together(c, ranks) == expected) << c.name << ", " << c.kernel << ", on " << ranks << " ranks";
}

TEST(Collective, HasTheBitsOfOneProcess) {
  for (const std::size_t n : {1, 2, 100, 4097, 9000}) expect_same_bits(kdk(std::to_string(n), plummer(n)));
}
TEST(Collective, HasThemWithBodiesOnEveryRank) {
  auto c = kdk("29000", plummer(29000));
  c.steps = 1;
  for (const char* kernel : {"cpu/threads", "cpu/symmetric"}) {
    c.kernel = kernel;
    EXPECT_TRUE(together(c, 7) == alone(c)) << kernel;
  }
}

TEST(Collective, HasThemWithEveryPrecision) {
  for (const auto precision : {Precision::f32, Precision::f64}) {
    auto c = kdk(std::string(name_of(precision)), plummer(9000));
    c.precision = precision;
    expect_same_bits(c);
  }
}

/// Each form of symmetric pairs: forces of bodies with different masses, and accelerations where some masses
/// cannot be multiplied, whose potentials are one-sided sums.
TEST(Collective, HasThemWithMassesOfEveryKind) {
  for (const double least : {0.5, 1e-30, 0.0}) {
    auto c = kdk("least mass " + std::to_string(least), plummer(5000));
    for (std::size_t i = 0; i < c.initial.bodies.size(); i += 3) c.initial.bodies.mass[i] *= least;
    c.steps = 1;
    expect_same_bits(c);
  }
}

TEST(Collective, HasThemWithEveryIntegrator) {
  for (const char* name : {"euler", "dkd", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8"}) {
    auto c = kdk(name, plummer(5000));
    c.method.integrator = &integrator_named(name);
    expect_same_bits(c);
  }
}

TEST(Collective, HasThemWithAdaptiveSteps) {
  auto c = kdk("adaptive", plummer(9000));
  c.method.adaptive = true;
  expect_same_bits(c);
}

TEST(Collective, HasThemInAPeriodicBox) {
  for (const auto precision : {Precision::mixed, Precision::f64}) {
    auto c = kdk("box", make_model("uniform-box", std::vector<std::string>{"n=9000"}, 5));
    c.gravity.boundary = {.periodic = true, .length = {1, 1, 1}, .images = Images::nearest};
    c.precision = precision, c.steps = 1;
    expect_same_bits(c);
  }
}

TEST(Collective, HasThemWithPairsTooCloseForFloats) {
  auto c = kdk("close", plummer(9000));
  c.gravity.softening = {};
  auto& b = c.initial.bodies;
  for (const std::size_t i : {std::size_t{10}, std::size_t{5000}}) {
    b.x[i] = b.x[8999 - i] + 1e-9, b.y[i] = b.y[8999 - i], b.z[i] = b.z[8999 - i];
  }
  c.method.dt = 1e-9;
  expect_same_bits(c);
}

TEST(Collective, HasThemByTrees) {
  for (const char* kernel : {"cpu/fmm order=3 theta=0.7", "cpu/barnes-hut order=2 theta=0.7"}) {
    auto c = kdk(kernel, plummer(9000));
    c.kernel = kernel;
    expect_same_bits(c);
  }
}

TEST(Collective, RefusesWhatHasOtherBits) {
  const auto c = kdk("refused", plummer(100));
  ranks::with_simulated_ranks(2, [&](ranks::Communicator& t) {
    const auto make = [&](EngineOptions options) {
      options.ranks = &t;
      return make_engine(c.initial.bodies, c.gravity, options);
    };
    EXPECT_THROW(make({.method = ForceMethod{.kernel = &direct_kernel("cpu/simd")}}), UsageError);
    EXPECT_THROW(make({.gpus = 2}), UsageError);
    EXPECT_THROW(make({.method = force_method_of("cpu/fmm order=4 theta=0.6"),
                       .integrator = &integrator_named("hermite4")}),
                 UsageError);
  });
}

TEST(Collective, FindsTheHashOfAllBodies) {
  const auto all = plummer(9000).bodies;
  for (const int ranks : {1, 2, 7})
    ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& t) {
      const ranks::Division d{all.size(), ranks};
      EXPECT_EQ(state_hash(t, part_of(all, d.first(t.rank()), d.count(t.rank()))), state_hash(all));
    });
}

TEST(Collective, FindsBodiesAtOnePlaceOnDifferentRanks) {
  auto all = plummer(9000).bodies;
  const auto found = [&](int ranks) {
    std::optional<std::array<std::uint64_t, 2>> ids;
    ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& t) {
      const ranks::Division d{all.size(), ranks};
      const auto mine = coincident_ids(t, part_of(all, d.first(t.rank()), d.count(t.rank())));
      if (t.rank() == ranks - 1) ids = mine;
    });
    return ids;
  };
  for (const int ranks : {1, 2, 3, 7}) EXPECT_FALSE(found(ranks));
  const auto put = [&](std::size_t from, std::size_t to) {
    all.x[to] = all.x[from], all.y[to] = all.y[from], all.z[to] = all.z[from];
  };
  all.x[5] = 0, all.y[5] = 0;
  put(5, 8500), put(5, 8600), put(4000, 4100), put(70, 5000);
  all.x[8500] = -0.0;
  const auto [i, j] = coincident_pair(all);
  for (const int ranks : {1, 2, 3, 7}) EXPECT_EQ(found(ranks), (std::array{all.id[i], all.id[j]})) << ranks;
}

/// What is wrong is told in the words of one process, which has all bodies.
TEST(Collective, ValidatesAsOneProcess) {
  const auto good = plummer(9000).bodies;
  const auto words = [](const Bodies& all, double eps) -> std::string {
    try {
      validate(all, eps, "here");
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const auto on_ranks = [](const Bodies& all, double eps, int ranks) {
    std::string told;
    ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& t) {
      const ranks::Division d{all.size(), ranks};
      const auto own = part_of(all, d.first(t.rank()), d.count(t.rank()));
      try {
        agree(t, [&] { ranks::validate(t, d, own, {.softening = {eps}}, "here"); });
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::input);
        if (t.rank() == 0) told = e.what();
      }
    });
    return told;
  };
  const auto expect_same = [&](const char* what, const std::function<void(Bodies&)>& spoil,
                               double eps = 0.01) {
    auto all = good;
    spoil(all);
    const auto expected = words(all, eps);
    EXPECT_EQ(expected.empty(), std::string_view(what) == "good") << what << ": " << expected;
    for (const int ranks : {1, 2, 3, 7}) {
      auto found = on_ranks(all, eps, ranks);
      if (const auto colon = found.find("here"); colon != found.npos) found.erase(0, colon);  // "rank 2: "
      EXPECT_EQ(found, expected) << what << " on " << ranks << " ranks";
    }
  };
  expect_same("good", [](Bodies&) {});
  expect_same(
      "good", [](Bodies&) {}, 0);
  expect_same("good", [](Bodies& b) { std::ranges::reverse(b.id); });
  expect_same("good", [](Bodies& b) { b.mass.assign(b.mass.size(), 0), b.mass[8999] = 1; });
  expect_same("no mass", [](Bodies& b) { b.mass.assign(b.mass.size(), 0); });
  expect_same("a number", [](Bodies& b) { b.vy[8700] = std::nan(""); });
  expect_same("a mass", [](Bodies& b) { b.mass[4097] = -1; });
  expect_same("ids", [](Bodies& b) { b.id[8800] = b.id[3]; });
  expect_same("ids", [](Bodies& b) { b.id[4096] = b.id[4095]; });
  expect_same("ids",
              [](Bodies& b) { b.id[8000] = b.id[8999], b.id[7000] = b.id[6999], b.id[1] = b.id[8998]; });
  auto touching = good;
  touching.x[8500] = touching.x[5], touching.y[8500] = touching.y[5], touching.z[8500] = touching.z[5];
  EXPECT_EQ(on_ranks(touching, 0, 1), words(touching, 0));
  for (const int ranks : {2, 7})
    EXPECT_NE(
        on_ranks(touching, 0, ranks).find("the bodies with the ids 5 and 8500 are at the same position"),
        std::string::npos)
        << ranks;
}

TEST(Collective, FailsAlikeOnAllRanks) {
  ranks::with_simulated_ranks(3, [](ranks::Communicator& t) {
    agree(t, [] {});
    try {
      agree(t, [&] {
        if (t.rank() > 0) throw InputError("file " + std::to_string(t.rank()));
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "rank 1: file 1");
      EXPECT_EQ(e.kind(), Error::Kind::input);
    }
  });
}

TEST(Collective, RelaysInTheOrderOfRanks) {
  ranks::with_simulated_ranks(4, [](ranks::Communicator& t) {
    std::string all;
    gather_in_chunks(t, std::string(std::size_t(3 * t.rank()), char('a' + t.rank())),
                     [&](std::string_view piece) { all += piece; });
    EXPECT_EQ(all, t.rank() == 0 ? "bbbccccccddddddddd" : "");
  });
}

TEST(Division, CutsAtBlocksAndLeavesNoBodyOut) {
  for (const std::size_t n : {0, 1, 4096, 4097, 100000})
    for (const int ranks : {1, 2, 3, 7, 64}) {
      const ranks::Division d{n, ranks};
      EXPECT_EQ(d.first(0), 0u);
      EXPECT_EQ(d.first(ranks), n);
      for (int r = 0; r < ranks; ++r) {
        EXPECT_LE(d.first(r), d.first(r + 1));
        EXPECT_TRUE(d.first(r) == n || d.first(r) % ranks::Division::block == 0);
      }
    }
}

}  // namespace
}  // namespace pleiad
