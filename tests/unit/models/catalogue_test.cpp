/// What holds for every model: it can be found, it is deterministic, at rest as a whole, valid, and refuses
/// nonsense.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "unit/models/support.hpp"

#include <pleiad/error.hpp>

#include <set>

using namespace pleiad;
using namespace pleiad::test;

namespace {

bool has(const Model& model, std::string_view parameter) {
  return std::any_of(model.parameters.begin(), model.parameters.end(),
                     [&](const auto& p) { return p.name == parameter; });
}

/// Several blocks of draws, and an odd number of bodies.
std::vector<std::string> sized(const Model& model, const std::string& n) {
  return has(model, "n") ? std::vector<std::string>{"n=" + n} : std::vector<std::string>{};
}

std::string refusal(std::string_view model, const std::vector<std::string>& settings) {
  try {
    make_model(model, settings, 1);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

bool rests_on_its_mass(const Model& model) {
  return model.origin == "the centre of mass, at rest" || model.origin == "the barycentre, at rest";
}

bool drawn(const Model& model) { return has(model, "n"); }

}  // namespace

TEST(Models, HaveNamesIdeasAndDefaultsInsideTheirRanges) {
  std::set<std::string_view> names;
  for (const Model* model : models()) {
    EXPECT_TRUE(names.insert(model->name).second) << model->name;
    EXPECT_FALSE(model->idea.empty()) << model->name;
    EXPECT_EQ(&model_named(model->name), model);
    std::set<std::string_view> own;
    for (const auto& p : model->parameters) {
      EXPECT_TRUE(own.insert(p.name).second) << model->name << ' ' << p.name;
      EXPECT_TRUE(p.low <= p.value && p.value <= p.high) << model->name << ' ' << p.name;
      EXPECT_FALSE(p.meaning.empty()) << model->name << ' ' << p.name;
      if (!p.words.empty()) {
        EXPECT_EQ(p.low, 0) << model->name << ' ' << p.name;
        EXPECT_EQ(p.high, double(p.words.size() - 1)) << model->name << ' ' << p.name;
        EXPECT_EQ(p.value, std::floor(p.value)) << model->name << ' ' << p.name;
      }
    }
  }
  EXPECT_EQ(names.size(), 19u);
}

TEST(Models, TheSameSeedGivesTheSameBitsForAnyNumberOfThreadsAndAnotherSeedOthers) {
  for (const Model* model : models()) {
    const auto settings = sized(*model, "5001");
    set_threads(1);
    const auto one = state_hash(made(model->name, settings, 7).bodies);
    set_threads(3);
    const auto three = state_hash(made(model->name, settings, 7).bodies);
    const auto other = state_hash(made(model->name, settings, 8).bodies);
    set_threads(0);
    EXPECT_EQ(one, three) << model->name;
    EXPECT_EQ(one != other, drawn(*model)) << model->name;
  }
}

TEST(Models, TheFirstBodiesDoNotDependOnHowManyFollow) {
  // A periodic box at rest is not moved to a centre of mass, so its bodies must agree to the last bit.
  const auto few = made("uniform-box", {"n=1000"}).bodies, many = made("uniform-box", {"n=3001"}).bodies;
  for (std::size_t i = 0; i < few.size(); ++i) ASSERT_EQ(few.position(i), many.position(i)) << i;
}

TEST(Models, MakeValidBodiesOfTheAskedNumberAtRestAsAWhole) {
  for (const Model* model : models()) {
    const auto s = made(model->name, sized(*model, "5001"));
    const auto& b = s.bodies;
    if (drawn(*model)) {
      EXPECT_EQ(b.size(), 5001u) << model->name;
    }
    EXPECT_NO_THROW(validate(b, 0, model->name));
    EXPECT_EQ(s.time, 0) << model->name;
    EXPECT_EQ(s.G, s.units.G()) << model->name;
    // Sums over blocks of 4096, then two of them: each partial sum rounds by 2^-53 of at most sum m |v|,
    // twice for shift and check.
    double speeds = 0, distances = 0, mass = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      mass += b.mass[i], speeds += b.mass[i] * norm(b.velocity(i)),
          distances += b.mass[i] * norm(b.position(i));
    }
    const auto centre = centre_of_mass(b);
    EXPECT_LE(norm(centre.velocity), 2 * 4100 * 0x1p-53 * speeds / mass) << model->name;
    EXPECT_TRUE(model->origin.ends_with("at rest") || model->origin.ends_with("; total momentum 0"))
        << model->name << ": " << model->origin;
    if (rests_on_its_mass(*model)) {
      EXPECT_LE(norm(centre.position), 2 * 4100 * 0x1p-53 * distances / mass) << model->name;
    }
  }
}

TEST(Models, OneBodyRestsAndIsAtTheOriginWhenTheCentreOfMassIs) {
  for (const Model* model : models()) {
    if (!drawn(*model) || model->parameters[0].low > 1) continue;
    const auto b = made(model->name, {"n=1"}).bodies;
    ASSERT_EQ(b.size(), 1u) << model->name;
    EXPECT_EQ(b.velocity(0), Vec3<double>{}) << model->name;
    if (rests_on_its_mass(*model)) {
      EXPECT_EQ(b.position(0), Vec3<double>{}) << model->name;
    }
  }
}

TEST(Models, AreFiniteOrRefusedAtBothEndsOfEveryRange) {
  for (const Model* model : models())
    for (const auto& p : model->parameters) {
      if (p.name == "n" || p.name == "side") continue;
      if (model->name == "encounter" && has(model_named("galaxy"), p.name)) continue;  // shared with galaxy
      for (const double value : {p.low, p.high}) {
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", value);
        if (!p.words.empty())
          std::snprintf(text, sizeof text, "%s", std::string(p.words[std::size_t(value)]).c_str());
        auto settings = sized(*model, "1001");
        settings.push_back(std::string(p.name) + "=" + text);
        try {
          const auto b = make_model(model->name, settings, 1).bodies;
          EXPECT_NO_THROW(validate(b, 1, model->name)) << p.name << " = " << value;
        } catch (const UsageError&) {
          // a combination may be impossible: then it is said
        }
      }
    }
}

TEST(Models, RefuseInOneLineThatSaysWhatWouldBeRight) {
  EXPECT_EQ(refusal("plumer", {}), "no model 'plumer'; did you mean 'plummer'?");
  EXPECT_NE(refusal("xyzzyxyzzy", {}).find("the models are uniform-box, "), std::string::npos);
  EXPECT_EQ(refusal("king", {"w0=3"}), "model 'king' has no parameter 'w0'; did you mean 'W0'?");
  EXPECT_EQ(refusal("plummer", {"n=0"}),
            "model 'plummer': n = 0 is out of range; it must be from 1 to 1e+10");
  EXPECT_EQ(refusal("plummer", {"n=2.5"}), "n = 2.5 must be a whole number");
  EXPECT_EQ(refusal("plummer", {"n=nan"}),
            "model 'plummer': n = nan is out of range; it must be from 1 to 1e+10");
  EXPECT_EQ(refusal("plummer", {"n=10x"}),
            "model 'plummer': n = '10x' is not a number; it must be from 1 to 1e+10");
  EXPECT_EQ(refusal("plummer", {"n"}), "model 'plummer': 'n' must have the form name=value");
  EXPECT_EQ(refusal("plummer", {"n=3", "n=4"}), "model 'plummer': n is given twice");
  EXPECT_EQ(refusal("pythagorean", {"n=3"}), "model 'pythagorean' has no parameter 'n': it has none at all");
  EXPECT_NE(refusal("two-body", {"e=1"}).find("take e < 1 (ellipse) or e > 1 (hyperbola)"),
            std::string::npos);
  EXPECT_NE(refusal("two-body", {"m1=0", "m2=0"}).find("at least one of them must be > 0"),
            std::string::npos);
  EXPECT_NE(refusal("encounter", {"separation=5"}).find("it must be from 8 to inf"), std::string::npos);
  EXPECT_NE(refusal("encounter", {"eccentricity=0.5", "separation=25"}).find("it must be from 8 to 24"),
            std::string::npos);
  EXPECT_NE(refusal("galaxy", {"n=100", "bulge_mass=0.001"}).find("leaves a component empty"),
            std::string::npos);
}

TEST(Models, RefuseMoreBodiesThanTheMachineHoldsBeforeAllocatingThem) {
  try {
    make_model("plummer", std::vector<std::string>{"n=1e10"}, 1);
    GTEST_SKIP() << "this machine has more than 650 GB of memory";
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.kind(), Error::Kind::resource);
    EXPECT_NE(std::string(error.what()).find("10000000000 bodies need 650.0 GB"), std::string::npos)
        << error.what();
  }
}

TEST(UniformBox, IsFlatOrNotPeriodicAndWarmWhenAsked) {
  const auto flat = made("uniform-box", {"n=4096", "dimension=2", "box=3", "total_mass=2"});
  EXPECT_TRUE(flat.boundary.periodic);
  EXPECT_EQ(flat.boundary.length, (Vec3<double>{3, 3, 3}));
  double mass = 0;
  for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
    mass += flat.bodies.mass[i];
    ASSERT_TRUE(flat.bodies.x[i] >= 0 && flat.bodies.x[i] < 3 && flat.bodies.y[i] >= 0 &&
                flat.bodies.y[i] < 3);
    ASSERT_EQ(flat.bodies.z[i], 0);
    ASSERT_EQ(flat.bodies.velocity(i), Vec3<double>{});
  }
  EXPECT_LE(std::abs(mass - 2), 4096 * 0x1p-52);
  for (const auto* axis : {&flat.bodies.x, &flat.bodies.y})
    EXPECT_LE(kolmogorov(*axis, [](double x) { return x / 3; }), kolmogorov_bound);
  const auto warm = made("uniform-box", {"n=4096", "sigma=2"}).bodies;
  for (const auto* axis : {&warm.x, &warm.y, &warm.z})
    EXPECT_LE(kolmogorov(*axis, [](double x) { return x; }), kolmogorov_bound);
  for (const auto* axis : {&warm.vx, &warm.vy, &warm.vz})
    EXPECT_LE(kolmogorov(*axis, [](double v) { return 0.5 * std::erfc(-v / 2 / std::sqrt(2.0)); }),
              kolmogorov_bound);
  EXPECT_EQ(made("uniform-box").bodies.mass[0], 1);
}

TEST(Lattice, HasNoForceForAnOddSide) {
  constexpr int side = 5;
  const auto b = made("lattice", {"side=5"}).bodies;
  ASSERT_EQ(b.size(), 25u);
  const auto wrapped = [](double d) { return d - std::round(d); };
  for (std::size_t i = 0; i < b.size(); ++i) {
    double fx = 0, fy = 0, size = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (i == j) continue;
      const double dx = wrapped(b.x[j] - b.x[i]), dy = wrapped(b.y[j] - b.y[i]), r = std::hypot(dx, dy);
      fx += dx / (r * r * r), fy += dy / (r * r * r), size += 1 / (r * r);
    }
    EXPECT_LE(std::hypot(fx, fy), 1e-13 * size) << i;  // 24 terms whose separations round by 2^-53 / (1/5)
  }
  EXPECT_EQ(side * side, 25);
}

TEST(DemoPresets, HaveTheirShapes) {
  // n = 3000 <= 1024 * 3: the balls have the radius 2 * 3000/1024. Moving the centre of mass shifts by less
  // than 4 R / sqrt(n).
  const double R = 2 * 3000.0 / 1024, slack = 4 * R / std::sqrt(3000.0);
  const std::vector<std::string> settings{"n=3000", "cluster_scale=2", "velocity_scale=3"};
  const auto ball = made("random", settings).bodies, expand = made("expand", settings).bodies,
             shell = made("shell", settings).bodies;
  for (const auto& b : {ball, expand})
    EXPECT_LE(kolmogorov(radii(b), [&](double r) { return std::min(1.0, std::pow(r / R, 3)); }),
              kolmogorov_bound);
  for (std::size_t i = 0; i < 3000; ++i) {
    EXPECT_LE(norm(ball.velocity(i)), 3 * (R + slack));
    EXPECT_LE(norm(expand.velocity(i) - 3 * expand.position(i)),
              1e-12 * R);  // Hubble flow survives the shift
    const double r = norm(shell.position(i));
    EXPECT_TRUE(r >= 2 * 2.5 - slack && r <= 2 * 4 + slack);
    EXPECT_LE(std::abs(shell.vx[i] - 6 * shell.y[i]) + std::abs(shell.vy[i] + 6 * shell.x[i]), 1e-12 * 8 * 6);
    EXPECT_EQ(shell.mass[i], 1);
  }
}
