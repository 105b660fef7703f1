/// The parts of the draw of a sample, for bodies in one memory and for those of several ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pleiad::sampling {

using Indices = std::vector<std::uint32_t>;

/// The closest neighbours of a sample, and how many of the rest are looked at for each that is drawn.
inline constexpr std::size_t most_closest = 32, looked_at = 64;

struct Side {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double length() const { return high - low; }
};
/// Ranges of the coordinates of some bodies along each axis.
using Sides = std::array<Side, 3>;
Sides box_of(const Bodies& bodies);
double longest_side(const Sides& box);

/// The numbers from 0 to n - 1.
Indices numbers_to(std::size_t n);
/// Sorts indices by their keys of at most 63 bits, and the keys with them; equal keys keep their order.
void sort_by(std::vector<std::uint64_t>& keys, Indices& indices);
/// Whether the keys of the grid can distinguish bodies with this box.
bool has_grid(const Sides& box);
/// Along Morton's curve, of the bodies `some`.
std::vector<std::uint64_t> keys_along_curve(const Bodies& bodies, std::span<const std::uint32_t> some,
                                            const Sides& box);
/// Puts bodies that are in the order of their keys into that along the curves of those that share one, but
/// where it is one of all `n`: within the cells of a grid, so that no distance is too small.
void sort_within_keys(const Bodies& bodies, std::span<const std::uint64_t> keys,
                      std::span<std::uint32_t> some, std::size_t n);
/// Along a line that lies in no plane of symmetry, on which two bodies that are much closer than others are
/// neighbours.
std::vector<std::uint64_t> keys_along_line(const Bodies& bodies);
/// Number of neighbours along the curve and along the line that a search compares.
inline constexpr std::size_t reach_on_curve = 3, reach_on_line = 2;

/// A body, and the smallest separation from another that was found.
struct Close {
  double separation;
  std::uint32_t body;
};

/// The closest of all that were added, in any order.
class Closest {
 public:
  /// `numbers`: of the bodies, by which the last ties go; empty: they are counted.
  Closest(const Bodies& bodies, std::size_t most, std::span<const std::uint32_t> numbers = {})
      : bodies_(&bodies), most_(most), numbers_(numbers) {}
  void add(double separation, std::uint32_t body);
  void add(const Closest& other);
  /// The first `most` of them, each once.
  std::vector<Close> take();

 private:
  auto key(const Close& c) const;
  void tidy();

  const Bodies* bodies_;
  std::size_t most_;
  std::span<const std::uint32_t> numbers_;
  double limit_ = std::numeric_limits<double>::infinity();
  std::vector<Close> found_;
};

/// Searches from each body at [first, last) of this order to those `reach` before and behind it.
void search_along(const Bodies& bodies, const Indices& order, std::size_t first, std::size_t last,
                  std::size_t reach, std::size_t most, Closest& closest,
                  std::span<const std::uint32_t> numbers = {});

/// A hash with these bits added, as SplitMix64 mixes them.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) + 0x9e3779b97f4a7c15U;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
  return hash ^ (hash >> 31);
}
/// The limit of the hash of position and mass below which about `some` of n bodies lie.
std::uint64_t hash_limit(std::size_t some, std::size_t n);
std::uint64_t hash_of(const Bodies& bodies, std::size_t i);
/// Whether `kept` bodies are about `some`.
bool about(std::size_t kept, std::size_t some);

/// Adds to the sample, which has the closest neighbours, bodies that represent all n: one from each of many
/// strata, or all if n <= most. `order`: indices in `bodies` to draw from; `taken`: whether each is in the
/// sample already.
void draw_rest(const Bodies& bodies, Indices order, const std::vector<bool>& taken, std::size_t n,
               std::size_t most, Sample& sample);

/// M / R^2; 0 where that is no number.
double typical_acceleration(double mass, const Sides& box);

}  // namespace pleiad::sampling
