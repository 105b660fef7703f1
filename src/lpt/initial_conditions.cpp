#include "lpt/initial_conditions.hpp"

#include "core/memory.hpp"
#include "core/threads.hpp"
#include "lpt/displacement.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::lpt {
namespace {

void check(const Request& r) {
  cosmology::check(r.universe);
  if (!(r.box > 0 && std::isfinite(r.box)))
    throw UsageError(fmt::format("the box must be finite and > 0 Mpc/h, not {:g}", r.box));
  if (r.n < 3 || r.n > 4096)
    throw UsageError(fmt::format("the number of bodies along a side must be 3 to 4096, not {}", r.n));
  if (!(r.redshift >= 0 && r.redshift <= 1e4))
    throw UsageError(fmt::format("the redshift must be 0 to 10000, not {:g}", r.redshift));
  if (r.order != 1 && r.order != 2)
    throw UsageError(fmt::format("the order must be 1 (Zel'dovich) or 2 (2LPT), not {}", r.order));
  const double fundamental = 2 * std::numbers::pi / r.box,
               highest = std::sqrt(3.0) * double(largest_wave(r.n)) * fundamental;
  if (!(r.power.range.low <= fundamental && r.power.range.high >= highest))
    throw UsageError(fmt::format(
        "{} has k = {:g} to {:g} h/Mpc; a box of {:g} Mpc/h with {} bodies along a side needs {:g} to {:g}",
        r.power.source, r.power.range.low, r.power.range.high, r.box, r.n, fundamental, highest));
}

void need_memory(std::size_t n, int order) {
  const double machine = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE)),
               needed = bytes_needed(n, order);
  if (machine > 0 && needed > machine)
    throw ResourceError(
        fmt::format("{0}^3 bodies need {1:.1f} GB, and this machine has {2:.1f} GB of memory; ask for fewer",
                    n, needed / 1e9, machine / 1e9),
        Error::Code::out_of_memory);
}

/// Variance of a field with these modes: each with k_z > 0 counts for its opposite, too.
double variance_of(const Modes& modes, std::size_t n) {
  const std::size_t half = n / 2 + 1;
  return blocked_sum<double>(modes.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t m = begin; m < end; ++m) sum += (m % half == 0 ? 1 : 2) * std::norm(modes[m]);
    return sum;
  });
}

/// Sum of squares and the largest size.
struct Sizes {
  double squares = 0, largest = 0;
  Sizes& operator+=(const Sizes& other) {
    squares += other.squares, largest = std::max(largest, other.largest);
    return *this;
  }
};
Sizes sizes_of(const std::vector<double>& values) {
  return blocked_sum<Sizes>(values.size(), [&](std::size_t begin, std::size_t end) {
    Sizes part;
    for (std::size_t i = begin; i < end; ++i) part += Sizes{values[i] * values[i], std::abs(values[i])};
    return part;
  });
}

/// A place in [0, length).
double wrapped(double x, double length) {
  x -= length * std::floor(x / length);
  return x < length ? x : 0;
}

}  // namespace

double bytes_needed(std::size_t n, int order) {
  const double cells = double(n) * double(n) * double(n),
               modes = 16 * double(n) * double(n) * (std::floor(double(n) / 2) + 1);
  const double bodies = cells * (7 * 8 + 8 + 1);
  const double later = bodies + (order + 1) * modes;
  return order == 1 ? later : std::max(later, 2 * modes + bytes_of_source(n));
}

InitialConditions initial_conditions(const Request& r) {
  check(r);
  need_memory(r.n, r.order);
  return needing_memory("the initial conditions", [&] {
    InitialConditions out;
    Snapshot& s = out.snapshot;
    const double a = s.time = cosmology::scale_factor_of(r.redshift);
    s.units = units_named("galactic"), s.G = s.units.G();
    constexpr double kpc = 1000;
    const double length = kpc * r.box;
    s.boundary = {.periodic = true, .length = {length, length, length}, .images = Images::all};

    out.growth = cosmology::growth(r.universe, a);
    out.scale_back = cosmology::scale_back(r.universe, a);
    const double square = out.scale_back * out.scale_back;
    const auto delta =
        gaussian_modes(r.n, variances(r.n, r.box, [&](double k) { return square * r.power.at(k); }), r.field);
    out.rms_density = std::sqrt(variance_of(delta, r.n));
    const Modes source = r.order == 2 ? second_order_source(delta, r.n) : Modes{};

    const std::size_t n = r.n, all = n * n * n;
    Bodies& b = s.bodies;
    b.resize(all);
    const double spacing = length / double(n), H0 = cosmology::hubble_constant(s.units),
                 mass = cosmology::matter_density(r.universe, s.G, H0) * spacing * spacing * spacing,
                 second = out.growth.D2 / (out.growth.D1 * out.growth.D1),
                 rate = a * H0 * cosmology::expansion_rate(r.universe, a);
    const Factors moved{1, second}, speed{rate * out.growth.f1, rate * out.growth.f2 * second};
    const std::array<std::vector<double>*, 3> places{&b.x, &b.y, &b.z}, velocities{&b.vx, &b.vy, &b.vz};
    const std::array<std::size_t, 3> strides{n * n, n, 1};
    Sizes sizes;
    const Orders orders{.delta = delta, .source = source, .n = n, .length = length};
    Modes work;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      displacement(orders, axis, speed, work, *velocities[axis]);
      auto& x = *places[axis];
      displacement(orders, axis, moved, work, x);
      sizes += sizes_of(x);
      for_each_index(all, [&](std::size_t i) {
        x[i] = wrapped(double(i / strides[axis] % n) * spacing + x[i], length);
      });
    }
    for_each_index(all, [&](std::size_t i) { b.mass[i] = mass, b.id[i] = i + 1; });
    out.rms_displacement = std::sqrt(sizes.squares / double(all)) / spacing;
    out.largest_displacement = sizes.largest / spacing;
    return out;
  });
}

}  // namespace pleiad::lpt
