/// Comoving bodies of other programs: every form, with every unit system, h, scale factor and convention of
/// velocities, has the same bodies; what its header lacks or contradicts is refused with what would be right.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/comoving_forms.hpp"

#include "io/files/comoving.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

/// Bodies that are all of the matter of a box, at places and with velocities of no pattern.
Box box_of(double a, double h) {
  Box box;
  box.universe = {.omega_m = 0.31, .omega_lambda = 0.69, .h = h};
  Snapshot& s = box.bodies;
  s.units = units_named("galactic"), s.G = s.units.G(), s.time = a;
  constexpr double side = 25000;
  s.boundary = {.periodic = true, .length = {side, side, side}, .images = Images::all};
  constexpr int n = 7;
  const double mass = 0.31 * 3 * 0.1 * 0.1 / (8 * std::numbers::pi * s.G) * side * side * side / n;
  for (int i = 0; i < n; ++i) {
    const auto at = [&](int k) { return std::fmod((i + 1) * 0.137 * (k + 2.3), 1.0); };
    s.bodies.add(mass * (0.7 + 0.1 * i), Vec3<double>{at(0), at(1), at(2)} * side,
                 Vec3<double>{at(3) - 0.5, at(4) - 0.5, at(5) - 0.5} * 400, Type::halo);
  }
  return box;
}

const std::vector<Scale> scales{{3.085678e21, 1.989e43, 1e5},    // kpc, 1e10 Msun, km/s
                                {3.085678e24, 1.989e43, 1e5},    // Mpc
                                {3.08567758e24, 1.98841e33, 1},  // Mpc, Msun, cm/s
                                {1e20, 7e40, 3e6}};

void expect_the_box(const FileContent& c, const Box& box, const std::string& what) {
  ASSERT_TRUE(c.universe) << what;
  Snapshot s = c.snapshot;
  EXPECT_EQ(s.time, box.bodies.time) << what;
  convert(s, box.bodies.units);
  const Bodies &b = s.bodies, &truth = box.bodies.bodies;
  ASSERT_EQ(b.size(), truth.size()) << what;
  // A dozen roundings of factors: units, h, a and their roots.
  constexpr double rounding = 12 * 0x1p-52;
  const auto near = [&](double value, double right) {
    return std::abs(value - right) <= rounding * std::abs(right);
  };
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_TRUE(near(b.x[i], truth.x[i]) && near(b.z[i], truth.z[i])) << what << b.x[i] / truth.x[i] - 1;
    EXPECT_TRUE(near(b.vx[i], truth.vx[i]) && near(b.vy[i], truth.vy[i]))
        << what << b.vx[i] / truth.vx[i] - 1;
    EXPECT_TRUE(near(b.mass[i], truth.mass[i])) << what << b.mass[i] / truth.mass[i] - 1;
  }
  EXPECT_TRUE(s.boundary.all_images()) << what;
  EXPECT_TRUE(near(s.boundary.length.y, box.side())) << what;
  EXPECT_NEAR(c.universe->h, box.universe.h, 4e-16 * 4) << what;
  EXPECT_EQ(c.universe->omega_m, box.universe.omega_m) << what;
  EXPECT_EQ(c.universe->omega_lambda, box.universe.omega_lambda) << what;
}

/// The refusal of a run in comoving coordinates; "" where it takes the file.
std::string refusal_of(const fs::path& file) {
  files::Wanted wanted;
  wanted.comoving = wanted.never_physical = true;
  try {
    files::read_snapshot(file, std::nullopt, true, wanted);
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.find('\n'), what.npos) << what;
    return what;
  }
  return "";
}

void expect_refused_for(const fs::path& file, const std::vector<std::string>& words) {
  const auto what = refusal_of(file);
  for (const auto& word : words) EXPECT_NE(what.find(word), what.npos) << word << ": " << what;
}

/// Puts a number into a file of HDF5.
void change(const fs::path& file, const char* group, const char* name, double value) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  put_numbers(f, group, name, {value}), H5Fclose(f);
}
void take_away(const fs::path& file, const char* group, const char* name) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), g = H5Gopen2(f, group, H5P_DEFAULT);
  H5Adelete(g, name), H5Gclose(g), H5Fclose(f);
}

/// The .param file beside a snapshot, with one line changed; "": without it.
void with_param(const fs::path& snapshot, const std::string& key, const std::string& line) {
  const auto file = fs::path(snapshot).replace_extension(".param");
  std::string all, other = bytes_of(file);
  for (std::size_t at = 0; at < other.size();) {
    const auto end = other.find('\n', at) + 1;
    const auto text = other.substr(at, end - at);
    all += text.starts_with(key + " ") ? line + "\n" : text;
    at = end;
  }
  std::ofstream(file, std::ios::binary) << all;
}

}  // namespace

TEST(ComovingForms, AllHaveTheSameBodies) {
  const Folder folder;
  for (const auto& scale : scales)
    for (const double h : {0.5, 0.6774, 1.0})
      for (const double a : {1.0 / 50, 0.25, 0.9}) {
        const auto box = box_of(a, h);
        for (const auto& file : all_forms(folder.path, box, scale)) {
          const auto what = fmt::format("{} h {} a {} L {}: ", file.filename().string(), h, a, scale.length);
          expect_the_box(files::read_comoving(file), box, what);
          EXPECT_EQ(refusal_of(file), "") << what;
        }
      }
}

/// And the same bodies where they are made physical: a / h times the lengths, 1 / h times the masses.
TEST(ComovingForms, AllHaveTheSamePhysicalBodies) {
  const Folder folder;
  const auto box = box_of(0.25, 0.6774);
  for (const auto& file : all_forms(folder.path, box, scales[1])) {
    auto s = read_snapshot(file).snapshot;
    if (!s.units.physical) continue;
    convert(s, box.bodies.units);
    const Bodies &b = s.bodies, &truth = box.bodies.bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
      EXPECT_NEAR(b.x[i] / (truth.x[i] * 0.25 / 0.6774), 1, 1e-14) << file;
      EXPECT_NEAR(b.vx[i] / truth.vx[i], 1, 1e-14) << file;
      EXPECT_NEAR(b.mass[i] / (truth.mass[i] / 0.6774), 1, 1e-14) << file;
    }
  }
}

TEST(ComovingForms, Hdf5IsRefusedForWhatItLacksOrContradicts) {
  const Folder folder;
  const auto box = box_of(0.25, 0.6774);
  const auto swift = [&] { return write_swift(folder.path, box, scales[1]); };
  const auto gadget4 = [&] { return write_gadget4(folder.path, box, scales[1]); };
  const auto gizmo = [&] { return write_gizmo(folder.path, box, scales[1]); };
  take_away(swift(), "Cosmology", "Omega_m");
  expect_refused_for(folder / "swift.hdf5", {"swift.hdf5", "states no density of matter", "Omega_m"});
  EXPECT_FALSE(files::read_comoving(folder / "swift.hdf5").universe) << "other commands have physical bodies";
  take_away(swift(), "Cosmology", "h");
  expect_refused_for(folder / "swift.hdf5", {"/Cosmology/h is missing"});
  take_away(swift(), "Header", "Scale-factor"), take_away(folder / "swift.hdf5", "Cosmology", "Scale-factor");
  expect_refused_for(folder / "swift.hdf5", {"Scale-factor is missing"});
  change(swift(), "Header", "Redshift", 2.5);
  expect_refused_for(folder / "swift.hdf5", {"Redshift is 2.5", "it must be 3"});
  change(swift(), "Cosmology", "h", 0.7);
  expect_refused_for(folder / "swift.hdf5", {"H0 [internal units] is 67.7", "it must be 70"});
  change(swift(), "Cosmology", "Omega_nu_0", 0.002);
  expect_refused_for(folder / "swift.hdf5", {"Omega_nu_0 is 0.002", "massive neutrinos"});
  change(swift(), "PartType1/Velocities", "a-scale exponent", 0.5);
  expect_refused_for(folder / "swift.hdf5",
                     {"/PartType1/Velocities/a-scale exponent is 0.5; it must be 0 here"});
  change(gadget4(), "PartType1/Velocities", "a_scaling", 0);
  expect_refused_for(folder / "gadget4.hdf5", {"/PartType1/Velocities/a_scaling is 0; it must be 0.5 here"});
  take_away(gadget4(), "Parameters", "Omega0");
  expect_refused_for(folder / "gadget4.hdf5", {"states no density of matter", "Omega0"});
  change(gadget4(), "Header", "Time", 0.3);
  expect_refused_for(folder / "gadget4.hdf5", {"Redshift is 3", "it must be 2.3"});
  take_away(gizmo(), "Header", "Omega_Matter");
  expect_refused_for(folder / "gizmo.hdf5", {"Omega_Matter"});
  change(gizmo(), "Header", "Time", -0.25);
  expect_refused_for(folder / "gizmo.hdf5", {"/Header/Time is -0.25", "scale factor"});
}

TEST(ComovingForms, TipsyAsksForWhatItLacksByName) {
  const Folder folder;
  const auto box = box_of(0.25, 0.6774);
  for (const auto& [key, line, words] :
       {std::tuple<std::string, std::string, std::vector<std::string>>{
            "dOmega0", "", {"lacks dOmega0", "dBoxSize"}},
        {"dLambda", "", {"lacks dLambda", "0 where there is none"}},
        {"dHubble0", "", {"lacks dHubble0"}},
        {"dHubble0", "dHubble0 = 3.1", {"states dHubble0 = 3.1; for these bodies", "it must be 2.894"}},
        {"dOmega0", "dOmega0 = 0.27", {"states dHubble0 = 2.894"}},
        {"bPeriodic", "bPeriodic = 0", {"lacks bPeriodic = 1"}},
        {"bPeriodic", "dPeriod = 2", {"states dHubble0"}},
        {"bPeriodic", "h = 0.7", {"states h = 0.7", "it must be 0.677"}},
        {"bPeriodic", "dBoxSize = 30", {"states dBoxSize = 30", "it must be 25"}},
        {"bPeriodic", "bPeriodic = 3", {"bPeriodic = 3; it must be 0 or 1"}},
        {"dOmega0", "dOmega0 = no", {"dOmega0 = nan; it must be a finite number > 0"}},
        {"bComove", "bComove = 0", {"does not say that its bodies are comoving", "bComove = 1"}}}) {
    const auto file = write_changa(folder.path, box);
    with_param(file, key, line);
    expect_refused_for(file, words);
  }
  // Where it need not be comoving it is physical, and the note says why.
  const auto file = write_changa(folder.path, box);
  with_param(file, "dOmega0", "");
  const auto content = files::read_comoving(file);
  EXPECT_FALSE(content.universe);
  EXPECT_NE(fmt::format("{}", fmt::join(content.notes, " "))
                .find("made physical, because 'changa.param' lacks dOmega0"),
            std::string::npos);
  fs::remove(folder / "changa.param");
  const auto pkdgrav3 = write_pkdgrav3(folder.path, box);
  with_param(pkdgrav3, "h", "");
  expect_refused_for(pkdgrav3, {"lacks h"});
  // Without a statement of units H0 is that of the density.
  with_param(write_pkdgrav3(folder.path, box), "dBoxSize", "dHubble0 = 2.8944");
  const auto plain = files::read_comoving(pkdgrav3);
  ASSERT_TRUE(plain.universe);
  EXPECT_EQ(plain.snapshot.units.name, "nbody");
  EXPECT_EQ(plain.snapshot.boundary.length.z, 1);
}

}  // namespace pleiad
