/// Units change numbers, not physics: the constant of gravity goes with the bodies into every system and
/// every file, and what is small keeps its own units.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/share.hpp"
#include "ranks/simulated.hpp"
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

std::vector<Units> physical_systems() {
  std::vector<Units> all{custom_units(1.5e18, 2e33, 3e4),
                         custom_units(3.0856775814913673e21, 1.98841e43, 1e5)};
  for (const auto name : unit_system_names())
    if (units_named(name).physical) all.push_back(units_named(name));
  return all;
}

/// G m / (r v^2) of a body: a number without units, of which all motion is made.
double strength(const Snapshot& s, std::size_t i) {
  const Bodies& b = s.bodies;
  return s.G * b.mass[i] /
         (norm(b.position(i)) * (b.vx[i] * b.vx[i] + b.vy[i] * b.vy[i] + b.vz[i] * b.vz[i]));
}

void expect_near(double value, double expected, double bound, const std::string& what) {
  EXPECT_LE(std::abs(value - expected), bound * std::abs(expected))
      << what << ": " << value << ", expected " << expected;
}

TEST(Units, AConversionKeepsTheConstantOfItsSource) {
  for (const Units& from : physical_systems())
    for (const Units& to : physical_systems())
      for (const double of_its_own : {1.0, 1.5, 1.0003}) {
        Snapshot s;
        s.bodies = truth(), s.units = from, s.G = from.G() * of_its_own;
        const Snapshot before = s;
        convert(s, to);
        const std::string what = from.name + " to " + to.name;
        // A dozen roundings of 1.1e-16 each.
        for (std::size_t i = 0; i < s.bodies.size(); ++i)
          expect_near(strength(s, i), strength(before, i), 2e-14, what);
        convert(s, from);
        expect_near(s.G, before.G, 2e-14, what + " and back");
        if (of_its_own == 1) {
          EXPECT_EQ(s.G, before.G) << what << " and back: a system's own constant is exactly its own again";
        }
      }
}

TEST(Units, SofteningsAreConvertedAsPositions) {
  Snapshot s;
  s.bodies = truth(), s.units = units_named("galactic");
  s.bodies.softening = s.bodies.x;
  convert(s, units_named("cgs"));
  EXPECT_EQ(s.bodies.softening, s.bodies.x);
}

TEST(Units, EveryFileKeepsTheConstantOfTheSource) {
  const Folder folder;
  for (const auto name : format_names()) {
    const Format& format = format_named(name);
    for (const Units& to : physical_systems()) {
      if (format.digits == Format::Digits::single && to.mass_g < 1e4)
        continue;  // no float holds these masses
      Snapshot s;
      s.bodies = truth(), s.units = units_named("galactic"), s.G = s.units.G();
      const Folder own;
      write_snapshot(own / "s", s, {.format = &format, .units = to});
      const Snapshot t = read_snapshot(own / "s").snapshot;
      // Singles are rounded by 6e-8 each.
      const double bound = format.digits == Format::Digits::single ? 1e-6 : 2e-14;
      for (std::size_t i = 0; i < s.bodies.size(); ++i)
        expect_near(strength(t, i), strength(s, i), bound, std::string(name) + " in " + to.name);
      expect_near(t.G / t.units.G(),
                  s.G * to.mass_g / (to.length_cm * to.velocity_cm_s * to.velocity_cm_s) /
                      (s.units.mass_g / (s.units.length_cm * 1e10)) / to.G(),
                  bound, std::string(name) + " in " + to.name);
    }
  }
}

TEST(Units, NamingTheUnitsOfAFileWithAlmostTheirConstantKeepsIt) {
  const Folder folder;
  Snapshot s;
  s.bodies = truth();  // N-body units: G = 1
  write_snapshot(folder / "s.csv", s, {.format = &format_named("csv")});
  const Units galactic = units_named("galactic");
  // The unit of velocity in which GADGET's constant is 1; with CODATA's it is 1.0003.
  const Units scale =
      custom_units(galactic.length_cm, galactic.mass_g, galactic.velocity_cm_s * std::sqrt(galactic.G()));
  Snapshot t = read_snapshot(folder / "s.csv", scale).snapshot;
  EXPECT_EQ(t.G, 1);
  convert(t, galactic);
  EXPECT_EQ(t.G, galactic.G());
  EXPECT_EQ(read_snapshot(folder / "s.csv", galactic).snapshot.G, galactic.G());
}

TEST(Units, SmallThingsKeepTheirOwnUnits) {
  for (const Units& units : physical_systems())
    for (const auto& [kpc, own] : {std::pair{1e-9, true}, {9e-4, true}, {1.1e-3, false}, {10.0, false}})
      for (const double centre : {0.0, 8.0})
        for (const auto name : format_names()) {
          Snapshot s;
          s.units = units;
          const double size = kpc * 3.085678e21 / units.length_cm,
                       at = centre * 3.085678e21 / units.length_cm;
          s.bodies.add(1, {at - size / 2, 0, 0}, {}), s.bodies.add(1, {at + size / 2, 0, 0}, {});
          const auto usual = usual_units(format_named(name), s);
          const bool galactic = !own && !format_named(name).readers_units.empty();
          EXPECT_EQ(usual.has_value(), galactic) << name << ", " << kpc << " kpc in " << units.name;
          if (usual) {
            EXPECT_EQ(usual->name, "galactic");
          }
          // The bodies of several ranks, of which one has none, are looked at together.
          ranks::with_simulated_ranks(3, [&](ranks::Communicator& t) {
            Snapshot own_part;
            own_part.units = units;
            if (const auto k = std::size_t(t.rank()); k < 2) own_part.bodies.add(1, s.bodies.position(k), {});
            EXPECT_EQ(usual_units(format_named(name), own_part, t), usual);
          });
        }
}

}  // namespace
}  // namespace pleiad
