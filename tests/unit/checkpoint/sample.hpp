/// A checkpoint with something in every field, and a folder that goes away with the test.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit/scratch.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <stdlib.h>
#include <unistd.h>

namespace pleiad::test {

/// Values that a careless format loses: the smallest denormal, -0, 1/3, the largest double.
inline double awkward(std::size_t i, double otherwise) {
  constexpr double values[]{std::numeric_limits<double>::denorm_min(), -0.0, 1.0 / 3,
                            std::numeric_limits<double>::max()};
  return i < 4 ? values[i] : otherwise;
}

/// `generation` is in the step and in every coordinate: no two generations have a body in common.
inline Checkpoint sample(std::size_t n, std::uint64_t generation = 1) {
  Checkpoint c;
  c.snapshot.time = 0.1 * static_cast<double>(generation);
  c.snapshot.step = generation;
  for (std::size_t i = 0; i < n; ++i) {
    Random r(generation, i);
    const double mass = r.uniform();  // one statement per draw: arguments have no order
    const Vec3<double> position{awkward(i, r.uniform(-1, 1)), r.uniform(-1, 1), r.uniform(-1, 1)};
    const Vec3<double> velocity{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
    c.snapshot.bodies.add(mass, position, velocity, static_cast<Type>(i % 6));
    c.snapshot.bodies.id[i] = ~std::uint64_t{0} - 3 * i;
    c.snapshot.ax.push_back(r.uniform(-1, 1));
    c.snapshot.ay.push_back(r.uniform(-1, 1));
    c.snapshot.az.push_back(r.uniform(-1, 1));
    c.snapshot.potential.push_back(-r.uniform());
  }
  c.snapshot.units = custom_units(3.1, 0.7, 1e5);
  c.snapshot.G = 43007.1;
  c.snapshot.boundary = {true, {1, 2, 1.0 / 3}, generation % 2 == 0 ? Images::all : Images::nearest};
  c.dt = 1.0 / 128;
  c.start_time = -4;
  c.reference_energy = -0.25;
  c.next_output = 17;
  c.config = "[time]\ndt = 0.0078125\n";
  c.code_version = "0.1.0";
  c.precision = "mixed";
  c.kernel = "cpu/simd";
  c.simd_target = "AVX2";
  c.appended_files = {{"diagnostics.txt", 123456789012}, {"trajectory.txt", 0}};
  c.extra = {{"zero", std::string("a\0b", 3)}, {"", ""}};
  return c;
}

/// Equal to the last bit: encode() is a function of the state, and copies every bit of it.
inline bool same(const Checkpoint& a, const Checkpoint& b) { return encode(a) == encode(b); }

inline void spoil(const std::filesystem::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace pleiad::test
