/// External potentials as text: every kind and parameter is read, written and refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "potentials/hill_drift.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// A text with these values of the parameters, but for one.
std::string text_without(const PotentialKind& kind, std::string_view left_out, double value = 0.5) {
  std::string text(kind.name);
  for (const auto& p : kind.parameters)
    if (p.name != left_out) text += fmt::format(" {}={}", p.name, value);
  if (kind.name == "table") text += " rows=1,1,2,1.5";
  return text;
}
/// The sentence of the refusal.
std::string refusal(const std::string& text) {
  try {
    (void)potential_of(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(PotentialText, GivesTheSameBitsAgain) {
  Random random(3, 0);
  for (std::size_t kind = 0; kind < potential_kinds().size(); ++kind)
    for (int k = 0; k < 50; ++k) {
      Potential p;
      p.kind = static_cast<int>(kind);
      const auto& parameters = potential_kinds()[kind].parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) p.parameters[i] = std::exp(5 * random.normal());
      for (std::size_t i = 0; i < parameters.size(); ++i)
        p.parameters[i] = std::min(std::max(p.parameters[i], parameters[i].low), parameters[i].high);
      if (potentials::is_hill(p)) {  // has no motion
        EXPECT_EQ(potential_of(text_of(p)), p) << text_of(p);
        continue;
      }
      if (k % 2 == 0) p.centre = {random.normal(), random.normal(), 1e-310 * random.normal()};
      if (k % 3 == 0) p.velocity = {random.normal(), random.normal(), random.normal()};
      if (k % 5 == 0) p.angle = random.normal(), p.omega = random.normal();
      if (k % 7 == 0) p.rise_from = random.normal(), p.rise_to = p.rise_from + random.uniform();
      if (k % 4 == 0) p.e_fold = random.normal();
      if (potential_kinds()[kind].name == "table")
        p.table =
            potential_of(fmt::format("table rows=1e-3,{},1,{},7,1e3", random.uniform(), 1 + random.uniform()))
                .table;
      if (k % 11 == 10) {
        p.centre = p.velocity = {};
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 7; ++column) p.track.push_back(column == 0 ? row : random.normal());
      }
      EXPECT_EQ(potential_of(text_of(p)), p) << text_of(p);
    }
  std::vector<Potential> all;
  for (const auto& kind : potential_kinds()) all.push_back(potential_of(text_without(kind, "")));
  EXPECT_EQ(potentials_of_lines(lines_of(all)), all);
  EXPECT_TRUE(potentials_of_lines("").empty());
}

TEST(PotentialText, NeedsEveryParameterThatHasNoDefault) {
  for (const auto& kind : potential_kinds())
    for (const auto& p : kind.parameters) {
      const auto why = refusal(text_without(kind, p.name));
      EXPECT_EQ(has(why, fmt::format("needs {}", p.name)), p.required) << why;
      EXPECT_EQ(why.empty(), !p.required);
    }
}

TEST(PotentialText, RefusesWhatItDoesNotKnowWithTheNearestName) {
  for (const auto& kind : potential_kinds()) {
    const auto whole = text_without(kind, "");
    EXPECT_EQ(refusal(whole), "");
    EXPECT_TRUE(has(refusal(std::string(kind.name) + "x"), fmt::format("'{}'?", kind.name))) << kind.name;
    for (const auto& p : kind.parameters) {
      const std::string name(p.name);
      EXPECT_TRUE(has(refusal(whole + " " + name + "=1"), name + " is given twice")) << whole;
      if (name.size() > 2) {
        const auto why = refusal(text_without(kind, p.name) + " " + name + "s=1");
        EXPECT_TRUE(has(why, "no parameter '" + name + "s'") && has(why, "'" + name + "'?")) << why;
      }
      for (const auto* value : {"", "one", "1e999", "nan", "inf", "1,5", "0x10"})
        EXPECT_TRUE(has(refusal(text_without(kind, p.name) + " " + name + "=" + value), "finite number"))
            << name << "=" << value;
      for (const double value : {p.low > -1e300 ? p.low - std::abs(p.low) - 1 : std::nan(""), 1e308}) {
        if (!(value < p.low || value > p.high)) continue;
        const auto why = refusal(text_without(kind, p.name) + fmt::format(" {}={}", name, value));
        EXPECT_TRUE(has(why, "out of range")) << why;
      }
    }
    for (const auto& common : common_potential_parameters()) {
      const std::string name(common.name);
      if (kind.name == "hill") {
        EXPECT_TRUE(has(refusal(whole + " " + name + "=-2.5"), "takes rate, kappa and nu only")) << name;
        continue;
      }
      // A rise needs both ends.
      EXPECT_EQ(refusal(whole + " " + name + "=-2.5").empty(), name != "rise_to") << name;
      EXPECT_TRUE(has(refusal(whole + " " + name + "=1 " + name + "=1"), "given twice"));
      if (name.size() > 2) {
        EXPECT_TRUE(has(refusal(whole + " " + name + "s=1"), "'" + name + "'?"));
      }
    }
    if (kind.name == "hill") continue;
    EXPECT_TRUE(has(refusal(whole + " rise_from=2 rise_to=1"), "rise_from = 2 must be before rise_to = 1"));
    EXPECT_TRUE(has(refusal(whole + " rise_from=1 rise_to=1"), "must be before"));
    EXPECT_TRUE(has(refusal(whole + " word"), "name=value"));
  }
  EXPECT_TRUE(has(refusal(""), "is empty"));
  EXPECT_TRUE(has(refusal("  \t "), "is empty"));
  EXPECT_TRUE(has(refusal("mass=1"), "no potential 'mass=1'"));
}

TEST(PotentialText, ReadsTablesAndTracksFromFiles) {
  const test::Folder folder;
  const auto file = [&](const char* name, const std::string& content) {
    const auto path = folder.path / name;
    std::ofstream(path) << content;
    return path.string();
  };
  const auto masses = file("masses.txt", "# r M\n0.5 1\n\n1, 2.5\t# a comment\n2 3\r\n"),
             track = file("track.txt", "0 1 2 3\n1 2 2 3\n3 4 2 2\n"),
             whole = file("whole.txt", "0 1 2 3 1 0 0\n1 2 2 3 1 0 0\n");
  EXPECT_EQ(potential_of("table file=" + masses), potential_of("table rows=0.5,1,1,2.5,2,3"));
  const auto moving = potential_of("point mass=1 track=" + track);
  // Velocities of parabolas through three rows: x = 1 + t, z = 3 - (t - 1) t / 12 ... whose slopes at 0, 1, 3
  // follow from the secants 0 and -1/2.
  EXPECT_EQ(moving.track,
            (std::vector<double>{0, 1, 2, 3, 1, 0, 0 + 0.5 / 3,       1, 2, 2, 3, 1, 0, -0.5 / 3,
                                 3, 4, 2, 2, 1, 0, -0.5 - 0.5 * 2 / 3}));
  EXPECT_EQ(potential_of("point mass=1 track=" + whole).track.size(), 14U);
  // The text has their contents: no file is needed again.
  EXPECT_EQ(potential_of(text_of(moving)), moving);

  const auto table = [&](const std::string& content) {
    return refusal("table file=" + file("bad.txt", content));
  };
  EXPECT_TRUE(has(table("1 2\n2 x\n"), "bad.txt', line 2: it must have 2 finite numbers"));
  EXPECT_TRUE(has(table("1 2\n2 3 4\n"), "line 2: it must have 2 finite numbers"));
  EXPECT_TRUE(has(table("1 2\n2 nan\n"), "line 2"));
  EXPECT_TRUE(has(table("# nothing\n"), "has no rows of numbers"));
  EXPECT_TRUE(has(table("1 2 3\n2 3 4\n"), "a row must be a radius and the mass within it, not 3 numbers"));
  EXPECT_TRUE(has(table("1 2\n"), "not two or more rows of 2"));
  EXPECT_TRUE(has(table("1 2\n1 3\n"), "its radii must rise, but 1 follows 1"));
  EXPECT_TRUE(has(table("1 2\n2 1\n"), "not fall"));
  EXPECT_TRUE(has(table("0 0\n2 1\n"), "its radii must be > 0"));
  EXPECT_TRUE(has(table("1 -1\n2 1\n"), "its masses >= 0"));
  EXPECT_TRUE(has(refusal("table file=" + (folder.path / "none").string()), "cannot read '"));
  EXPECT_TRUE(has(refusal("table"), "needs file"));
  EXPECT_TRUE(has(refusal("table rows=1,2,x"), "finite numbers with commas"));
  EXPECT_TRUE(has(refusal("table file=a rows=1,1,2,2"), "takes file or rows, not both"));
  EXPECT_TRUE(has(refusal("point mass=1 rows=1,2"), "no parameter 'rows'"));
  EXPECT_TRUE(has(refusal("point mass=1 track=a track_rows=1"), "takes track or track_rows, not both"));
  EXPECT_TRUE(has(refusal("point mass=1 track=" + masses), "a row must be t, x, y, z"));
  EXPECT_TRUE(
      has(refusal("point mass=1 track=" + file("back.txt", "1 0 0 0\n0 0 0 0\n")), "its times must rise"));
  EXPECT_TRUE(has(refusal("point mass=1 x=1 track=" + track), "leave out x, y, z"));
}

/// A model of a galaxy needs to know what a kiloparsec and the Sun are.
TEST(PotentialText, TakesPhysicalScalesFromTheUnits) {
  EXPECT_TRUE(has(refusal("milky-way"), "needs kpc, its length of 1 kpc in the units of the run"));
  EXPECT_TRUE(has(refusal("milky-way kpc=1"), "needs msun"));
  EXPECT_EQ(text_of(potential_of("milky-way", units_named("galactic"))), "milky-way kpc=1 msun=1e-10");
  EXPECT_EQ(text_of(potential_of("milky-way", units_named("cluster"))), "milky-way kpc=1000 msun=1");
  EXPECT_EQ(text_of(potential_of("milky-way kpc=2", units_named("cluster"))), "milky-way kpc=2 msun=1");
  const auto si = potential_of("milky-way", units_named("si"));
  EXPECT_NEAR(si.parameters[0], 3.0856775814913673e19, 1e5);
  EXPECT_NEAR(si.parameters[1], 1.9884e30, 1e26);
}

}  // namespace pleiad
