/// Scatterings of a body by a pair in quadruple precision: writes scattering.json, the reference of
/// scattering_test.cpp. Gragg's method with Stoermer's rule, extrapolated (Hairer, Norsett & Wanner, Solving
/// Ordinary Differential Equations I, II.14), to relative errors of 1e-24 in a step.
///
///   g++ -std=gnu++20 -O2 tests/physics/orbits/scattering.cpp -lquadmath -o scattering && ./scattering >
///   scattering.json
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <utility>

namespace {

using Quad = __float128;
using State = std::array<Quad, 9>;  // x, y, z of three bodies

constexpr std::array<double, 3> mass{1, 1, 1};
constexpr int most_columns = 14;
constexpr double tolerance = 1e-24, last_time = 2000, far = 60;

Quad root(Quad x) {
  Quad y = std::sqrt(static_cast<double>(x));
  for (int k = 0; k < 2; ++k) y = (y + x / y) / 2;
  return y;
}

State accelerations(const State& x) {
  State a{};
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      std::array<Quad, 3> d;
      Quad r2 = 0;
      for (int c = 0; c < 3; ++c) d[c] = x[3 * j + c] - x[3 * i + c], r2 += d[c] * d[c];
      const Quad f = 1 / (r2 * root(r2));
      for (int c = 0; c < 3; ++c) a[3 * i + c] += mass[j] * f * d[c], a[3 * j + c] -= mass[i] * f * d[c];
    }
  return a;
}

double size_of(Quad x) { return std::abs(static_cast<double>(x)); }

/// A step of H; returns the relative error of the extrapolation.
double extrapolated(State& x, State& v, Quad H, int columns) {
  std::array<std::array<State, 2>, most_columns> table;
  const State x0 = x, v0 = v, a0 = accelerations(x);
  double error = 1;
  for (int k = 0; k < columns; ++k) {
    const int n = 2 * (k + 1);
    const Quad h = H / n;
    State at = x0, d;
    for (int c = 0; c < 9; ++c) d[c] = h * (v0[c] + h / 2 * a0[c]);
    for (int m = 1; m < n; ++m) {
      for (int c = 0; c < 9; ++c) at[c] += d[c];
      const State a = accelerations(at);
      for (int c = 0; c < 9; ++c) d[c] += h * h * a[c];
    }
    for (int c = 0; c < 9; ++c) at[c] += d[c];
    const State a = accelerations(at);
    std::array<State, 2> row{at, {}};
    for (int c = 0; c < 9; ++c) row[1][c] = d[c] / h + h / 2 * a[c];
    // Aitken and Neville: table[k - m] is the row before, extrapolated m times.
    for (int m = k; m > 0; --m) {
      const Quad ratio = Quad(n) / (2 * m), factor = 1 / (ratio * ratio - 1);
      double change = 0, scale = 0;
      const auto before = row;
      for (int part = 0; part < 2; ++part)
        for (int c = 0; c < 9; ++c) {
          const Quad more = (row[part][c] - table[m - 1][part][c]) * factor;
          row[part][c] += more;
          change = std::fmax(change, size_of(more)), scale = std::fmax(scale, size_of(row[part][c]));
        }
      table[m] = before, error = change / scale;
    }
    table[0] = row;
    if (k + 1 == columns) x = row[0], v = row[1];
  }
  return error;
}

struct Outcome {
  int escaper = -1;
  double time = 0, nearest = 1e9;
};

double dot(const State& x, const State& y, int i, int j) {
  double sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += static_cast<double>((x[3 * i + c] - x[3 * j + c]) * (y[3 * i + c] - y[3 * j + c]));
  return sum;
}

/// The body that is unbound from the other two, far away and receding, while they are bound.
int escaper(const State& x, const State& v) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (dot(v, v, i, j) / 2 - 2 / std::sqrt(dot(x, x, i, j)) >= 0) continue;
    double r2 = 0, w2 = 0, rw = 0;
    for (int c = 0; c < 3; ++c) {
      const double d = static_cast<double>(x[3 * k + c] - (x[3 * i + c] + x[3 * j + c]) / 2),
                   w = static_cast<double>(v[3 * k + c] - (v[3 * i + c] + v[3 * j + c]) / 2);
      r2 += d * d, w2 += w * w, rw += d * w;
    }
    if (r2 > far * far && rw > 0 && w2 / 2 - 3 / std::sqrt(r2) > 0) return k;
  }
  return -1;
}

Outcome followed(State x, State v) {
  Outcome out;
  Quad H = 0.1;
  while (out.time < last_time) {
    State to = x, fast = v;
    const double error = extrapolated(to, fast, H, most_columns);
    if (!(error <= tolerance)) {
      H /= 2;
      continue;
    }
    x = to, v = fast, out.time += static_cast<double>(H);
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j) out.nearest = std::fmin(out.nearest, std::sqrt(dot(x, x, i, j)));
    if ((out.escaper = escaper(x, v)) >= 0) return out;
    if (error < 1e-6 * tolerance) H *= 1.5;
  }
  return out;
}

}  // namespace

int main() {
  std::mt19937_64 random(20260101);
  const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  std::printf("[\n");
  for (int k = 0; k < 100; ++k) {
    // A circular pair of distance 1, and a body from 15 with impact parameters up to 4 and a speed of 1, 0.8
    // of the one that could free all three.
    const double phase = 2 * M_PI * uniform(), side = 4 * std::sqrt(uniform()), turn = 2 * M_PI * uniform(),
                 tilt = std::acos(2 * uniform() - 1), speed = 1;
    const double c = std::cos(phase), s = std::sin(phase), w = std::sqrt(2.0) / 2;
    const double b = side * std::cos(turn), h = side * std::sin(turn);
    const std::array<double, 9> x{c / 2,
                                  s / 2,
                                  0,
                                  -c / 2,
                                  -s / 2,
                                  0,
                                  -15 * std::sin(tilt) + b * std::cos(tilt),
                                  h,
                                  -15 * std::cos(tilt) - b * std::sin(tilt)};
    const std::array<double, 9> v{
        -w * s, w * c, 0, w * s, -w * c, 0, speed * std::sin(tilt), 0, speed * std::cos(tilt)};
    State position, velocity;
    for (int i = 0; i < 9; ++i) position[i] = x[i], velocity[i] = v[i];
    const auto out = followed(position, velocity);
    std::printf("%s{\"x\": [", k > 0 ? ",\n" : "");
    for (int i = 0; i < 9; ++i) std::printf("%s%.17g", i > 0 ? ", " : "", x[i]);
    std::printf("], \"v\": [");
    for (int i = 0; i < 9; ++i) std::printf("%s%.17g", i > 0 ? ", " : "", v[i]);
    std::printf("], \"escaper\": %d, \"time\": %.6g, \"nearest\": %.3g}", out.escaper, out.time, out.nearest);
    std::fflush(stdout);
  }
  std::printf("\n]\n");
}
