/// Attributes of HDF5 files whose names the reader uses: read in every form that programs give them, refused
/// in all others, and never taken as absent.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/attributes.hpp"

#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

enum class Kind { number, not_negative, positive, whole, flag, row, whole_row, word };
struct Known {
  std::string group, name;
  Kind kind;
};

/// All attributes that are read, by group.
std::vector<Known> known() {
  using enum Kind;
  std::vector<Known> all{{"Header", "NumPart_ThisFile", whole_row},
                         {"Header", "NumPart_Total", whole_row},
                         {"Header", "NumPart_Total_HighWord", whole_row},
                         {"Header", "MassTable", row},
                         {"Header", "Time", number},
                         {"Header", "BoxSize", row},
                         {"Header", "BoxLengths", row},
                         {"Header", "Boundary", word},
                         {"Header", "Images", word},
                         {"Header", "UnitSystem", word},
                         {"Header", "NumFilesPerSnapshot", whole},
                         {"Header", "Step", whole},
                         {"Header", "Omega_Matter", not_negative},
                         {"Header", "GravitationalConstant", positive},
                         {"Header", "Gravitational_Constant_In_Code_Inits", positive},
                         {"Parameters", "GravityConstantInternal", not_negative},
                         {"Header", "ExpansionFactor", positive},
                         {"Header", "Scale-factor", positive},
                         {"Cosmology", "Scale-factor", positive},
                         {"Cosmology", "Cosmological run", flag}};
  for (const char* group : {"Header", "Parameters"}) {
    all.push_back({group, "Redshift", number}), all.push_back({group, "HubbleParam", not_negative}),
        all.push_back({group, "Omega0", not_negative}), all.push_back({group, "ComovingIntegrationOn", flag});
  }
  for (const char* group : {"Header", "Units", "Parameters"})
    for (const char* unit : {"UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s",
                             "UnitLength_In_CGS", "UnitMass_In_CGS", "UnitVelocity_In_CGS",
                             "Unit length in cgs (U_L)", "Unit mass in cgs (U_M)", "Unit time in cgs (U_t)"})
      all.push_back({group, unit, positive});
  return all;
}

std::vector<Form> wrong_forms(Kind kind) {
  using Text = const std::string&;
  auto forms = forms_of_nothing();
  const auto numbers = [&](std::vector<double> values) {
    forms.push_back({"numbers", [=](hid_t f, Text g, Text a) { put_numbers(f, g, a, values); }});
  };
  const auto texts = [&](const std::string& text) {
    const auto some = forms_of_word(text);
    forms.push_back(some.front()), forms.push_back(some.back());
  };
  const bool row = kind == Kind::row || kind == Kind::whole_row;
  if (kind == Kind::word) {
    numbers({1}), numbers({1, 2}), texts("banana"), texts("PERIODIC"), texts(std::string(300, 'x')),
        texts("two\nlines");
    return forms;
  }
  texts("0.7"), texts("1"), texts("one");
  const double nan = std::nan("");
  if (!row) numbers({1, 1}), numbers({nan}), numbers({HUGE_VAL});
  else if (kind == Kind::whole_row) numbers({0, nan, 2, 0, 1, 0}), numbers({0, 2.5, 2, 0, 1, 0});
  else numbers(std::vector(6, nan)), numbers(std::vector(3, HUGE_VAL)), numbers(std::vector(6, -1.0));
  if (kind == Kind::not_negative || kind == Kind::positive || kind == Kind::whole) numbers({-1});
  if (kind == Kind::positive) numbers({0});
  if (kind == Kind::whole) numbers({1.5}), numbers({1e20});
  if (kind == Kind::flag) numbers({2}), numbers({0.5}), numbers({-1});
  return forms;
}

FileContent read_with(const Folder& folder, const std::function<void(hid_t)>& spoil) {
  hdf5(folder / "f.hdf5", {.units = false, .spoil = spoil});
  return read_snapshot(folder / "f.hdf5");
}

/// Every form in the header; of the groups that repeat its names, every third form, another third for each
/// name.
TEST(Attributes, OfAWrongKindAreRefusedByName) {
  const Folder folder;
  std::size_t tried = 0, turn = 0;
  for (const auto& [group, name, kind] : known())
    for (const auto& form : wrong_forms(kind)) {
      if (group != "Header" && ++turn % 3 != 0) continue;
      SCOPED_TRACE(group + "/" + name + ": " + form.name);
      hdf5(folder / "f.hdf5", {.units = false, .spoil = [&](hid_t f) { form.put(f, group, name); }});
      expect_refused(folder / "f.hdf5", "/" + group + "/" + name);
      ++tried;
    }
  EXPECT_GT(tried, 400u);
}

TEST(Attributes, OfOtherNamesPass) {
  const Folder folder;
  const auto plain = read_with(folder, {});
  const auto content = read_with(folder, [&](hid_t f) {
    for (const char* group : {"Header", "Units", "Parameters", "Cosmology", "Config"})
      for (const auto& form : wrong_forms(Kind::number))
        for (const char* name :
             {"hubbleparam", "Hubble", "UnitTime_in_s", "InitialMassTable", "GIZMO_version"})
          form.put(f, group, name + (" of " + form.name));
  });
  EXPECT_TRUE(content.snapshot.bodies == plain.snapshot.bodies);
  EXPECT_EQ(content.notes, plain.notes);
}

TEST(Attributes, AreReadInEveryForm) {
  const Folder folder;
  const auto same = [&](const std::string& group, const std::string& name, const std::vector<Form>& forms,
                        const std::function<void(hid_t)>& besides, const auto& seen) {
    std::optional<FileContent> first;
    for (const auto& form : forms) {
      SCOPED_TRACE(name + ": " + form.name);
      try {
        const auto content = read_with(folder, [&](hid_t f) {
          if (besides) besides(f);
          form.put(f, group, name);
        });
        if (!first) first = content;
        EXPECT_EQ(seen(content), seen(*first));
        EXPECT_TRUE(content.snapshot.bodies == first->snapshot.bodies);
      } catch (const Error& e) {
        ADD_FAILURE() << e.what();
      }
    }
    return seen(first.value());
  };
  const auto x = [](const FileContent& c) { return c.snapshot.bodies.x[0]; };
  const auto G = [](const FileContent& c) { return c.snapshot.G; };
  const auto time = [](const FileContent& c) { return c.snapshot.time; };
  EXPECT_EQ(same("Header", "HubbleParam", forms_of_number(0.5), {}, x), 2);
  EXPECT_EQ(same("Parameters", "HubbleParam", forms_of_number(1), {}, x), 1);
  EXPECT_EQ(same("Header", "Time", forms_of_number(3), {}, time), 3);
  EXPECT_EQ(same("Header", "GravitationalConstant", forms_of_number(1), {}, G), 1);
  EXPECT_EQ(same("Header", "Gravitational_Constant_In_Code_Inits", forms_of_number(1), {}, G), 1);
  EXPECT_EQ(same("Header", "NumFilesPerSnapshot", forms_of_number(1), {}, x), 1);
  EXPECT_EQ(same("Header", "Step", forms_of_number(17), {}, [](const auto& c) { return c.snapshot.step; }),
            17u);
  for (const char* group : {"Header", "Parameters"}) {
    EXPECT_EQ(same(group, "ComovingIntegrationOn", forms_of_number(1), {}, x), 0.25);
    EXPECT_EQ(same(group, "ComovingIntegrationOn", forms_of_number(0), {}, x), 1);
  }
  const auto swift = [](hid_t f) { put_numbers(f, "Header", "Scale-factor", {0.5}); };
  EXPECT_EQ(same("Cosmology", "Cosmological run", forms_of_number(1), swift, x), 0.5);
  const auto system = [](const FileContent& c) { return c.snapshot.units.name; };
  for (const std::string name : {"nbody", "solar"})
    EXPECT_EQ(same("Header", "UnitSystem", forms_of_word(name), {}, system), name);
  const auto box = [](hid_t f) { put_numbers(f, "Header", "BoxSize", {8}); };
  const auto side = [](const FileContent& c) {
    return c.snapshot.boundary.periodic ? c.snapshot.boundary.length.y : 0;
  };
  EXPECT_EQ(same("Header", "Boundary", forms_of_word("periodic"), box, side), 8);
  EXPECT_EQ(same("Header", "Boundary", forms_of_word("open"), box, side), 0);
}

TEST(Attributes, OneOrTwoOfThreeUnitsAreRefused) {
  const Folder folder;
  const std::vector<std::vector<const char*>> styles{
      {"UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s"},
      {"UnitLength_In_CGS", "UnitMass_In_CGS", "UnitVelocity_In_CGS"},
      {"Unit length in cgs (U_L)", "Unit mass in cgs (U_M)", "Unit time in cgs (U_t)"}};
  for (const char* group : {"Header", "Units", "Parameters"})
    for (const auto& names : styles)
      for (unsigned which = 0; which < 8; ++which) {
        SCOPED_TRACE(std::string(group) + " " + names[0] + " " + std::to_string(which));
        hdf5(folder / "f.hdf5", {.units = false, .spoil = [&](hid_t f) {
                                   for (unsigned k = 0; k < 3; ++k)
                                     if ((which >> k & 1U) != 0) put_numbers(f, group, names[k], {2.0 + k});
                                 }});
        if (which != 0 && which != 7) expect_refused(folder / "f.hdf5", "all three are needed");
        else EXPECT_EQ(read_snapshot(folder / "f.hdf5").units_stated, which == 7);
      }
}

TEST(Attributes, ThatContradictOneAnotherAreRefused) {
  const Folder folder;
  const auto refused = [&](const std::function<void(hid_t)>& spoil, const std::string& word) {
    SCOPED_TRACE(word);
    hdf5(folder / "f.hdf5", {.spoil = spoil});
    expect_refused(folder / "f.hdf5", word);
  };
  const auto put = [](hid_t f, const char* group, const char* name, double value) {
    put_numbers(f, group, name, {value});
  };
  refused([&](hid_t f) { put(f, "Parameters", "HubbleParam", 0.7); }, "/Parameters/HubbleParam is 0.7");
  refused([&](hid_t f) { put(f, "Header", "Omega0", 0.3), put(f, "Header", "Omega_Matter", 0.2); },
          "/Header/Omega_Matter is 0.2");
  refused(
      [&](hid_t f) {
        put(f, "Header", "ComovingIntegrationOn", 1), put(f, "Parameters", "ComovingIntegrationOn", 0);
      },
      "/Parameters/ComovingIntegrationOn is 0");
  refused([&](hid_t f) { put(f, "Header", "ComovingIntegrationOn", 1), put(f, "Header", "Redshift", 0); },
          "/Header/Redshift is 0");
  refused([&](hid_t f) { put(f, "Header", "ComovingIntegrationOn", 1), put(f, "Header", "Time", 0); },
          "/Header/Time is 0");
  refused([&](hid_t f) { put(f, "Cosmology", "Cosmological run", 1); }, "/Header/Scale-factor is missing");
  refused(
      [&](hid_t f) {
        for (const char* unit : {"UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s"})
          put(f, "Header", unit, 1);
      },
      "/Units/UnitLength_in_cm and its two fellows state other units");
  refused([&](hid_t f) { forms_of_word("solar")[0].put(f, "Header", "UnitSystem"); },
          "/Header/UnitSystem is 'solar'");
}

// As GADGET-4 (classes) and AREPO (types) write them; the bodies are of the types 1, 2 and 4.
TEST(Attributes, GiveTypesTheSofteningsOfTheProgramThatWroteThem) {
  const Folder folder;
  for (const std::string name : {"Class", "Type"}) {
    const auto put = [&](hid_t f, const std::string& attribute, double value, hid_t type = H5T_IEEE_F64LE) {
      put_numbers(f, "Parameters", attribute.c_str(), {value}, type);
    };
    const auto assign = [&](hid_t f, int type, int number) {
      put(f, "Softening" + name + "OfPartType" + std::to_string(type), number, H5T_STD_I32LE);
    };
    const auto lengths = [&](hid_t f) {
      put(f, "SofteningComoving" + name + "0", 0.1), put(f, "SofteningComoving" + name + "3", 0.02);
    };
    const auto read = [&](const std::function<void(hid_t)>& spoil) {
      hdf5(folder / "f.hdf5", {.spoil = spoil});
      return read_snapshot(folder / "f.hdf5").snapshot.bodies;
    };
    const auto all = read([&](hid_t f) { lengths(f), assign(f, 1, 0), assign(f, 2, 3), assign(f, 4, 0); });
    ASSERT_EQ(all.softening.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(all.softening[i], all.type[i] == Type::disc ? 0.02 : 0.1);
    EXPECT_TRUE(read([&](hid_t f) { lengths(f), assign(f, 1, 0), assign(f, 2, 3); }).softening.empty());
    EXPECT_TRUE(read(lengths).softening.empty());
    hdf5(folder / "f.hdf5", {.spoil = [&](hid_t f) { lengths(f), assign(f, 1, 7); }});
    expect_refused(folder / "f.hdf5", "SofteningComoving" + name + "7");
    // At a = 0.5 a comoving length is half as long, and at most that of SofteningMaxPhys.
    const auto comoving = read([&](hid_t f) {
      lengths(f), assign(f, 1, 0), assign(f, 2, 3), assign(f, 4, 0),
          put(f, "SofteningMaxPhys" + name + "0", 0.03);
      put(f, "ComovingIntegrationOn", 1), put_numbers(f, "Header", "Time", {0.5}),
          put_numbers(f, "Header", "Redshift", {1});
    });
    for (std::size_t i = 0; i < comoving.size(); ++i)
      EXPECT_NEAR(comoving.softening[i], comoving.type[i] == Type::disc ? 0.01 : 0.03, 1e-15);
  }
}

TEST(Attributes, TotalsOfAFileThatStandsAloneAreItsBodies) {
  const Folder folder;
  const auto with = [&](std::vector<double> total, std::vector<double> high) {
    hdf5(folder / "f.hdf5", {.spoil = [&](hid_t f) {
           put_numbers(f, "Header", "NumPart_Total", total, H5T_STD_U32LE);
           put_numbers(f, "Header", "NumPart_Total_HighWord", high, H5T_STD_U32LE);
         }});
  };
  const std::vector<double> none(6, 0.0);
  with({0, 2, 2, 0, 1, 0}, none);
  EXPECT_EQ(read_snapshot(folder / "f.hdf5").count, bodies);
  with(none, none);
  EXPECT_EQ(read_snapshot(folder / "f.hdf5").count, bodies);
  with({0, 5, 2, 0, 1, 0}, none);
  expect_refused(folder / "f.hdf5", "NumPart_Total says (0 5 2 0 1 0)");
  with({0, 2, 2, 0, 1, 0}, {0, 1, 0, 0, 0, 0});
  expect_refused(folder / "f.hdf5", "NumPart_Total says (0 4294967298 2 0 1 0)");
  with({0, 2, 2, 0, 1}, none);
  expect_refused(folder / "f.hdf5", "/Header/NumPart_Total is a row of 5");
}

}  // namespace
}  // namespace pleiad
