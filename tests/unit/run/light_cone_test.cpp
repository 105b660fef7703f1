/// Light cones of runs: a lattice at rest has its exact counts in each shell, and a run that is resumed, or
/// ends within a step, has the same files.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/run.hpp"
#include "unit/files/attributes.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;

constexpr int side = 5;
constexpr double length = 3e6, hubble_distance = 299792.458 / 0.1;  // kpc/h

Vec3<double> place_of(int i) {
  return {(i % side + 0.21) * length / side, (i / side % side + 0.34) * length / side,
          (i / side / side + 0.47) * length / side};
}

/// A lattice in a universe of matter alone at redshift 3; `amplitude` of a wave on it.
fs::path lattice(const fs::path& file, double amplitude) {
  Snapshot s;
  s.units = units_named("galactic"), s.G = s.units.G(), s.time = 0.25;
  s.boundary = {.periodic = true, .length = {length, length, length}, .images = Images::all};
  const double mass = 3 * 0.1 * 0.1 / (8 * std::numbers::pi * s.G) * std::pow(length / side, 3);
  for (int i = 0; i < side * side * side; ++i) {
    const double psi = amplitude * length * std::sin(2 * std::numbers::pi * place_of(i).x / length);
    s.bodies.add(mass, place_of(i) + Vec3<double>{psi, 0, 0}, {0.25 * 0.8 * psi, 0, 0}, Type::halo);
  }
  WriteOptions how;
  how.universe = ComovingUniverse{.omega_m = 1, .omega_lambda = 0, .h = 0.7};
  write_snapshot(file, s, how);
  return file;
}

Request request_of(const fs::path& file, const fs::path& directory) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 1000;
  o.cosmology.omega_m = 1;
  o.time.dt = 0.06, o.time.end_redshift = 0;  // the end is within a step
  o.engine.backend = "cpu", o.engine.precision = "f64", o.engine.kernel = "cpu/ewald";
  o.output.directory = directory.string();
  o.output.plots = o.output.pictures = false;
  o.output.light_cone_redshifts = {2, 1, 0.5, 0};
  return request;
}

/// The number of bodies in a shell.
std::size_t count_in(const fs::path& shell) {
  const hid_t f = H5Fopen(shell.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
              a = H5Aopen_by_name(f, "Header", "NumPart_Total", H5P_DEFAULT, H5P_DEFAULT);
  std::array<double, 6> count{};
  H5Aread(a, H5T_NATIVE_DOUBLE, count.data());
  H5Aclose(a), H5Fclose(f);
  return std::size_t(count[1]);
}

double distance_of(double z) { return 2 * hubble_distance * (1 - std::sqrt(1 / (1 + z))); }

}  // namespace

TEST(LightCones, HaveTheExactCountsOfALatticeAtRest) {
  const test::Folder folder;
  const auto run = folder.path / "run";
  const auto request = request_of(lattice(folder.path / "box.hdf5", 0), run);
  EXPECT_EQ(execute(request), End::done);
  const auto& z = request.options.output.light_cone_redshifts;
  std::vector<std::size_t> expected(3);
  const int reach = 4;
  for (int i = 0; i < side * side * side; ++i)
    for (int x = -reach; x < reach; ++x)
      for (int y = -reach; y < reach; ++y)
        for (int k = -reach; k < reach; ++k) {
          const double r = norm(place_of(i) + Vec3<double>{x * length, y * length, k * length});
          for (std::size_t shell = 0; shell < 3; ++shell)
            if (r <= distance_of(z[shell]) && r > distance_of(z[shell + 1])) ++expected[shell];
        }
  for (std::size_t shell = 0; shell < 3; ++shell) {
    EXPECT_EQ(count_in(run / "light_cone" / ("shell_00" + std::to_string(shell) + ".hdf5")), expected[shell]);
    EXPECT_GT(expected[shell], 15u);
    std::printf("shell %zu: %zu bodies\n", shell, expected[shell]);
  }
}

TEST(LightCones, HaveTheSameBytesAfterAResume) {
  const test::Folder folder;
  const auto file = lattice(folder.path / "box.hdf5", 0.02);
  for (const bool adaptive : {false, true}) {
    const auto run = folder.path / (adaptive ? "adaptive" : "fixed");
    auto request = request_of(file, run);
    request.options.time.adaptive = request.options.time.stated.adaptive = adaptive;
    request.options.checkpoint.every_steps = 5;
    EXPECT_EQ(execute(request), End::done);
    std::vector<std::string> shells;
    for (int k = 0; k < 3; ++k)
      shells.push_back(read_file(run / "light_cone" / ("shell_00" + std::to_string(k) + ".hdf5")));
    // Where a process would go on that was killed while it wrote the last checkpoint.
    fs::remove(run / "checkpoint.pleiad");
    fs::remove(run / "light_cone" / "shell_002.hdf5");
    Request again;
    again.resume = run;
    EXPECT_EQ(execute(again), End::done);
    for (int k = 0; k < 3; ++k)
      EXPECT_TRUE(read_file(run / "light_cone" / ("shell_00" + std::to_string(k) + ".hdf5")) ==
                  shells[std::size_t(k)])
          << adaptive << k;
  }
}

TEST(LightCones, AreRefusedWhereTheyCannotBe) {
  const test::Folder folder;
  const auto file = lattice(folder.path / "box.hdf5", 0);
  const auto refusal = [&](std::vector<double> z, double end, double omega) {
    auto request = request_of(file, folder.path / "run");
    request.options.output.light_cone_redshifts = std::move(z);
    request.options.time.end_redshift = end, request.options.cosmology.omega_m = omega;
    return test::message_of<Error>([&] { check(request); });
  };
  for (const auto& [z, end, omega, word] : {std::tuple{std::vector{1.0}, 0.0, 1.0, "two or more"},
                                            {{1.0, 1.5}, 0.0, 1.0, "strictly decreasing"},
                                            {{2.0, 0.5}, 1.0, 1.0, "which is after time.end_redshift = 1"},
                                            {{5.0, 0.5}, 0.0, 1.0, "which is before the start at z = 3"},
                                            {{2.0, 0.0}, 0.0, 0.0, "needs [cosmology]"}}) {
    const auto why = refusal(z, end, omega);
    EXPECT_NE(why.find(word), why.npos) << word << ": " << why;
  }
  const auto request = request_of(file, folder.path / "run");
  EXPECT_THROW(ranks::with_simulated_ranks(2,
                                           [&](ranks::Communicator& comm) {
                                             auto mine = request;
                                             mine.ranks = &comm;
                                             execute(mine);
                                           }),
               Error);
}
