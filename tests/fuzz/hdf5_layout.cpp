/// HDF5 files that the library itself wrote, so that it does not fall over them: the input is a recipe of
/// attributes, datasets, types and shapes that no program writes. The reader's own code is reached in this
/// process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "snapshots.hpp"
#include "unit/files/golden.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <hdf5.h>

using namespace pleiad::fuzz;
namespace golden = pleiad::golden;

namespace {

constexpr std::array groups{"Header",    "Parameters", "Units",     "Cosmology", "Code",
                            "Pleiad",    "PartType0",  "PartType1", "PartType2", "PartType3",
                            "PartType4", "PartType5",  "/"};
constexpr std::array attributes{"NumPart_ThisFile",
                                "NumPart_Total",
                                "NumPart_Total_HighWord",
                                "MassTable",
                                "Time",
                                "BoxSize",
                                "Redshift",
                                "NumFilesPerSnapshot",
                                "HubbleParam",
                                "Omega0",
                                "UnitLength_in_cm",
                                "UnitMass_in_g",
                                "UnitVelocity_in_cm_per_s",
                                "UnitSystem",
                                "GravitationalConstant",
                                "Boundary",
                                "BoxLengths",
                                "Images",
                                "Step",
                                "ComovingIntegrationOn",
                                "Scale-factor",
                                "Cosmological run",
                                "U_L",
                                "U_M",
                                "U_V",
                                "to_cgs",
                                "UnitTime_in_s",
                                "Dimensionless",
                                "Omega_Matter",
                                "UnitLength_In_CGS",
                                "UnitMass_In_CGS",
                                "UnitVelocity_In_CGS",
                                "Unit length in cgs (U_L)",
                                "Unit mass in cgs (U_M)",
                                "Unit time in cgs (U_t)",
                                "Gravitational_Constant_In_Code_Inits",
                                "a_scaling",
                                "h-scale exponent"};
constexpr std::array datasets{"Coordinates", "Velocities",  "Velocity",     "Masses",
                              "Mass",        "ParticleIDs", "ParticleID",   "Accelerations",
                              "Potential",   "Potentials",  "Acceleration", "DynamicalMasses"};
constexpr std::array texts{"open", "periodic", "nearest", "all", "nbody", "galactic", "custom", ""};

/// The recipe, read byte by byte; zeros follow its end.
struct Recipe {
  const std::uint8_t* at;
  const std::uint8_t* end;
  bool done() const { return at == end; }
  std::size_t below(std::size_t n) { return done() ? 0 : *at++ % n; }
  template <class T, std::size_t n>
  const T& of(const std::array<T, n>& list) {
    return list[below(n)];
  }
  double number() {
    static const std::array special{0.0,
                                    1.0,
                                    -1.0,
                                    0.5,
                                    1e308,
                                    -1e308,
                                    1e-310,
                                    1e18,
                                    9007199254740993.0,
                                    4294967296.0,
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN(),
                                    3.085678e21,
                                    1.989e43};
    const auto kind = below(4);
    if (kind == 0) return of(special);
    const double whole = double(below(256)) - 8;
    return kind == 1 ? whole : whole / double(1 + below(16));
  }
  hid_t type() {
    const std::array types{H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE,    H5T_IEEE_F32BE,
                           H5T_STD_U32LE,  H5T_STD_I32LE,  H5T_STD_U64LE,     H5T_STD_I64LE,
                           H5T_STD_U8LE,   H5T_STD_I16BE,  H5T_NATIVE_LDOUBLE};
    return of(types);
  }
};

struct Space {
  hid_t id;
  std::vector<hsize_t> shape;
};
Space space_of(Recipe& r) {
  const auto rank = r.below(4);
  std::vector<hsize_t> shape;
  for (std::size_t k = 0; k < rank; ++k) shape.push_back(r.below(8));
  return {rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(rank), shape.data(), nullptr), shape};
}
std::vector<double> values(Recipe& r, const Space& space) {
  std::size_t n = 1;
  for (const auto length : space.shape) n *= length;
  std::vector<double> some(std::max<std::size_t>(n, 1));
  for (auto& value : some) value = r.number();
  return some;
}

void set_attribute(hid_t file, Recipe& r) {
  const hid_t group = H5Oopen(file, r.of(groups), H5P_DEFAULT);
  if (group < 0) return;
  const char* name = r.of(attributes);
  H5Adelete(group, name);
  if (r.below(4) == 0) {
    const std::string text = r.of(texts);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    const bool variable = r.below(2) == 1;
    H5Tset_size(type, variable ? H5T_VARIABLE : text.size() + 1);
    const hid_t a = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* words = text.c_str();
    H5Awrite(a, type, variable ? static_cast<const void*>(&words) : words);
    H5Aclose(a), H5Sclose(space), H5Tclose(type);
  } else {
    const hid_t type = r.type();
    const Space space = space_of(r);
    const hid_t a = H5Acreate2(group, name, type, space.id, H5P_DEFAULT, H5P_DEFAULT);
    if (a >= 0) H5Awrite(a, H5T_NATIVE_DOUBLE, values(r, space).data()), H5Aclose(a);
    H5Sclose(space.id);
  }
  H5Oclose(group);
}

void set_dataset(hid_t file, Recipe& r) {
  const std::string path = std::string(r.of(groups)) + "/" + r.of(datasets);
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  const hid_t type = r.type(), how = H5Pcreate(H5P_DATASET_CREATE);
  const Space space = space_of(r);
  const auto layout = r.below(4);
  if (layout > 0 && !space.shape.empty()) {
    std::vector<hsize_t> chunk(space.shape.size(), 1 + layout);
    H5Pset_chunk(how, int(chunk.size()), chunk.data());
    if (layout == 2) H5Pset_deflate(how, 1);
    if (layout == 3) H5Pset_shuffle(how), H5Pset_fletcher32(how);
  }
  const hid_t d = H5Dcreate2(file, path.c_str(), type, space.id, H5P_DEFAULT, how, H5P_DEFAULT);
  if (d >= 0) {
    if (r.below(8) > 0)
      H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values(r, space).data());
    H5Dclose(d);
  }
  H5Sclose(space.id), H5Pclose(how);
}

/// A dataset of the right shape for the bodies of type 1, of which the golden file has two: numbers of any
/// kind.
void set_column(hid_t file, Recipe& r) {
  const std::string name = r.of(datasets), path = "PartType1/" + name;
  const bool vectors = name.starts_with("Coord") || name.starts_with("Vel") || name.starts_with("Acc");
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  const Space space{H5Screate_simple(vectors ? 2 : 1, std::array<hsize_t, 2>{2, 3}.data(), nullptr),
                    vectors ? std::vector<hsize_t>{2, 3} : std::vector<hsize_t>{2}};
  const hid_t d = H5Dcreate2(file, path.c_str(), r.type(), space.id, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (d >= 0)
    H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values(r, space).data()), H5Dclose(d);
  H5Sclose(space.id);
}

void change(hid_t file, Recipe& r) {
  switch (r.below(6)) {
    case 0:
    case 1:
      return set_attribute(file, r);
    case 2:
      return set_dataset(file, r);
    case 3:
      return set_column(file, r);
    case 4:
      H5Ldelete(file, (std::string(r.of(groups)) + "/" + r.of(datasets)).c_str(), H5P_DEFAULT);
      return;
    default: {
      const std::string from = std::string(r.of(groups)) + "/" + r.of(datasets),
                        to = std::string("/") + r.of(groups) + "/" + r.of(datasets);
      H5Lcreate_soft(to.c_str(), file, from.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Recipe r{data, data + size};
  const auto flags = r.below(256);
  golden::Hdf5 how{.wide_counts = (flags & 1) != 0,
                   .singles = (flags & 2) != 0,
                   .aliases = (flags & 4) != 0,
                   .mass_table = (flags & 8) != 0,
                   .units = (flags & 16) != 0,
                   .ids = (flags & 32) != 0};
  how.spoil = [&](hid_t file) {
    for (int k = 0; k < 16 && !r.done(); ++k) change(file, r);
  };
  const auto file = folder / "layout.hdf5";
  golden::hdf5(file, how);
  check_file(folder, file);
  return 0;
}
