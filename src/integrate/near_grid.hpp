/// A grid that finds the bodies near a place without a look at all of them: it knows where they were a short
/// while ago, and how far they may have moved since.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_paths.hpp"
#include "core/threads.hpp"

#include <pleiad/vec.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad {

class NearGrid {
 public:
  /// Where bodies are now (paths.x_now) counts from here on: finds out whether some have moved too far for
  /// the grid, and then makes it anew. For fewer bodies than it is worth nothing is done.
  void look(const BodyPaths& paths) {
    const std::size_t n = paths.pulling;
    if (n < worth_a_grid) return forget();
    if (items_.empty() || added_.size() > n / 64 || far(paths)) make(paths);
  }
  /// There is another body now, where paths.x_now says.
  void replaced(const BodyPaths& paths, std::size_t body) {
    if (items_.empty()) return;
    added_.push_back(static_cast<std::uint32_t>(body));
    for (std::size_t c = 0; c < 3; ++c) was_[c][body] = paths.x_now[c][body];
  }
  void forget() { items_.clear(), added_.clear(); }

  /// Numbers of bodies in ascending order, among which are all within a distance of a place. False: the grid
  /// does not know better than that these are all. Several threads may call it.
  bool about(const Vec3<double>& place, double distance, std::vector<std::uint32_t>& found) const {
    if (items_.empty()) return false;
    std::array<std::int64_t, 3> low{}, high{};
    const double to = distance + slack_, at[] = {place.x, place.y, place.z};
    double cells = 1;
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = cell_of(at[c] - to), high[c] = cell_of(at[c] + to);
      cells *= double(high[c] - low[c] + 1);
    }
    if (!(cells <= double(items_.size()) / 8)) return false;
    found = added_;
    for (auto x = low[0]; x <= high[0]; ++x)
      for (auto y = low[1]; y <= high[1]; ++y)
        for (auto z = low[2]; z <= high[2]; ++z) {
          const auto b = bucket(x, y, z);
          found.insert(found.end(), items_.begin() + begin_[b], items_.begin() + begin_[b + 1]);
        }
    // Cells share buckets.
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return true;
  }

 private:
  static constexpr std::size_t worth_a_grid = 1024;

  std::int64_t cell_of(double x) const {
    constexpr double most = 1e15;
    return static_cast<std::int64_t>(std::floor(std::clamp(x * per_cell_, -most, most)));
  }
  std::size_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::uint64_t mixed =
        (std::uint64_t(x) * 0x9e3779b97f4a7c15U + std::uint64_t(y)) * 0xbf58476d1ce4e5b9U + std::uint64_t(z);
    return ((mixed * 0x94d049bb133111ebU) >> 32) & mask_;
  }
  /// Whether a body is farther than slack_ from where it was.
  bool far(const BodyPaths& p) const {
    std::atomic<bool> any = false;
    for_blocks(
        items_.size(),
        [&](std::size_t begin, std::size_t end) {
          std::size_t count = 0;
          for (std::size_t k = begin; k < end; ++k) {
            const double x = p.x_now[0][k] - was_[0][k], y = p.x_now[1][k] - was_[1][k],
                         z = p.x_now[2][k] - was_[2][k];
            count += x * x + y * y + z * z <= slack_ * slack_ ? 0 : 1;
          }
          if (count > 0) any = true;
        },
        8192);
    return any;
  }
  void make(const BodyPaths& p) {
    const std::size_t n = p.pulling;
    was_ = p.x_now, added_.clear();
    // The size of the middle of the system, from some bodies.
    std::vector<double> sizes;
    const std::size_t stride = n / 512 + 1;
    for (std::size_t k = 0; k + stride < n; k += stride) {
      double r2 = 0;
      for (const auto& x : was_) r2 += (x[k + stride] - x[k]) * (x[k + stride] - x[k]);
      sizes.push_back(r2);
    }
    std::ranges::nth_element(sizes, sizes.begin() + std::ptrdiff_t(sizes.size() / 2));
    const double size = std::sqrt(sizes[sizes.size() / 2]), cell = 1.5 * size / std::cbrt(double(n));
    per_cell_ = cell > 0 ? 1 / cell : 0, slack_ = cell / 2;
    mask_ = std::bit_ceil(n) - 1;
    begin_.assign(mask_ + 2, 0);
    std::vector<std::uint32_t> of(n);
    for (std::size_t k = 0; k < n; ++k) {
      of[k] =
          static_cast<std::uint32_t>(bucket(cell_of(was_[0][k]), cell_of(was_[1][k]), cell_of(was_[2][k])));
      ++begin_[of[k] + 1];
    }
    for (std::size_t b = 0; b <= mask_; ++b) begin_[b + 1] += begin_[b];
    items_.resize(n);
    auto next = begin_;
    for (std::size_t k = 0; k < n; ++k) items_[next[of[k]]++] = static_cast<std::uint32_t>(k);
  }

  double per_cell_ = 0, slack_ = 0;
  std::size_t mask_ = 0;
  std::array<BodyPaths::Numbers, 3> was_;  ///< where bodies were
  std::vector<std::uint32_t> begin_;       ///< of each bucket in items_
  std::vector<std::uint32_t> items_;       ///< bodies by buckets; empty: there is no grid
  std::vector<std::uint32_t> added_;       ///< replaced since
};

}  // namespace pleiad
