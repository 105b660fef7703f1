/// HDF5 files as GADGET-4, AREPO, GIZMO, EAGLE's GADGET-3, SWIFT, DICE and h5py write them: positions,
/// velocities, masses, time, units, G and the box that their factors of a and h stand for.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/wanted.hpp"
#include "unit/files/attributes.hpp"
#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;
using Numbers = std::map<std::string, std::vector<double>>;

/// Attributes of a group.
void put(hid_t f, const std::string& group, const Numbers& attributes, bool alone = true) {
  for (const auto& [name, values] : attributes) put_numbers(f, group, name, values, H5T_IEEE_F64LE, alone);
}
void put_word(hid_t f, const std::string& group, const std::string& name, const std::string& word) {
  forms_of_word(word).back().put(f, group, name);
}

/// The powers of a and h of a dataset, in the words of a program.
void put_powers(hid_t f, const char* a, const char* h, double of_velocity) {
  for (const char* type : {"PartType1", "PartType2", "PartType4"}) {
    const std::string t = type;
    put(f, t + "/Coordinates", {{a, {1}}, {h, {-1}}});
    put(f, t + "/Velocities", {{a, {of_velocity}}, {h, {0}}});
    put(f, t + "/Masses", {{a, {0}}, {h, {-1}}});
  }
}

constexpr double kpc = 3.085678e21, solar_masses = 1.989e43;
const Numbers units{
    {"UnitLength_in_cm", {kpc}}, {"UnitMass_in_g", {solar_masses}}, {"UnitVelocity_in_cm_per_s", {1e5}}};

/// Factors from the numbers of a file to physical ones.
struct Factors {
  double length = 1, mass = 1, velocity = 1;
};

void expect_read(const Snapshot& s, const Factors& to) {
  const Bodies b = truth();
  ASSERT_EQ(s.bodies.size(), bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    // Two or three roundings each.
    EXPECT_DOUBLE_EQ(s.bodies.x[i], b.x[i] * to.length);
    EXPECT_DOUBLE_EQ(s.bodies.z[i], b.z[i] * to.length);
    EXPECT_DOUBLE_EQ(s.bodies.vy[i], b.vy[i] * to.velocity);
    EXPECT_DOUBLE_EQ(s.bodies.mass[i], b.mass[i] * to.mass);
  }
}

FileContent read_form(const Folder& folder, const std::function<void(hid_t)>& form) {
  hdf5(folder / "f.hdf5", {.units = false, .spoil = form});
  return read_snapshot(folder / "f.hdf5");
}

bool notes_say(const FileContent& c, const std::string& word) {
  return std::ranges::any_of(c.notes, [&](const auto& n) { return n.find(word) != n.npos; });
}

TEST(Programs, Gadget4Cosmological) {
  const Folder folder;
  const auto c = read_form(folder, [](hid_t f) {
    put(f, "Header", {{"Time", {0.5}}, {"Redshift", {1}}, {"BoxSize", {100}}});
    put(f, "Parameters", units);
    put(f, "Parameters", {{"HubbleParam", {1}}, {"Omega0", {0.3}}, {"ComovingIntegrationOn", {1}}});
    put_powers(f, "a_scaling", "h_scaling", 0.5);
  });
  expect_read(c.snapshot, {.length = 0.5, .velocity = std::sqrt(0.5)});
  EXPECT_EQ(c.snapshot.units.name, "galactic");
  EXPECT_EQ(c.snapshot.time, 0.5);
  ASSERT_TRUE(c.box);
  EXPECT_EQ(c.box->x, 50);
}

TEST(Programs, Gadget4IsolatedWithMatterInItsParameters) {
  const Folder folder;
  const auto c = read_form(folder, [](hid_t f) {
    put(f, "Header", {{"Time", {1}}, {"Redshift", {0}}, {"HubbleParam", {0.5}}});
    put(f, "Parameters", units);
    put(f, "Parameters", {{"Omega0", {0.3}}, {"ComovingIntegrationOn", {0}}});
    put_powers(f, "a_scaling", "h_scaling", 0.5);
  });
  expect_read(c.snapshot, {.length = 2, .mass = 2});
  EXPECT_EQ(c.snapshot.time, 2);
  EXPECT_FALSE(notes_say(c, "isolated")) << "it says so itself";
}

/// GADGET-4 is compiled for a number of types.
TEST(Programs, HeadersOfAnyNumberOfTypes) {
  const Folder folder;
  for (std::size_t types = 1; types <= 17; ++types) {
    hdf5(folder / "f.hdf5", {.spoil =
                                 [&](hid_t f) {
                                   std::vector<double> count(types);
                                   if (types > 1) count[1] = 2;
                                   put_numbers(f, "Header", "NumPart_ThisFile", count, H5T_STD_U64LE);
                                   put_numbers(f, "Header", "NumPart_Total", count, H5T_STD_U64LE);
                                   put_numbers(f, "Header", "MassTable", std::vector<double>(types),
                                               H5T_IEEE_F64LE);
                                 },
                             .last = 2});
    if (types == 1) expect_refused(folder / "f.hdf5", "counts no bodies");
    else if (types == 17) expect_refused(folder / "f.hdf5", "has 17 entries");
    else EXPECT_EQ(read_snapshot(folder / "f.hdf5").count, 2u) << types;
  }
}

TEST(Programs, ArepoCosmological) {
  const Folder folder;
  for (const char* told : {"Header", "Parameters"}) {
    const auto c = read_form(folder, [&](hid_t f) {
      put(f, "Header", {{"Time", {0.25}}, {"Redshift", {3}}, {"HubbleParam", {0.5}}, {"Omega0", {0.3}}});
      put(f, told, units);
      put(f, "Parameters", {{"HubbleParam", {0.5}}, {"Omega0", {0.3}}});
      put_powers(f, "a_scaling", "h_scaling", 0.5);
    });
    expect_read(c.snapshot, {.length = 0.5, .mass = 2, .velocity = 0.5});
    EXPECT_EQ(c.snapshot.time, 0.25);
  }
}

/// Where the time is the age, the expansion factor is stated by itself.
TEST(Programs, OwlsCosmological) {
  const Folder folder;
  const auto c = read_form(folder, [](hid_t f) {
    put(f, "Header",
        {{"Time", {0.002}}, {"ExpansionFactor", {0.25}}, {"Redshift", {3}}, {"HubbleParam", {0.5}}});
    put(f, "Units", units);
  });
  expect_read(c.snapshot, {.length = 0.5, .mass = 2, .velocity = 0.5});
  EXPECT_EQ(c.snapshot.time, 0.002);
  EXPECT_TRUE(notes_say(c, "scale factor is 0.25"));
}

TEST(Programs, ARedshiftThatDoesNotFitTheTimeIsToldOf) {
  const Folder folder;
  const auto with = [&](double time, double omega) {
    return read_form(folder, [&](hid_t f) {
      put(f, "Header", {{"Time", {time}}, {"Redshift", {3}}, {"Omega0", {omega}}});
    });
  };
  EXPECT_TRUE(notes_say(with(0.002, 0.3), "is not the scale factor 0.25"));
  EXPECT_FALSE(notes_say(with(0.25, 0.3), "is not the scale factor"));
  expect_read(with(0.25, 0).snapshot, {.length = 0.25, .velocity = 0.5});
}

TEST(Programs, GadgetsOwnGIsRead) {
  const Folder folder;
  for (const double G : {0.0, 1.0}) {
    const auto c = read_form(folder, [&](hid_t f) {
      put(f, "Parameters", units), put(f, "Parameters", {{"GravityConstantInternal", {G}}});
    });
    EXPECT_EQ(c.snapshot.G, G == 0 ? c.snapshot.units.G() : G);
  }
}

TEST(Programs, EagleCosmological) {
  const Folder folder;
  const auto c = read_form(folder, [](hid_t f) {
    put(f, "Header", {{"Time", {0.25}}, {"Redshift", {3}}, {"HubbleParam", {0.5}}, {"Omega0", {0.3}}});
    put(f, "Units", units);
    put_powers(f, "aexp-scale-exponent", "h-scale-exponent", 0.5);
  });
  expect_read(c.snapshot, {.length = 0.5, .mass = 2, .velocity = 0.5});
}

void gizmo(hid_t f, double h, const Numbers& header, double length = kpc, double mass = solar_masses) {
  put(f, "Header",
      {{"HubbleParam", {h}},
       {"UnitLength_In_CGS", {length / h}},
       {"UnitMass_In_CGS", {mass / h}},
       {"UnitVelocity_In_CGS", {1e5}}});
  put(f, "Header", header);
}

TEST(Programs, GizmoCosmological) {
  const Folder folder;
  for (const auto& said :
       {Numbers{{"ComovingIntegrationOn", {1}}}, {{"Omega_Matter", {0.272}}, {"Redshift", {1}}}}) {
    const auto c = read_form(folder, [&](hid_t f) {
      gizmo(f, 0.5,
            {{"Time", {0.5}}, {"BoxSize", {60000}}, {"Gravitational_Constant_In_Code_Inits", {43007.1}}});
      put(f, "Header", said);
    });
    expect_read(c.snapshot, {.length = 1, .mass = 2, .velocity = std::sqrt(0.5)});
    EXPECT_EQ(c.snapshot.time, 0.5);
    EXPECT_EQ(c.snapshot.units.name, "galactic") << "its units are divided by h, unlike its numbers";
    EXPECT_TRUE(c.units_stated);
    EXPECT_EQ(c.snapshot.G, 43007.1);
    EXPECT_EQ(c.box.value_or(Vec3<double>{}).y, 60000);
  }
}

TEST(Programs, GizmoIsolatedInParsecs) {
  const Folder folder;
  const auto c = read_form(folder, [](hid_t f) {
    put(f, "Header",
        {{"UnitLength_In_CGS", {3.0857e18}},
         {"UnitMass_In_CGS", {1.989e33}},
         {"UnitVelocity_In_CGS", {100}},
         {"ComovingIntegrationOn", {0}},
         {"Omega_Matter", {0.3}},
         {"Redshift", {0}},
         {"Time", {1}}});
  });
  expect_read(c.snapshot, {});
  EXPECT_EQ(c.snapshot.units.length_cm, 3.0857e18);
  EXPECT_EQ(c.snapshot.units.velocity_cm_s, 100);
  EXPECT_NEAR(c.snapshot.G, 4302, 1);
}

/// One number is a row of one for SWIFT; it has no h, and its velocities are peculiar.
void swift(hid_t f, bool cosmological, const Numbers& header) {
  const Numbers cgs{{"Unit length in cgs (U_L)", {kpc * 1000}},
                    {"Unit mass in cgs (U_M)", {solar_masses}},
                    {"Unit time in cgs (U_t)", {kpc / 100}},
                    {"Unit current in cgs (U_I)", {1}}};
  put(f, "Units", cgs, false), put(f, "InternalCodeUnits", cgs, false), put(f, "Header", header, false);
  put(f, "Cosmology", {{"Cosmological run", {cosmological ? 1.0 : 0.0}}, {"h", {0.7}}}, false);
  put_word(f, "Header", "Code", "SWIFT");
  put_word(f, "Header", "OutputType", "FullVolume");
  for (const char* type : {"PartType1", "PartType2", "PartType4"})
    for (const auto& [name, power] : {std::pair{"Coordinates", 1.0}, {"Velocities", 0.0}, {"Masses", 0.0}})
      put(f, std::string(type) + "/" + name, {{"a-scale exponent", {power}}, {"h-scale exponent", {0}}},
          false);
}

TEST(Programs, SwiftCosmologicalAndNot) {
  const Folder folder;
  const auto c = read_form(folder, [](hid_t f) {
    swift(f, true,
          {{"Time", {0.006}}, {"Redshift", {1}}, {"Scale-factor", {0.5}}, {"BoxSize", {20, 20, 20}}});
  });
  expect_read(c.snapshot, {.length = 0.5});
  EXPECT_EQ(c.snapshot.time, 0.006);
  EXPECT_TRUE(notes_say(c, "scale factor is 0.5, its time 0.006"));
  EXPECT_EQ(c.box.value_or(Vec3<double>{}).z, 10);
  const auto plain = read_form(folder, [](hid_t f) {
    swift(f, false, {{"Time", {3}}, {"Redshift", {0}}, {"Scale-factor", {1}}, {"BoxSize", {20, 20, 20}}});
  });
  expect_read(plain.snapshot, {});
  EXPECT_EQ(plain.snapshot.time, 3);
  EXPECT_DOUBLE_EQ(plain.snapshot.units.velocity_cm_s, 1e5);
}

TEST(Programs, MassesUnderEveryNameThatProgramsGiveThem) {
  const Folder folder;
  for (const char* name : {"Masses", "Mass", "DynamicalMasses"})
    expect_read(read_form(folder,
                          [&](hid_t f) {
                            for (const std::string type : {"PartType1", "PartType2", "PartType4"})
                              if (const auto to = type + "/" + name; to != type + "/Masses")
                                H5Lmove(f, (type + "/Masses").c_str(), f, to.c_str(), H5P_DEFAULT,
                                        H5P_DEFAULT);
                          })
                    .snapshot,
                {});
}

TEST(Programs, IsolatedModelsWithMatterInTheHeaderAreNotComoving) {
  const Folder folder;
  for (const double time : {0.5, 0.9, 1.0, 2.0}) {
    const auto c = read_form(folder, [&](hid_t f) {
      put(f, "Header",
          {{"Omega0", {0.3}},
           {"OmegaLambda", {0.7}},
           {"HubbleParam", {0.5}},
           {"Redshift", {0}},
           {"Time", {time}}});
    });
    expect_read(c.snapshot, {.length = 2, .mass = 2});
    EXPECT_EQ(c.snapshot.time, 2 * time);
    EXPECT_EQ(notes_say(c, "taken as isolated, its time is 2"), time == 1) << "what is taken is said";
  }
  EXPECT_EQ(read_snapshot(folder.write("g1", gadget({.h = 0.5, .omega0 = 0.3, .time = 1}))).snapshot.time, 2);
}

TEST(Programs, PowersOfAAndHThatAreNotAppliedAreRefused) {
  const Folder folder;
  const auto with = [&](const char* dataset, const char* name, double power) {
    hdf5(folder / "f.hdf5", {.spoil = [&](hid_t f) {
           put(f, "Header", {{"Time", {0.5}}, {"Redshift", {1}}, {"Omega0", {0.3}}, {"HubbleParam", {0.5}}});
           put_numbers(f, std::string("PartType1/") + dataset, name, {power});
         }});
    return folder / "f.hdf5";
  };
  for (const char* name : {"a_scaling", "aexp-scale-exponent", "a-scale exponent"}) {
    expect_refused(with("Coordinates", name, 0), std::string("/PartType1/Coordinates/") + name + " is 0");
    expect_refused(with("Velocities", name, 0), std::string("/PartType1/Velocities/") + name + " is 0");
  }
  expect_refused(with("Coordinates", "Value stored as physical", 1), "stored as physical is 1");
  for (const char* name : {"h_scaling", "h-scale-exponent", "h-scale exponent"})
    for (const char* dataset : {"Coordinates", "Masses"})
      expect_refused(with(dataset, name, 0), std::string("/PartType1/") + dataset + "/" + name + " is 0");
}

TEST(Programs, ABoxIsTakenByWhoeverMakesSpacePeriodic) {
  const Folder folder;
  const auto note = "is not used: space is taken as open";
  hdf5(folder / "f.hdf5", {.h = 0.5, .spoil = [](hid_t f) { put(f, "Header", {{"BoxSize", {20}}}); }});
  auto g = gadget({.h = 0.5});
  const double box = 20;
  std::copy_n(reinterpret_cast<const char*>(&box), 8, g.begin() + 4 + 128);
  folder.write("g1", g);
  for (const char* name : {"f.hdf5", "g1"}) {
    files::Wanted periodic;
    periodic.periodic = true;
    const auto open = read_snapshot(folder / name),
               taken = files::read_snapshot(folder / name, std::nullopt, false, periodic);
    EXPECT_TRUE(notes_say(open, note)) << name;
    EXPECT_FALSE(notes_say(taken, note)) << name;
    EXPECT_EQ(taken.box.value_or(Vec3<double>{}).x, 40) << name;
  }
}

TEST(Programs, TheMassTableIsTakenWhereItAndTheMassesDiffer) {
  const Folder folder;
  const auto with = [&](double mass) {
    return read_form(folder, [&](hid_t f) { put(f, "Header", {{"MassTable", {0, mass, 0, 0, 0, 0}}}); });
  };
  EXPECT_EQ(with(0.5).notes, with(0).notes) << "they agree: the masses of both halo bodies are 0.5";
  const auto c = with(0.75);
  EXPECT_EQ(c.snapshot.bodies.mass[1], 0.75);
  EXPECT_EQ(c.snapshot.bodies.mass[2], 0.25);
  EXPECT_TRUE(notes_say(c, "MassTable: 0.75 each, as GADGET reads them; those of /PartType1/Masses differ"));
}

/// What the header says of types that a part lacks is no fact of the set.
TEST(Programs, PartsWhoseMassTablesDifferInTypesThatTheyLack) {
  const Folder folder;
  const auto write = [&](std::vector<double> first, std::vector<double> second) {
    const auto table = [](std::vector<double> t) {
      return [t](hid_t f) { put(f, "Header", {{"MassTable", t}}); };
    };
    hdf5(folder / "s.0.hdf5", {.mass_table = true, .spoil = table(std::move(first)), .files = 2, .last = 2});
    hdf5(folder / "s.1.hdf5",
         {.mass_table = true, .spoil = table(std::move(second)), .files = 2, .first = 2});
  };
  write({0, 0.5, 0, 0, 0, 0}, {0, 0, 0.25, 0, 0.0625, 0});
  expect_read(read_snapshot(folder / "s").snapshot, {});
  write({0, 0.5, 0, 0, 0, 0}, {0, 0, 0.25, 0, 0, 0});
  expect_refused(folder / "s.1.hdf5", "MassTable has no mass for type 4");
  const auto three = [&](std::size_t k, std::size_t first, std::size_t last, double halo) {
    hdf5(folder / ("t." + std::to_string(k) + ".hdf5"),
         {.mass_table = true,
          .spoil =
              [&](hid_t f) {
                put(f, "Header", {{"MassTable", {0, halo, 0.25, 0, 0.0625, 0}}});
              },
          .files = 3,
          .first = first,
          .last = last});
  };
  three(0, 2, 5, 7), three(1, 0, 1, 0.5), three(2, 1, 2, 0.75);
  expect_refused(folder / "t.2.hdf5", "/Header/MassTable has 0.75 for type 1");
  folder.write("g.0", gadget({.mass_table = true, .files = 2, .last = 3}));
  auto second = gadget({.mass_table = true, .files = 2, .first = 3});
  const double other = 9;
  std::copy_n(reinterpret_cast<const char*>(&other), 8, second.begin() + 4 + 24 + 8);  // of halo bodies
  folder.write("g.1", second);
  EXPECT_EQ(read_snapshot(folder / "g").snapshot.bodies.mass[0], 0.5);
}

/// Types of datasets that HDF5 converts: integers of any width, half precision, and a column as rows of one.
TEST(Programs, NumbersOfAnyWidth) {
  const Folder folder;
  const auto with = [&](const std::function<void(hid_t)>& form) {
    return read_form(folder, form).snapshot.bodies;
  };
  const auto put_rows = [](hid_t f, const char* name, hid_t type, std::vector<hsize_t> shape,
                           const std::vector<double>& v) {
    replace(f, name, type, std::move(shape), H5P_DEFAULT, false);
    const hid_t d = H5Dopen2(f, (std::string("PartType1/") + name).c_str(), H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data());
    H5Dclose(d);
  };
  for (const bool with_sign : {true, false})
    for (const auto order : {H5T_ORDER_LE, H5T_ORDER_BE})
      for (std::size_t bytes = 1; bytes <= 8; ++bytes) {
        const hid_t type = H5Tcopy(with_sign ? H5T_STD_I64LE : H5T_STD_U64LE);
        H5Tset_precision(type, 8 * bytes), H5Tset_size(type, bytes), H5Tset_order(type, order);
        const double largest = std::ldexp(1.0, int(8 * std::min<std::size_t>(bytes, 6)) - 1) - 1;
        const auto b = with([&](hid_t f) { put_rows(f, "ParticleIDs", type, {2}, {3, largest}); });
        EXPECT_EQ(b.id[0], 3u) << bytes;
        EXPECT_EQ(double(b.id[1]), largest) << bytes;
        if (with_sign) {
          hdf5(folder / "f.hdf5", {.spoil = [&](hid_t f) {
                 put_rows(f, "ParticleIDs", type, {2}, {3, -2});
               }});
          expect_refused(folder / "f.hdf5", "/PartType1/ParticleIDs[1] is -2");
        }
      }
  const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(half, 15, 10, 5, 0, 10), H5Tset_precision(half, 16), H5Tset_size(half, 2),
      H5Tset_ebias(half, 15);
  EXPECT_EQ(with([&](hid_t f) { put_rows(f, "Masses", half, {2}, {0.5, 0.125}); }).mass[1], 0.125);
  EXPECT_EQ(with([&](hid_t f) { put_rows(f, "Masses", H5T_IEEE_F64LE, {2, 1}, {0.5, 0.3}); }).mass[1], 0.3);
  EXPECT_EQ(with([&](hid_t f) { put_rows(f, "ParticleIDs", H5T_STD_U32LE, {2, 1}, {5, 6}); }).id[1], 6u);
}

/// What a set shows in one file are its parts, which are read under their own names.
TEST(Programs, AVirtualDatasetNamesItsParts) {
  const Folder folder;
  for (const int parts : {1, 3}) {
    hdf5(folder / "v.hdf5", {.spoil = [&](hid_t f) {
           const hsize_t n = 2, one = 1;
           const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, nullptr),
                       source = H5Screate_simple(1, &one, nullptr);
           for (int k = 0; k < parts; ++k) {
             const hsize_t at = hsize_t(k) % n;
             H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, nullptr, &one, nullptr);
             H5Pset_virtual(how, space, ("v." + std::to_string(k) + ".hdf5").c_str(), "PartType1/Masses",
                            source);
           }
           replace(f, "Masses", H5T_NATIVE_DOUBLE, {n}, how, false);
         }});
    expect_refused(folder / "v.hdf5", parts == 1 ? "are in 'v.0.hdf5'" : "are in 'v.0.hdf5' to 'v.2.hdf5'");
  }
}

}  // namespace
}  // namespace pleiad
