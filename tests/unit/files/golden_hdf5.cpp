/// Golden GADGET HDF5 files, through the C library alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"

#include <array>
#include <string>

namespace pleiad::golden {
namespace {

void numbers(hid_t object, const char* name, hid_t file_type, hid_t type, const void* values, hsize_t n) {
  const hid_t space = H5Screate_simple(1, &n, nullptr),
              a = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, type, values);
  H5Aclose(a), H5Sclose(space);
}

void dataset(hid_t group, const char* name, hid_t file_type, hid_t type, const void* values,
             std::vector<hsize_t> shape) {
  const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), nullptr);
  const hid_t d = H5Dcreate2(group, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(d), H5Sclose(space);
}

}  // namespace

void attribute(hid_t object, const char* name, double value) {
  const hid_t space = H5Screate(H5S_SCALAR),
              a = H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(a), H5Sclose(space);
}

void remove(hid_t file, const char* path) { H5Ldelete(file, path, H5P_DEFAULT); }

void replace(hid_t file, const char* name, hid_t type, std::vector<hsize_t> shape, hid_t how, bool fill) {
  const std::string path = std::string("PartType1/") + name;
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), nullptr);
  const hid_t d = H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  const std::vector<double> zeros(64);
  if (fill) H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
  H5Dclose(d), H5Sclose(space);
}

void hdf5(const fs::path& file, const Hdf5& how) {
  const Bodies b = truth();
  const hid_t f = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t h = H5Gcreate2(f, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  std::array<std::uint64_t, 6> here{}, total{};
  for (std::size_t i = 0; i < bodies; ++i) {
    ++total[std::size_t(b.type[i])];
    if (i >= how.first && i < how.last) ++here[std::size_t(b.type[i])];
  }
  const hid_t counts = how.wide_counts ? H5T_STD_U64LE : H5T_STD_U32LE;
  numbers(h, "NumPart_ThisFile", counts, H5T_NATIVE_UINT64, here.data(), 6);
  numbers(h, "NumPart_Total", counts, H5T_NATIVE_UINT64, total.data(), 6);
  std::array<double, 6> table{};
  if (how.mass_table) table[1] = 0.5, table[2] = 0.25, table[4] = 0.0625;
  numbers(h, "MassTable", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, table.data(), 6);
  const std::int32_t files = how.files;
  numbers(h, "NumFilesPerSnapshot", H5T_STD_I32LE, H5T_NATIVE_INT32, &files, 1);
  attribute(h, "Time", 0.25), attribute(h, "BoxSize", 0), attribute(h, "HubbleParam", how.h);
  if (how.units) {
    const hid_t u = H5Gcreate2(f, "Units", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    attribute(u, "UnitLength_in_cm", 3.085678e18), attribute(u, "UnitMass_in_g", 1.989e33),
        attribute(u, "UnitVelocity_in_cm_per_s", 1e5);
    H5Gclose(u);
  }
  const hid_t real = how.singles ? H5T_IEEE_F32BE : H5T_IEEE_F64LE;
  for (std::size_t t = 0, i = how.first; t < 6; ++t) {
    const hsize_t n = here[t];
    const hid_t g =
        H5Gcreate2(f, ("PartType" + std::to_string(t)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<double> position, velocity;
    for (std::size_t k = i; k < i + n; ++k) {
      position.insert(position.end(), {b.x[k], b.y[k], b.z[k]});
      velocity.insert(velocity.end(), {b.vx[k], b.vy[k], b.vz[k]});
    }
    if (n > 0) {
      dataset(g, "Coordinates", real, H5T_NATIVE_DOUBLE, position.data(), {n, 3});
      dataset(g, how.aliases ? "Velocity" : "Velocities", real, H5T_NATIVE_DOUBLE, velocity.data(), {n, 3});
      if (!how.mass_table)
        dataset(g, how.aliases ? "Mass" : "Masses", real, H5T_NATIVE_DOUBLE, &b.mass[i], {n});
      if (how.ids)
        dataset(g, "ParticleIDs", how.singles ? H5T_STD_U32LE : H5T_STD_U64LE, H5T_NATIVE_UINT64, &b.id[i],
                {n});
    }
    H5Gclose(g);
    i += n;
  }
  if (how.spoil) how.spoil(f);
  H5Gclose(h), H5Fclose(f);
}

}  // namespace pleiad::golden
