#include "structure/power.hpp"

#include "core/threads.hpp"
#include "structure/fourier.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

/// Weights of the four cells along one axis, from the cell `first` on.
struct Window {
  std::int64_t first = 0;
  std::array<double, 4> weights{};
};
/// The piecewise cubic spline of a body at `x`, in cells; the centre of cell i is at i.
Window window_at(double x) {
  const double below = std::floor(x), t = x - below, s = 1 - t;
  return {.first = std::int64_t(below) - 1,
          .weights = {s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6, (4 - 6 * s * s + 3 * s * s * s) / 6,
                      t * t * t / 6}};
}

/// The chosen bodies by their places in the box, in fractions of its side, and masses in quanta of 2^-61 of
/// all.
struct Sources {
  std::vector<Vec3<double>> places;
  std::vector<double> quanta;
};

/// delta + 1 of each cell: deposits of the bodies of a box that is folded, on a grid shifted by `shift`
/// cells.
std::vector<double> density_of(const Sources& sources, std::size_t n, double fold, double shift) {
  std::vector<std::atomic<std::int64_t>> cells(n * n * n);
  const auto size = std::int64_t(n);
  const auto window = [&](double place) {
    const double in = place * fold;
    return window_at((in - std::floor(in)) * double(n) + shift);
  };
  for_each_index(sources.places.size(), [&](std::size_t k) {
    const auto& p = sources.places[k];
    const Window x = window(p.x), y = window(p.y), z = window(p.z);
    const auto around = [size](std::int64_t at) { return std::size_t((at + 2 * size) % size); };
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const double wxy = sources.quanta[k] * x.weights[i] * y.weights[j];
        const std::size_t row =
            (around(x.first + std::int64_t(i)) * n + around(y.first + std::int64_t(j))) * n;
        for (std::size_t l = 0; l < 4; ++l)
          cells[row + around(z.first + std::int64_t(l))].fetch_add(std::llrint(wxy * z.weights[l]),
                                                                   std::memory_order_relaxed);
      }
  });
  std::vector<double> density(cells.size());
  const double mean = 0x1p61 / double(cells.size());
  for_each_index(cells.size(), [&](std::size_t c) { density[c] = double(cells[c].load()) / mean; });
  return density;
}

/// Wave number of index i along an axis, in fundamental modes.
std::int64_t wave_number(std::size_t i, std::size_t n) {
  return i <= n / 2 ? std::int64_t(i) : std::int64_t(i) - std::int64_t(n);
}

struct ShellSum {
  double k = 0, power = 0;
  std::uint64_t modes = 0;
};

/// Sums over the shells of a grid with a side of `length`.
std::vector<ShellSum> shells_of(const Sources& sources, std::size_t n, double fold) {
  const std::size_t half = n / 2 + 1;
  const auto first = transformed(density_of(sources, n, fold, 0), n),
             second = transformed(density_of(sources, n, fold, 0.5), n);
  const auto sinc = [&](std::int64_t k) {
    const double x = std::numbers::pi * double(k) / double(n);
    return x == 0 ? 1.0 : std::sin(x) / x;
  };
  // A plane is summed by one thread; planes are added in their order.
  std::vector<std::vector<ShellSum>> planes(n);
  parallel_for(n, [&](std::size_t ix) {
    auto& sums = planes[ix];
    sums.resize(half + 1);
    const auto kx = wave_number(ix, n);
    for (std::size_t iy = 0; iy < n; ++iy) {
      const auto ky = wave_number(iy, n);
      for (std::size_t iz = 0; iz < half; ++iz) {
        const auto kz = std::int64_t(iz);
        // Of each two opposite wave vectors one; the planes k_z = 0 and n / 2 hold both.
        if ((iz == 0 || 2 * iz == n) && (ky < 0 || (ky == 0 && kx < 0))) continue;
        const auto k2 = double(kx * kx + ky * ky + kz * kz);
        const double k = std::sqrt(k2);
        const auto shell = std::size_t(std::llround(k));
        if (shell == 0 || shell > half) continue;
        const std::size_t at = (ix * n + iy) * half + iz;
        // The second grid has its bodies half a cell further on.
        const auto phase = std::polar(1.0, std::numbers::pi * double(kx + ky + kz) / double(n));
        const auto delta = 0.5 * (first[at] + second[at] * phase) / double(n * n * n);
        const double window = std::pow(sinc(kx) * sinc(ky) * sinc(kz), 4);
        auto& sum = sums[shell];
        sum.k += k, sum.power += std::norm(delta) / (window * window), ++sum.modes;
      }
    }
  });
  std::vector<ShellSum> all(half + 1);
  for (const auto& plane : planes)
    for (std::size_t s = 0; s < all.size(); ++s)
      all[s].k += plane[s].k, all[s].power += plane[s].power, all[s].modes += plane[s].modes;
  return all;
}

Sources sources_of(const Bodies& bodies, std::span<const std::size_t> chosen, double side, double mass) {
  Sources sources;
  sources.places.resize(chosen.size()), sources.quanta.resize(chosen.size());
  for_each_index(chosen.size(), [&](std::size_t k) {
    sources.places[k] = (1 / side) * bodies.position(chosen[k]);
    sources.quanta[k] = bodies.mass[chosen[k]] / mass * 0x1p61;
  });
  return sources;
}

}  // namespace

std::size_t grid_for(std::size_t bodies) {
  std::size_t n = 16;
  while (n < 512 && double(n) < 2 * std::cbrt(double(bodies))) n *= 2;
  return n;
}

PowerSpectrum power_spectrum(const Bodies& bodies, std::span<const std::size_t> chosen,
                             const Boundary& boundary, const PowerOptions& options) {
  if (!boundary.periodic)
    throw UsageError("a power spectrum needs a periodic box; these bodies are in open space");
  const auto& l = boundary.length;
  if (l.x != l.y || l.x != l.z)
    throw UsageError(
        fmt::format("a power spectrum needs a cube; this box is {:g} x {:g} x {:g}", l.x, l.y, l.z));
  const std::size_t n = options.grid == 0 ? grid_for(chosen.size()) : options.grid;
  if (n < 4 || n > 2048 || n % 2 != 0)
    throw UsageError(
        fmt::format("the grid of a power spectrum has {} cells a side; it must be even, 4 to 2048", n));
  if (options.folds > 8)
    throw UsageError(
        fmt::format("{} folds of a power spectrum are too many; there may be 0 to 8", options.folds));
  // In the order of ids, so that the sums do not depend on that of the bodies.
  std::vector<std::size_t> sorted(chosen.begin(), chosen.end());
  std::ranges::sort(sorted, {}, [&](std::size_t i) { return bodies.id[i]; });
  double mass = 0, squares = 0;
  for (const auto i : sorted) mass += bodies.mass[i], squares += bodies.mass[i] * bodies.mass[i];
  if (!(mass > 0)) throw InputError("a power spectrum needs bodies with mass; none that is chosen has any");
  const double volume = l.x * l.y * l.z, fundamental = 2 * std::numbers::pi / l.x;

  PowerSpectrum spectrum{.shells = {}, .shot_noise = volume * squares / (mass * mass), .grid = n};
  const auto sources = sources_of(bodies, sorted, l.x, mass);
  const std::size_t last = n / 2 - 1;  // below the Nyquist frequency, where k and -k are one
  for (std::size_t fold = 0; fold <= options.folds; ++fold) {
    const double factor = std::pow(4.0, double(fold));
    const auto sums = shells_of(sources, n, factor);
    // Those of a fold begin where the spectrum before ends.
    for (std::size_t s = fold == 0 ? 1 : last / 4 + 1; s <= last; ++s)
      if (sums[s].modes > 0)
        spectrum.shells.push_back({.k = factor * fundamental * sums[s].k / double(sums[s].modes),
                                   .power = volume * sums[s].power / double(sums[s].modes),
                                   .modes = sums[s].modes,
                                   .fold = fold});
  }
  return spectrum;
}

}  // namespace pleiad::structure
