#include "structure/cells.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <limits>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

constexpr double most_cells = 0x1p30;

struct Entry {
  Place place;
  std::size_t body;
};

}  // namespace

Cells::Cells(const Bodies& bodies, std::span<const std::size_t> chosen, const Boundary& boundary,
             double longest)
    : boundary_(boundary) {
  const auto position = [&](std::size_t i) { return into_box(bodies.position(i), boundary_); };
  Vec3<double> extent = boundary_.length;
  if (!boundary_.periodic && !chosen.empty()) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Vec3<double> low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};
    for (const auto i : chosen) {
      const auto x = bodies.position(i);
      low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
      high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
    origin_ = low, extent = high - low;
  }
  if (!(std::max({extent.x, extent.y, extent.z}) / longest < most_cells))
    throw UsageError(
        fmt::format("a length of {:g} is too short for bodies in {:g} x {:g} x {:g}: more than 2^30 "
                    "of it fit in a side",
                    longest, extent.x, extent.y, extent.z));
  const auto of_side = [&](double e, std::int32_t& count, double& side) {
    count = boundary_.periodic ? std::int32_t(std::max(1.0, std::ceil(e / longest)))
                               : std::int32_t(e / longest) + 1;
    side = boundary_.periodic ? e / count : longest;
  };
  of_side(extent.x, count_[0], side_.x), of_side(extent.y, count_[1], side_.y);
  of_side(extent.z, count_[2], side_.z);

  std::vector<Entry> entries(chosen.size());
  for_each_index(chosen.size(), [&](std::size_t k) {
    const auto x = position(chosen[k]) - origin_;
    const auto along = [&](double at, double side, std::int32_t count) {
      return std::clamp(std::int32_t(at / side), std::int32_t{0}, count - 1);
    };
    entries[k] = {
        {along(x.x, side_.x, count_[0]), along(x.y, side_.y, count_[1]), along(x.z, side_.z, count_[2])},
        chosen[k]};
  });
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::tie(e.place, e.body); });
  order_.resize(entries.size()), positions_.resize(entries.size());
  for_each_index(entries.size(), [&](std::size_t k) {
    order_[k] = entries[k].body, positions_[k] = position(entries[k].body);
  });
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (cells_.empty() || cells_.back().place != entries[k].place)
      cells_.push_back({.place = entries[k].place, .first = k, .count = 0});
    ++cells_.back().count;
  }
}

std::span<const Cell> Cells::row(std::int32_t x, std::int32_t y, std::int32_t low, std::int32_t high) const {
  if (low > high) return {};
  const auto first = std::ranges::lower_bound(cells_, Place{x, y, low}, {}, &Cell::place);
  const auto last = std::upper_bound(first, cells_.end(), Place{x, y, high},
                                     [](const Place& p, const Cell& c) { return p < c.place; });
  return {first, last};
}

const Cell* Cells::beside(const Place& place, const Place& offset, Vec3<double>& image) const {
  Place at{};
  std::array<double, 3> shift{};
  const std::array length{boundary_.length.x, boundary_.length.y, boundary_.length.z};
  for (std::size_t k = 0; k < 3; ++k) {
    at[k] = place[k] + offset[k];
    if (at[k] >= 0 && at[k] < count_[k]) continue;
    if (!boundary_.periodic) return nullptr;
    const auto turns = std::int32_t(std::floor(double(at[k]) / count_[k]));
    at[k] -= turns * count_[k], shift[k] = turns * length[k];
  }
  image = {shift[0], shift[1], shift[2]};
  const auto found = std::ranges::lower_bound(cells_, at, {}, &Cell::place);
  return found != cells_.end() && found->place == at ? &*found : nullptr;
}

}  // namespace pleiad::structure
