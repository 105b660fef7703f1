/// See splat.hpp: neighbour counts give each kernel its width; strips of rows are laid in parallel, each in
/// one fixed order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/splat.hpp"

#include "core/threads.hpp"
#include "ranks/agree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pleiad::render_detail {
namespace {

using splat::Kernel;
using splat::Layout;

constexpr int strip_rows = 32;  // of a level; a kernel (at most 11 rows) touches two strips at most
constexpr std::size_t batch = 8192;

int strips_at(const Layout& layout, int level) {
  return (layout.side_at(level) + strip_rows - 1) / strip_rows;
}

/// The counts of all ranks.
void add_those_of_others(std::span<std::uint32_t> counts, ranks::Transport& ranks) {
  std::vector<std::uint64_t> all(counts.begin(), counts.end());
  ranks.sum(all);
  std::ranges::transform(all, counts.begin(), [](std::uint64_t n) { return std::uint32_t(n); });
}

/// Bodies per pixel, on every level.
std::vector<std::uint32_t> counts_of(std::span<const Spot> spots, const Layout& layout,
                                     ranks::Transport* ranks) {
  std::vector<std::uint32_t> counts(layout.begin_of(layout.levels));
  for (const Spot& s : spots)
    if (const auto pixel = splat::pixel_of(s, layout); pixel < layout.pixels_at(0)) ++counts[pixel];
  if (ranks != nullptr) add_those_of_others(std::span(counts).first(layout.pixels_at(0)), *ranks);
  for (int level = 1; level < layout.levels; ++level) {
    const std::uint32_t* fine = &counts[layout.begin_of(level - 1)];
    std::uint32_t* coarse = &counts[layout.begin_of(level)];
    const auto side = std::size_t(layout.side_at(level));
    for (std::size_t j = 0; j < side; ++j)
      for (std::size_t i = 0; i < side; ++i) {
        const std::uint32_t* corner = fine + 2 * j * 2 * side + 2 * i;
        coarse[j * side + i] = corner[0] + corner[1] + corner[2 * side] + corner[2 * side + 1];
      }
  }
  return counts;
}

/// All kernels, in the order of the bodies.
std::vector<Kernel> kernels_of(std::span<const Spot> spots, const std::vector<std::uint32_t>& counts,
                               int size, const Smoothing& how, const Layout& layout) {
  const std::size_t each = how.core_fraction > 0 ? 2 : 1;
  std::vector<Kernel> kernels(spots.size() * each);
  parallel_for((spots.size() + batch - 1) / batch, [&](std::size_t b) {
    for (std::size_t i = b * batch; i < std::min(spots.size(), (b + 1) * batch); ++i) {
      kernels[i * each] = splat::wide_kernel(spots[i], counts.data(), layout, how, size);
      if (each == 2) kernels[i * each + 1] = splat::core_kernel(spots[i], layout, how);
    }
  });
  return kernels;
}

}  // namespace

Smoothing smoothing_for(std::size_t bodies, int size) {
  Smoothing s;
  const double n = double(std::max<std::size_t>(bodies, 1));
  s.neighbours = std::clamp(0.4 * std::sqrt(n), 8.0, 400.0);
  s.core_fraction = std::clamp(0.5 - 0.2 * std::log10(n / 1000), 0.0, 0.6);
  s.core_radius = std::clamp(size / 420.0 * std::pow(1000 / n, 0.15), 1.4, 4.5);
  return s;
}

splat::Layer layer_of(std::span<const Spot> spots, int size, const Smoothing& smoothing,
                      ranks::Transport* ranks) {
  const Layout layout(size);
  splat::Layer layer{.spots = ranks != nullptr ? sum(*ranks, spots.size()) : spots.size(),
                     .counts = counts_of(spots, layout, ranks),
                     .light = {}};
  layer.light.resize(layout.begin_of(layout.levels));
  const auto kernels = kernels_of(spots, layer.counts, size, smoothing, layout);
  layer.counts.resize(layout.pixels_at(0));

  // Sorted by level and strip, stably: every pixel adds its kernels in an order that knows nothing of
  // threads.
  std::vector<std::size_t> first_strip(std::size_t(layout.levels) + 1);
  for (int l = 0; l < layout.levels; ++l)
    first_strip[std::size_t(l) + 1] = first_strip[std::size_t(l)] + std::size_t(strips_at(layout, l));
  const auto bin = [&](const Kernel& k) {
    const int row =
        std::clamp(int(std::floor(double(k.y) - double(k.radius))), 0, layout.side_at(k.level) - 1);
    return first_strip[std::size_t(k.level)] + std::size_t(row / strip_rows);
  };
  std::vector<std::size_t> begin(first_strip.back() + 1);
  for (const Kernel& k : kernels) ++begin[bin(k) + 1];
  for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
  std::vector<std::uint32_t> order(kernels.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < kernels.size(); ++k) order[next[bin(kernels[k])]++] = std::uint32_t(k);

  const auto lay_strip = [&](std::size_t b, bool own) {
    const auto l = int(std::upper_bound(first_strip.begin(), first_strip.end(), b) - first_strip.begin()) - 1;
    const int strip = int(b - first_strip[std::size_t(l)]), top = strip * strip_rows,
              side = layout.side_at(l), bottom = std::min(top + strip_rows, side);
    double* plane = &layer.light[layout.begin_of(l)];
    if (!own && strip == 0) return;
    const std::size_t from = own ? b : b - 1;
    for (std::size_t k = begin[from]; k < begin[from + 1]; ++k)
      splat::lay(kernels[order[k]], side, top, bottom,
                 [&](std::size_t pixel, double weight) { plane[pixel] += weight; });
  };
  // A strip adds the kernels that begin in the one above it, then those that begin in it, of one rank after
  // the other.
  for (const bool own : {false, true}) {
    const auto lay_all = [&] { parallel_for(first_strip.back(), [&](std::size_t b) { lay_strip(b, own); }); };
    if (ranks != nullptr) ranks::in_turn(*ranks, layer.light, lay_all);
    else lay_all();
  }
  return layer;
}

Plane image_of(const splat::Layer& layer, int size) {
  const Layout layout(size);
  const auto plane_of = [&](int level) {
    Plane plane(layout.side_at(level), layout.side_at(level));
    std::copy_n(&layer.light[layout.begin_of(level)], plane.values.size(), plane.values.begin());
    return plane;
  };
  Plane sum = plane_of(layout.levels - 1);
  for (int l = layout.levels - 1; l > 0; --l) {
    Plane finer = plane_of(l - 1);
    const Plane refined = refine(sum);
    for (std::size_t i = 0; i < finer.values.size(); ++i) finer.values[i] += refined.values[i];
    sum = std::move(finer);
  }
  Plane image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) image.at(x, y) = sum.at(x + layout.pad, y + layout.pad);
  return image;
}

Plane refine(const Plane& coarse) {
  Plane fine(2 * coarse.width, 2 * coarse.height);
  parallel_for(std::size_t(coarse.height), [&](std::size_t row) {
    const int j = int(row);
    for (int half = 0; half < 2; ++half) {
      const int other = std::clamp(half == 0 ? j - 1 : j + 1, 0, coarse.height - 1);
      // 3/4 of the nearer row, 1/4 of the farther, the same across; a quarter of a cell's sum goes to each of
      // its pixels.
      const auto mixed = [&](int i) { return 0.1875 * coarse.at(i, j) + 0.0625 * coarse.at(i, other); };
      double left = mixed(0), here = left;
      for (int i = 0; i < coarse.width; ++i) {
        const double right = i + 1 < coarse.width ? mixed(i + 1) : here;
        fine.at(2 * i, 2 * j + half) = 0.75 * here + 0.25 * left;
        fine.at(2 * i + 1, 2 * j + half) = 0.75 * here + 0.25 * right;
        left = here, here = right;
      }
    }
  });
  return fine;
}

Plane coarsen(const Plane& fine) {
  Plane coarse(fine.width / 2, fine.height / 2);
  for (int j = 0; j < coarse.height; ++j)
    for (int i = 0; i < coarse.width; ++i)
      coarse.at(i, j) = fine.at(2 * i, 2 * j) + fine.at(2 * i + 1, 2 * j) + fine.at(2 * i, 2 * j + 1) +
                        fine.at(2 * i + 1, 2 * j + 1);
  return coarse;
}

}  // namespace pleiad::render_detail
