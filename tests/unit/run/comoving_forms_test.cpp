/// Runs that begin from comoving snapshots of other programs grow a wave as linear theory does, all of them
/// the same bodies. A velocity that is wrong by the root of the scale factor changes the growth by a third.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/comoving_forms.hpp"

#include "io/files/comoving.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using golden::Box, golden::Scale;

constexpr int side = 6;
constexpr double begin = 1.0 / 25, end = 0.25, length = 30000, amplitude = 0.002 * length;

Vec3<double> place_of(int i) {
  return {(i % side + 0.5) * length / side, (i / side % side + 0.5) * length / side,
          (i / side / side + 0.5) * length / side};
}
double wave_of(int i) { return std::sin(2 * std::numbers::pi * place_of(i).x / length); }

/// A plane wave on a lattice in a universe of matter alone; velocities are those of the growing mode, times
/// `factor`.
Box wave(double factor = 1) {
  Box box;
  box.universe = {.omega_m = 1, .omega_lambda = 0, .h = 0.7};
  Snapshot& s = box.bodies;
  s.units = units_named("galactic"), s.G = s.units.G(), s.time = begin;
  s.boundary = {.periodic = true, .length = {length, length, length}, .images = Images::all};
  constexpr int n = side * side * side;
  const double mass = 3 * 0.1 * 0.1 / (8 * std::numbers::pi * s.G) * length * length * length / n,
               hubble = 0.1 * std::pow(begin, -1.5);
  for (int i = 0; i < n; ++i) {
    const double psi = amplitude * wave_of(i);
    s.bodies.add(mass, place_of(i) + Vec3<double>{psi, 0, 0}, {factor * begin * hubble * psi, 0, 0},
                 Type::halo);
  }
  return box;
}

/// The bodies at the end of the run, in the units of the box, in the order of their ids.
Snapshot end_of(const std::filesystem::path& file, const std::filesystem::path& directory) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0.01 * files::read_comoving(file).snapshot.boundary.length.x;
  o.cosmology.omega_m = 1;
  o.time.dt = 0.05, o.time.end_redshift = 1 / end - 1;
  o.engine.backend = "cpu", o.engine.precision = "f64", o.engine.kernel = "cpu/ewald";
  o.output.directory = directory.string();
  o.output.plots = o.output.pictures = false;
  EXPECT_EQ(execute(request), End::done) << file;
  auto s = files::read_comoving(directory / "snapshots" / "snapshot_001.hdf5").snapshot;
  EXPECT_NEAR(s.time, end, 1e-15);
  convert(s, units_named("galactic"));
  return s;
}

/// How often the wave is that of the start.
double growth_of(const Snapshot& s) {
  double sum = 0;
  for (int i = 0; i < side * side * side; ++i) {
    double shift = s.bodies.x[std::size_t(i)] - place_of(i).x;
    shift -= length * std::round(shift / length);
    sum += shift * wave_of(i);
  }
  return sum / (amplitude * side * side * side / 2);
}

}  // namespace

TEST(ComovingForms, AllGrowTheSameWave) {
  const test::Folder folder;
  constexpr Scale megaparsec{3.085678e24, 1.989e43, 1e5};
  std::vector<double> first;
  for (const auto& file : golden::all_forms(folder.path, wave(), megaparsec)) {
    const auto s = end_of(
        file, folder.path / ("run of " + file.filename().string() + file.parent_path().filename().string()));
    const double growth = growth_of(s);
    std::printf("%s: the wave grows by %.4f\n", file.filename().c_str(), growth);
    // By 6.25; six places on a lattice grow 5 % less, as the same wave in the first form does.
    EXPECT_NEAR(growth, end / begin, 0.07 * end / begin) << file;
    if (first.empty()) first = s.bodies.x;
    // The constants of G and of masses differ between programs by 3.4e-4, of which the growth has its share.
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_NEAR(s.bodies.x[i], first[i], 5e-4 * amplitude * end / begin) << file << " " << i;
  }
}

/// What the test above sees of a wrong velocity: growing and decaying mode have 3/5 and 2/5 of the wave.
TEST(ComovingForms, AVelocityWrongByTheRootOfTheScaleFactorIsSeen) {
  const test::Folder folder;
  constexpr Scale megaparsec{3.085678e24, 1.989e43, 1e5};
  const auto right =
      growth_of(end_of(golden::write_swift(folder.path, wave(), megaparsec), folder.path / "right"));
  const auto wrong = growth_of(
      end_of(golden::write_swift(folder.path, wave(std::sqrt(begin)), megaparsec), folder.path / "wrong"));
  // 3/5 + 2/5 sqrt(a) = 0.68 of the growth; of the rest, which decays as a^(-3/2), 0.02 is left.
  EXPECT_NEAR(wrong / right, 0.68, 0.03);
}

TEST(ComovingForms, TipsyWithoutAWordOnComovingIsNotRun) {
  const test::Folder folder;
  const auto file = golden::write_changa(folder.path, wave());
  std::filesystem::remove(folder.path / "changa.param");
  Request request;
  auto& o = request.options;
  o.ic.file = file.string(), o.gravity.softening = 0.01, o.gravity.box = {1}, o.cosmology.omega_m = 1;
  o.time.begin_redshift = 24, o.output.directory = (folder.path / "run").string();
  const auto why = test::message_of<Error>([&] { check(request); });
  for (const char* word : {"does not say that its bodies are comoving", "bComove = 1", "dOmega0"})
    EXPECT_NE(why.find(word), why.npos) << word << ": " << why;
}
