/// Added forces as texts: what is read, what is refused with the nearest name, and the energy that a law
/// keeps with them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/added_force.hpp>
#include <pleiad/error.hpp>
#include <pleiad/gravity.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

std::string refusal(const std::string& text) {
  try {
    (void)added_force_of(text);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}
Gravity with(const std::vector<std::string>& forces, const std::vector<std::string>& potentials = {}) {
  return {.potentials = potentials_of(potentials), .forces = added_forces_of(forces)};
}

}  // namespace

TEST(AddedForceTexts, GiveTheSameForceAgain) {
  const std::vector<std::string> texts{"post-newtonian c=10065.32012",
                                       "gr-potential c=1e4 body=7 on=massless",
                                       "oblate j2=0.1 radius=0.3333333333333333 axis_x=1e-3 on=massive",
                                       "radiation beta=0.1 on=all",
                                       "poynting-robertson beta=0.2 c=100 body=18446744073709551615",
                                       "gas-drag linear=0.1 vx=-2.5e-7",
                                       "dynamical-friction log_lambda=3 potential=2",
                                       "post-newtonian-pairs c=1e4 pn2=0"};
  EXPECT_EQ(texts.size(), added_force_kinds().size());
  const auto forces = added_forces_of(texts);
  EXPECT_EQ(added_forces_of_lines(lines_of(forces)), forces);
  EXPECT_EQ(text_of(forces[3]), texts[3]);
  EXPECT_EQ(forces[1].body, 7U);
  EXPECT_EQ(forces[1].on, ActsOn::massless);
  EXPECT_FALSE(forces[0].body);
  EXPECT_EQ(added_force_of("radiation beta=1").on, ActsOn::massless);
  EXPECT_EQ(added_force_of("dynamical-friction log_lambda=1").on, ActsOn::massive);
}

/// 299792.458 km/s, and in units of au and yr / 2 pi the 10065.32 of the textbooks.
TEST(AddedForceTexts, TakeTheSpeedOfLightFromPhysicalUnits) {
  EXPECT_EQ(added_force_of("gr-potential", units_named("cluster")).parameters[0], 299792.458);
  EXPECT_NEAR(added_force_of("post-newtonian", units_named("solar")).parameters[0], 10065.32, 0.005);
  EXPECT_EQ(added_force_of("poynting-robertson beta=1 c=3", units_named("si")).parameters[1], 3);
}

TEST(AddedForceTexts, AreRefusedInWords) {
  EXPECT_EQ(refusal(""),
            "a force is empty: it must be KIND name=value ..., such as \"gr-potential c=10000\"");
  EXPECT_EQ(refusal("oblat j2=1"),
            "no force 'oblat': it is one of post-newtonian, gr-potential, oblate, radiation, "
            "poynting-robertson, gas-drag, dynamical-friction, post-newtonian-pairs; did you mean 'oblate'?");
  EXPECT_EQ(refusal("gr-potential"),
            "force 'gr-potential' needs c, the speed of light (known in physical units): add c=VALUE");
  EXPECT_EQ(refusal("gr-potential c=0"),
            "force 'gr-potential': c = 0 is out of range; it must be from 1e-100 to 1e+100");
  EXPECT_EQ(refusal("gr-potential c=nan"), "force 'gr-potential': c = 'nan' is not a finite number");
  EXPECT_EQ(refusal("gr-potential c"), "force 'gr-potential': 'c' must have the form name=value");
  EXPECT_EQ(refusal("gr-potential c=1 c=2"), "force 'gr-potential': c is given twice");
  EXPECT_EQ(refusal("gr-potential c=1 bodi=2"),
            "force 'gr-potential' has no parameter 'bodi'; its parameters are c, on, body; did you mean "
            "'body'?");
  EXPECT_EQ(refusal("gr-potential c=1 body=-2"),
            "force 'gr-potential': body = '-2' must be the id of a body, or heaviest");
  EXPECT_EQ(refusal("gr-potential c=1 on=massles"),
            "force 'gr-potential': on = 'massles' must be one of all, massive, massless; did you mean "
            "'massless'?");
  EXPECT_EQ(refusal("oblate j2=1 radius=1 axis_z=0"),
            "force 'oblate': its axis is 0, 0, 0; it must have a direction");
  EXPECT_EQ(refusal("gas-drag linear=1 body=2"),
            "force 'gas-drag': body = 2 is the source of a rotation; add rotation, which is not 0, or leave "
            "it out");
  EXPECT_EQ(refusal("gas-drag linear=1 rotation=0.99 body=2"), "");
  EXPECT_EQ(refusal("gas-drag"),
            "force 'gas-drag' needs linear or quadratic, its strength: add one of them, > 0");
  EXPECT_EQ(refusal("dynamical-friction log_lambda=1 potential=1.5"),
            "force 'dynamical-friction': potential = 1.5 must be a whole number");
  EXPECT_EQ(refusal("dynamical-friction log_lambda=1 potential=0"),
            "force 'dynamical-friction': potential = 0 is out of range; it must be from 1 to 64");
}

TEST(AddedForceTexts, OfPairsAreRefusedInWords) {
  const std::string it = "force 'post-newtonian-pairs'";
  EXPECT_EQ(refusal("post-newtonian-pairs"),
            it + " needs c, the speed of light (known in physical units): add c=VALUE");
  EXPECT_EQ(refusal("post-newtonian-pairs c=1 pn2=0.5"), it + ": pn2 = 0.5 must be 1 or 0");
  EXPECT_EQ(refusal("post-newtonian-pairs c=1 pn1=0 pn2=0 pn25=0"),
            it + " has no terms: leave out one of pn1=0, pn2=0 and pn25=0");
  EXPECT_EQ(refusal("post-newtonian-pairs c=1 on=massive"),
            it + ": on = 'massive', but it acts on both bodies of a pair; leave it out");
  EXPECT_EQ(refusal("post-newtonian-pairs c=1 body=3"),
            it + " has no parameter 'body'; its parameters are c, pn1, pn2, pn25, average, on");
}

TEST(AddedForceTexts, SayWhatEnergyTheLawKeeps) {
  EXPECT_EQ(pattern_speed_of(with({"gr-potential c=1", "post-newtonian c=1"})), 0);
  EXPECT_EQ(pattern_speed_of(with({"radiation beta=1"})), 0);
  EXPECT_FALSE(pattern_speed_of(with({"radiation beta=1 on=all"})));
  for (const auto* drag :
       {"gas-drag linear=1", "poynting-robertson beta=1 c=1", "dynamical-friction log_lambda=1"}) {
    EXPECT_FALSE(pattern_speed_of(with({drag}, {"plummer mass=1 scale=1"}))) << drag;
    EXPECT_TRUE(counts_work(with({drag, "gr-potential c=1"}, {"plummer mass=1 scale=1"}))) << drag;
    EXPECT_EQ(balanced_pattern_speed_of(with({drag}, {"plummer mass=1 scale=1"})), 0) << drag;
    // Their work in another energy than m v^2 / 2 is not known, and that of others is not counted.
    EXPECT_FALSE(balanced_pattern_speed_of(with({drag, "post-newtonian c=1"}, {"plummer mass=1 scale=1"})));
    EXPECT_FALSE(
        balanced_pattern_speed_of(with({drag, "radiation beta=1 on=all"}, {"plummer mass=1 scale=1"})));
  }
  const std::string bar = "bar mass=1 length=1 width=0.3 height=0.2 omega=0.7";
  EXPECT_EQ(pattern_speed_of(with({"oblate j2=0.1 radius=1", "gr-potential c=1"}, {bar})), 0.7);
  EXPECT_FALSE(pattern_speed_of(with({"oblate j2=0.1 radius=1 axis_x=1"}, {bar})));
  EXPECT_EQ(pattern_speed_of(with({"oblate j2=0.1 radius=1 axis_x=1"})), 0);
  EXPECT_EQ(balanced_pattern_speed_of(with({"oblate j2=0.1 radius=1", "gas-drag linear=1"}, {bar})), 0.7);
  EXPECT_FALSE(balanced_pattern_speed_of(with({"gas-drag linear=1"}, {"plummer mass=1 scale=1 e_fold=3"})));
  EXPECT_FALSE(counts_work(with({"gr-potential c=1"})));
  EXPECT_EQ(balanced_pattern_speed_of(with({"post-newtonian-pairs c=1"})), 0);
}

}  // namespace pleiad
