/// See splat.hpp: neighbour counts give each kernel its width; tiles of pixels are laid in parallel, each in
/// one fixed order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/splat.hpp"

#include "core/room.hpp"
#include "core/threads.hpp"
#include "ranks/agree.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace pleiad::render_detail {
namespace {

using splat::Kernel;
using splat::Layout;
using splat::Tile;

// Of a level: a kernel (at most 11 pixels wide) touches two strips of tiles, and two tiles of each, at most.
constexpr int strip_rows = 32, tile_columns = 64;
constexpr std::size_t batch = 8192, sorted_batch = 1 << 17;

/// The counts of all ranks.
void add_those_of_others(std::span<std::uint32_t> counts, ranks::Communicator& ranks) {
  if (ranks.ranks() == 1) return;
  std::vector<std::uint64_t> all(counts.begin(), counts.end());
  ranks.sum(all);
  std::ranges::transform(all, counts.begin(), [](std::uint64_t n) { return std::uint32_t(n); });
}

/// Bodies per pixel, on every level.
std::vector<std::uint32_t> counts_of(std::span<const Spot> spots, const Layout& layout,
                                     ranks::Communicator& ranks) {
  auto counts = zeros_in_large_pages<std::uint32_t>(layout.begin_of(layout.levels));
  for_each_index(spots.size(), [&](std::size_t i) {
    if (const auto pixel = splat::pixel_of(spots[i], layout); pixel < layout.pixels_at(0))
      std::atomic_ref(counts[pixel]).fetch_add(1, std::memory_order_relaxed);
  });
  add_those_of_others(std::span(counts).first(layout.pixels_at(0)), ranks);
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
Unwritten<Kernel> kernels_of(std::span<const Spot> spots, const std::vector<std::uint32_t>& counts, int size,
                             const Smoothing& how, const Layout& layout) {
  const std::size_t each = how.core_fraction > 0 ? 2 : 1;
  Unwritten<Kernel> kernels(spots.size() * each);
  parallel_for((spots.size() + batch - 1) / batch, [&](std::size_t b) {
    for (std::size_t i = b * batch; i < std::min(spots.size(), (b + 1) * batch); ++i) {
      kernels.data()[i * each] = splat::wide_kernel(spots[i], counts.data(), layout, how, size);
      if (each == 2) kernels.data()[i * each + 1] = splat::core_kernel(spots[i], layout, how);
    }
  });
  return kernels;
}

/// Kernels sorted by the tile in which they begin, stably: every pixel adds its kernels in an order that does
/// not depend on threads.
class Tiles {
 public:
  struct Part {
    int level = 0;
    Tile tile{};
  };

  Tiles(const Layout& layout, std::span<const Kernel> kernels) : layout_(layout) {
    for (int level = 0; level < layout.levels; ++level) {
      first_.push_back(parts_.size());
      const int side = layout.side_at(level);
      for (int top = 0; top < side; top += strip_rows)
        for (int left = 0; left < side; left += tile_columns)
          parts_.push_back({.level = level,
                            .tile = {.top = top,
                                     .bottom = std::min(top + strip_rows, side),
                                     .left = left,
                                     .right = std::min(left + tile_columns, side)}});
    }
    sort(kernels);
  }

  /// The parts of all levels, row by row.
  const std::vector<Part>& parts() const { return parts_; }
  /// Calls lay(k) for the kernels that may reach this part and begin in its strip (`own`) or in the one above
  /// it, in the order of the bodies.
  template <class Lay>
  void each_kernel(std::size_t number, bool own, const Lay& lay) const {
    const auto& part = parts_[number];
    if (!own && part.tile.top == 0) return;
    const std::size_t tile = own ? number : number - columns_at(part.level);
    auto here = of(tile), left = part.tile.left > 0 ? of(tile - 1) : std::span<const std::uint32_t>{};
    while (!here.empty() || !left.empty()) {
      auto& next = left.empty() || (!here.empty() && here.front() < left.front()) ? here : left;
      lay(next.front());
      next = next.subspan(1);
    }
  }

 private:
  std::size_t columns_at(int level) const {
    return std::size_t((layout_.side_at(level) + tile_columns - 1) / tile_columns);
  }
  /// The numbers of the kernels that begin in a tile.
  std::span<const std::uint32_t> of(std::size_t tile) const {
    return std::as_const(*order_).span().subspan(begin_[tile], begin_[tile + 1] - begin_[tile]);
  }
  std::size_t tile_of(const Kernel& k) const {
    const int last = layout_.side_at(k.level) - 1;
    const auto begin = [&](float centre) {
      return std::clamp(int(std::floor(double(centre) - double(k.radius))), 0, last);
    };
    return first_[std::size_t(k.level)] + std::size_t(begin(k.y) / strip_rows) * columns_at(k.level) +
           std::size_t(begin(k.x) / tile_columns);
  }

  /// Sorts by counting; every batch of kernels has a range of its own.
  void sort(std::span<const Kernel> kernels) {
    const std::size_t batches = (kernels.size() + sorted_batch - 1) / sorted_batch, tiles = parts_.size();
    std::vector<std::size_t> places(batches * tiles);
    const auto each = [&](std::size_t b, const auto& use) {
      for (std::size_t k = b * sorted_batch; k < std::min(kernels.size(), (b + 1) * sorted_batch); ++k)
        use(k, places[b * tiles + tile_of(kernels[k])]);
    };
    parallel_for(batches, [&](std::size_t b) { each(b, [](std::size_t, std::size_t& count) { ++count; }); });
    std::size_t before = 0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      begin_.push_back(before);
      for (std::size_t b = 0; b < batches; ++b) before += std::exchange(places[b * tiles + tile], before);
    }
    begin_.push_back(before);
    order_.emplace(kernels.size());
    parallel_for(batches, [&](std::size_t b) {
      each(b, [&](std::size_t k, std::size_t& place) { order_->data()[place++] = std::uint32_t(k); });
    });
  }

  Layout layout_;
  std::vector<std::size_t> first_;  ///< tile of each level
  std::vector<Part> parts_;
  std::vector<std::size_t> begin_;
  std::optional<Unwritten<std::uint32_t>> order_;
};

/// Whether a kernel may reach a tile.
bool touches(const Kernel& k, const Tile& t) {
  const auto x = double(k.x), y = double(k.y), r = double(k.radius) + 1;
  return x + r >= t.left && x - r <= t.right && y + r >= t.top && y - r <= t.bottom;
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

splat::ImagePlane layer_of(std::span<const Spot> spots, int size, const Smoothing& smoothing,
                           ranks::Communicator& ranks) {
  const Layout layout(size);
  splat::ImagePlane layer{
      .spots = sum(ranks, spots.size()), .counts = counts_of(spots, layout, ranks), .light = {}};
  layer.light = zeros_in_large_pages<double>(layout.begin_of(layout.levels));
  const auto kernels = kernels_of(spots, layer.counts, size, smoothing, layout);
  layer.counts.resize(layout.pixels_at(0));

  const Tiles tiles(layout, kernels.span());
  const auto lay_tile = [&](std::size_t number, bool own) {
    const auto& part = tiles.parts()[number];
    const int side = layout.side_at(part.level);
    double* plane = &layer.light[layout.begin_of(part.level)];
    tiles.each_kernel(number, own, [&](std::size_t k) {
      if (touches(kernels.data()[k], part.tile))
        splat::lay(kernels.data()[k], side, part.tile,
                   [&](std::size_t pixel, double weight) { plane[pixel] += weight; });
    });
  };
  // A strip adds the kernels that begin in the one above it, then those that begin in it, of one rank after
  // the other.
  for (const bool own : {false, true}) {
    const auto lay_all = [&] {
      parallel_for(tiles.parts().size(), [&](std::size_t k) { lay_tile(k, own); });
    };
    ranks::one_rank_at_a_time(ranks, layer.light, lay_all);
  }
  return layer;
}

Plane image_of(const splat::ImagePlane& layer, int size) {
  const Layout layout(size);
  const auto plane_of = [&](int level) {
    Plane plane;
    plane.width = plane.height = layout.side_at(level);
    const auto* begin = &layer.light[layout.begin_of(level)];
    plane.values.reserve(layout.pixels_at(level));
    prefer_large_pages(plane.values.data(), layout.pixels_at(level) * sizeof(double));
    plane.values.assign(begin, begin + layout.pixels_at(level));
    return plane;
  };
  Plane sum = plane_of(layout.levels - 1);
  for (int l = layout.levels - 1; l > 0; --l) {
    Plane finer = plane_of(l - 1);
    add_refined(sum, finer);
    sum = std::move(finer);
  }
  Plane image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) image.at(x, y) = sum.at(x + layout.pad, y + layout.pad);
  return image;
}

void add_refined(const Plane& coarse, Plane& fine) {
  each_refined(coarse, [&](int x, int y, double value) { fine.at(x, y) += value; });
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
