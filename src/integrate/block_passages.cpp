#include "integrate/block_passages.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pleiad {

StepWatch::State BlockPassages::Begun::at(double time) const {
  const double h = time - from;
  return {x + h * (v + (h / 2) * (a + (h / 3) * j)), v + h * (a + (h / 2) * j)};
}

BlockPassages::Begun BlockPassages::path(std::size_t k) const {
  const auto& p = all_.paths;
  return {p.from[k] * p.unit, BodyPaths::at(p.x, k), BodyPaths::at(p.v, k), BodyPaths::at(p.a, k),
          BodyPaths::at(p.j, k)};
}

void BlockPassages::keep(std::span<const std::uint32_t> active) {
  begun_.clear();
  for (const auto k : active) begun_.push_back(path(k));
}

void BlockPassages::begin(const Reach& reach) {
  reach_.assign(all_.levels.size(), 0), share_ = reach_;
  number_.assign(all_.levels.size(), -1);
  for (std::size_t k = 0; k < all_.paths.bodies; ++k) {
    if (all_.levels[k] < 0) continue;
    const auto place = static_cast<std::uint32_t>(k);
    take(std::span(&place, 1), reach);
  }
}

void BlockPassages::take(std::span<const std::uint32_t> places, const Reach& reach) {
  for (const auto k : places) {
    reach_[k] = reach(k);
    share_[k] = reach_[k] + bend(BodyPaths::at(all_.paths.a, k), all_.steps[k]);
  }
}

/// The parts of an active body with those that are not active, and with the active ones after it.
void BlockPassages::look_from(std::size_t t, std::span<const std::uint32_t> active, double now,
                              std::vector<StepWatch::Part>& parts) const {
  const auto& p = all_.paths;
  const auto& own = begun_[t];
  const std::size_t k = active[t];
  const double end = now * p.unit, time = end - own.from;
  const auto x = BodyPaths::at(p.x, k), v = BodyPaths::at(p.v, k);
  const double share = share_[k];
  const auto look = [&](std::size_t j) {
    if (j == k || all_.levels[j] < 0 || (number_[j] >= 0 && std::size_t(number_[j]) < t)) return;
    const auto other = number_[j] >= 0 ? begun_[std::size_t(number_[j])] : path(j);
    const double begin = std::max(own.from, other.from);
    if (!(begin < end)) return;
    const auto corrected =
        number_[j] >= 0 ? StepWatch::State{BodyPaths::at(p.x, j), BodyPaths::at(p.v, j)} : other.at(end);
    parts.push_back({.pair = {std::uint32_t(k), std::uint32_t(j)},
                     .begin = begin,
                     .end = end,
                     .from = {own.at(begin), other.at(begin)},
                     .to = {{x, v}, corrected}});
  };
  // |d| > s + |u| t where |d|^2 > 2 (s^2 + (u t)^2), without a root.
  const auto far = [&](const Vec3<double>& d, const Vec3<double>& u, double both) {
    return dot(d, d) > 2 * (both * both + time * time * dot(u, u));
  };
  constexpr std::size_t block = 256;
  std::array<bool, block> near;
  for (std::size_t first = 0; first < p.pulling; first += block) {
    const std::size_t n = std::min(block, p.pulling - first);
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = first + i;
      const Vec3<double> d{p.x_now[0][j] - x.x, p.x_now[1][j] - x.y, p.x_now[2][j] - x.z},
          u{p.v_now[0][j] - v.x, p.v_now[1][j] - v.y, p.v_now[2][j] - v.z};
      near[i] = !far(d, u, share + share_[j]);
      any |= near[i];
    }
    for (std::size_t i = 0; any && i < n; ++i)
      if (near[i]) look(first + i);
  }
  // Two bodies without mass never meet; the others are not predicted unless they are active.
  if (k >= p.pulling) return;
  for (std::size_t j = p.pulling; j < p.bodies; ++j) {
    if (all_.levels[j] < 0) continue;
    const auto other = path(j).at(end);
    if (!far(other.x - x, other.v - v, share + share_[j])) look(j);
  }
}

std::vector<StepWatch::Part> BlockPassages::find(std::span<const std::uint32_t> active, double now) {
  const auto& p = all_.paths;
  for (std::size_t t = 0; t < active.size(); ++t) {
    const auto k = active[t];
    const auto& own = begun_[t];
    // Of the step that has ended and of the next one.
    const double time = std::max(now * p.unit - own.from, all_.steps[k]);
    share_[k] = reach_[k] + std::max(bend(own.a, time), bend(BodyPaths::at(p.a, k), time));
    number_[k] = std::int32_t(t);
  }
  std::vector<std::vector<StepWatch::Part>> found(active.size());
  for_each_index(
      active.size(), [&](std::size_t t) { look_from(t, active, now, found[t]); }, 16);
  for (const auto k : active) number_[k] = -1;
  std::vector<StepWatch::Part> parts;
  for (const auto& each : found) parts.insert(parts.end(), each.begin(), each.end());
  return parts;
}

}  // namespace pleiad
