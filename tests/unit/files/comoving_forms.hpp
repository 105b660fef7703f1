/// A comoving box as GADGET-4, GIZMO, SWIFT, ChaNGa and PKDGRAV3 write it, by the documents of these programs
/// and the HDF5 library alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit/files/attributes.hpp"
#include "unit/files/golden.hpp"

#include <pleiad/files.hpp>
#include <pleiad/units.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::golden {

/// The truth: comoving kpc/h, 1e10 Msun/h, peculiar km/s, the scale factor.
struct Box {
  Snapshot bodies{};
  ComovingUniverse universe{};
  double side() const { return bodies.boundary.length.x; }
};

/// Units of a file in cgs, without h.
struct Scale {
  double length, mass, velocity;
};

/// The numbers of a file: those of the truth, times these factors.
struct FileNumbers {
  double length, mass, velocity;
};

/// A column of three, and one.
inline std::vector<double> rows(const std::vector<double>& x, const std::vector<double>& y,
                                const std::vector<double>& z, double factor) {
  std::vector<double> all;
  for (std::size_t i = 0; i < x.size(); ++i)
    all.insert(all.end(), {x[i] * factor, y[i] * factor, z[i] * factor});
  return all;
}

inline void put_dataset(hid_t group, const char* name, const std::vector<double>& values, hsize_t columns,
                        hid_t type = H5T_IEEE_F64LE) {
  const std::array<hsize_t, 2> shape{values.size() / columns, columns};
  const hid_t space = H5Screate_simple(columns == 1 ? 1 : 2, shape.data(), nullptr),
              d = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(d), H5Sclose(space);
}

/// Halo bodies of the range [first, last) and their counts; `attributes` adds the words of a program.
template <class Attributes>
void write_hdf5_part(const fs::path& file, const Box& box, const FileNumbers& to, std::size_t first,
                     std::size_t last, int files, const Attributes& attributes) {
  const hid_t f = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const auto part = [&](const std::vector<double>& v) {
    return std::vector<double>(v.begin() + std::ptrdiff_t(first), v.begin() + std::ptrdiff_t(last));
  };
  const Bodies& b = box.bodies.bodies;
  const double here = double(last - first), all = double(b.size());
  put_numbers(f, "Header", "NumPart_ThisFile", {0, here, 0, 0, 0, 0}, H5T_STD_U64LE);
  put_numbers(f, "Header", "NumPart_Total", {0, all, 0, 0, 0, 0}, H5T_STD_U64LE);
  put_numbers(f, "Header", "NumFilesPerSnapshot", {double(files)}, H5T_STD_I32LE);
  const hid_t g = group_of(f, "PartType1");
  put_dataset(g, "Coordinates", rows(part(b.x), part(b.y), part(b.z), to.length), 3);
  put_dataset(g, "Velocities", rows(part(b.vx), part(b.vy), part(b.vz), to.velocity), 3);
  std::vector<double> mass = part(b.mass), id;
  for (double& m : mass) m *= to.mass;
  for (std::size_t i = first; i < last; ++i) id.push_back(double(b.id[i]));
  put_dataset(g, "Masses", mass, 1), put_dataset(g, "ParticleIDs", id, 1, H5T_STD_U64LE);
  H5Oclose(g);
  attributes(f);
  H5Fclose(f);
}

/// Numbers of GADGET: over h, velocities over the root of a.
inline FileNumbers gadget_numbers(const Box& box, const Scale& scale) {
  const Units& u = box.bodies.units;
  return {u.length_cm / scale.length, u.mass_g / scale.mass,
          u.velocity_cm_s / scale.velocity / std::sqrt(box.bodies.time)};
}

/// GADGET-4 states units and the universe among its parameters; "name.hdf5", or "name.0.hdf5" and
/// "name.1.hdf5".
inline fs::path write_gadget4(const fs::path& folder, const Box& box, const Scale& scale, int files = 1) {
  const auto to = gadget_numbers(box, scale);
  const std::size_t n = box.bodies.bodies.size();
  const auto name = [&](int k) {
    return folder / (files == 1 ? "gadget4.hdf5" : fmt::format("gadget4.{}.hdf5", k));
  };
  for (int k = 0; k < files; ++k)
    write_hdf5_part(
        name(k), box, to, n * std::size_t(k) / std::size_t(files),
        n * std::size_t(k + 1) / std::size_t(files), files, [&](hid_t f) {
          const double a = box.bodies.time;
          const auto& u = box.universe;
          const auto header = [&](const char* key, double v) { put_numbers(f, "Header", key, {v}); };
          const auto parameter = [&](const char* key, double v) { put_numbers(f, "Parameters", key, {v}); };
          header("Time", a), header("Redshift", 1 / a - 1), header("BoxSize", box.side() * to.length);
          parameter("UnitLength_in_cm", scale.length), parameter("UnitMass_in_g", scale.mass);
          parameter("UnitVelocity_in_cm_per_s", scale.velocity);
          parameter("Omega0", u.omega_m), parameter("OmegaLambda", u.omega_lambda);
          parameter("HubbleParam", u.h), parameter("ComovingIntegrationOn", 1);
          put_numbers(f, "PartType1/Coordinates", "a_scaling", {1});
          put_numbers(f, "PartType1/Coordinates", "h_scaling", {-1});
          put_numbers(f, "PartType1/Velocities", "a_scaling", {0.5});
          put_numbers(f, "PartType1/Velocities", "h_scaling", {0});
        });
  return name(0);
}

/// GIZMO: numbers as GADGET's, but the units of its header are without h, and its densities have other names.
inline fs::path write_gizmo(const fs::path& folder, const Box& box, const Scale& scale) {
  const auto to = gadget_numbers(box, scale);
  write_hdf5_part(folder / "gizmo.hdf5", box, to, 0, box.bodies.bodies.size(), 1, [&](hid_t f) {
    const double a = box.bodies.time;
    const auto& u = box.universe;
    const auto header = [&](const char* key, double v) { put_numbers(f, "Header", key, {v}); };
    header("Time", a), header("Redshift", 1 / a - 1), header("BoxSize", box.side() * to.length);
    header("HubbleParam", u.h), header("ComovingIntegrationOn", 1);
    header("Omega_Matter", u.omega_m), header("Omega_Lambda", u.omega_lambda),
        header("Omega_Radiation", u.omega_r);
    header("UnitLength_In_CGS", scale.length / u.h), header("UnitMass_In_CGS", scale.mass / u.h);
    header("UnitVelocity_In_CGS", scale.velocity);
  });
  return folder / "gizmo.hdf5";
}

/// SWIFT: no h in any number, peculiar velocities, the age as the time, rows of one.
inline fs::path write_swift(const fs::path& folder, const Box& box, const Scale& scale) {
  const Units& units = box.bodies.units;
  const auto& u = box.universe;
  const FileNumbers to{units.length_cm / scale.length / u.h, units.mass_g / scale.mass / u.h,
                       units.velocity_cm_s / scale.velocity};
  write_hdf5_part(folder / "swift.hdf5", box, to, 0, box.bodies.bodies.size(), 1, [&](hid_t f) {
    const double a = box.bodies.time;
    const auto put = [&](const char* group, const char* key, const std::vector<double>& v) {
      put_numbers(f, group, key, v, H5T_IEEE_F64LE, false);
    };
    put("Header", "Time", {0.0123}), put("Header", "Scale-factor", {a}),
        put("Header", "Redshift", {1 / a - 1});
    put("Header", "BoxSize", std::vector<double>(3, box.side() * to.length));
    for (const char* group : {"Units", "InternalCodeUnits"}) {
      put(group, "Unit length in cgs (U_L)", {scale.length}),
          put(group, "Unit mass in cgs (U_M)", {scale.mass});
      put(group, "Unit time in cgs (U_t)", {scale.length / scale.velocity});
    }
    constexpr double megaparsec = 3.0856775814913673e24;
    put("Cosmology", "Cosmological run", {1}), put("Cosmology", "Scale-factor", {a});
    put("Cosmology", "h", {u.h}), put("Cosmology", "Omega_m", {u.omega_m});
    put("Cosmology", "H0 [internal units]", {u.h * 1e7 / megaparsec * scale.length / scale.velocity});
    put("Cosmology", "Omega_lambda", {u.omega_lambda}), put("Cosmology", "Omega_r", {u.omega_r});
    put("Cosmology", "w_0", {u.w0}), put("Cosmology", "w_a", {u.wa});
    for (const auto& [name, power] : {std::pair{"Coordinates", 1.0}, {"Velocities", 0.0}, {"Masses", 0.0}}) {
      const auto path = std::string("PartType1/") + name;
      put(path.c_str(), "a-scale exponent", {power}), put(path.c_str(), "h-scale exponent", {0});
    }
  });
  return folder / "swift.hdf5";
}

/// TIPSY in double precision: the time is a, the box 1, G 1, and velocities are dx/dt. `units`: of the
/// numbers, without h, in cgs.
inline fs::path write_tipsy(const fs::path& folder, const std::string& name, const Box& box,
                            const Scale& units, const std::string& param, bool big = true) {
  const Bodies& b = box.bodies.bodies;
  const Units& u = box.bodies.units;
  const double h = box.universe.h, a = box.bodies.time;
  const FileNumbers to{u.length_cm / h / units.length, u.mass_g / h / units.mass,
                       u.velocity_cm_s / units.velocity / a};
  std::string out;
  const auto add = [&](auto value) {
    std::array<char, sizeof value> raw;
    std::memcpy(raw.data(), &value, sizeof value);
    if (big) std::reverse(raw.begin(), raw.end());
    out.append(raw.data(), raw.size());
  };
  const int n = int(b.size());
  add(a);
  for (const int count : {n, 3, 0, n, 0, 0}) add(count);
  for (std::size_t i = 0; i < b.size(); ++i) {
    add(b.mass[i] * to.mass);
    for (const double x : {b.x[i], b.y[i], b.z[i]}) add(x * to.length);
    for (const double v : {b.vx[i], b.vy[i], b.vz[i]}) add(v * to.velocity);
    add(0.0), add(0.0);
  }
  const auto file = folder / (name + ".00100");
  std::ofstream(file, std::ios::binary) << out;
  std::ofstream(folder / (name + ".param")) << param;
  return file;
}

constexpr double gravity_cgs = 6.6743e-8;

/// The box as unit of length, G = 1 and the critical density of today 1.
inline Scale box_units(const Box& box) {
  const double length = box.side() * box.bodies.units.length_cm / box.universe.h,
               H0 = box.universe.h * 1e7 / 3.0856775814913673e24,
               density = 3 * H0 * H0 / (8 * std::numbers::pi * gravity_cgs),
               mass = density * length * length * length;
  return {length, mass, std::sqrt(gravity_cgs * mass / length)};
}

/// ChaNGa and gasoline: units in kpc and solar masses, H0 in the units of the box.
inline fs::path write_changa(const fs::path& folder, const Box& box, bool big = true) {
  const auto units = box_units(box);
  const auto& u = box.universe;
  return write_tipsy(
      folder, "changa", box, units,
      fmt::format("bComove = 1\nbPeriodic = 1\ndKpcUnit = {:.17g} # of the box\ndMsolUnit = {:.17g}\n"
                  "dHubble0 = {:.17g}\ndOmega0 = {:.17g}\ndLambda = {:.17g}\n",
                  units.length / 3.0856775814913673e21, units.mass / units_named("cluster").mass_g,
                  std::sqrt(8 * std::numbers::pi / 3), u.omega_m, u.omega_lambda),
      big);
}

/// PKDGRAV3: the box in Mpc/h.
inline fs::path write_pkdgrav3(const fs::path& folder, const Box& box, bool big = true) {
  const auto& u = box.universe;
  return write_tipsy(
      folder, "pkdgrav3", box, box_units(box),
      fmt::format("bComove = 1\nbPeriodic = 1\ndBoxSize = {:.17g}\nh = {:.17g}\ndOmega0 = {:.17g}\n"
                  "dOmegaDE = {:.17g}\nw0 = {:.17g}\nwa = {:.17g}\n",
                  box.side() * box.bodies.units.length_cm / 3.0856775814913673e24, u.h, u.omega_m,
                  u.omega_lambda, u.w0, u.wa),
      big);
}

/// All forms of a box in files of this scale, each in a folder of its own (TIPSY has its units beside it).
inline std::vector<fs::path> all_forms(const fs::path& folder, const Box& box, const Scale& scale) {
  for (const char* name : {"changa", "pkdgrav3", "parts"}) fs::create_directories(folder / name);
  return {write_gadget4(folder, box, scale),    write_gadget4(folder / "parts", box, scale, 2),
          write_gizmo(folder, box, scale),      write_swift(folder, box, scale),
          write_changa(folder / "changa", box), write_pkdgrav3(folder / "pkdgrav3", box, false)};
}

}  // namespace pleiad::golden
