#include "regular/chain.hpp"

#include <pleiad/vec.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pleiad::regular {
namespace {

double squared_distance(const DoubleVec& a, const DoubleVec& b) {
  const auto d = a - b;
  return d.x.high * d.x.high + d.y.high * d.y.high + d.z.high * d.z.high;
}

}  // namespace

std::vector<std::size_t> chain_order(std::span<const DoubleVec> positions) {
  const std::size_t n = positions.size();
  if (n < 2) return std::vector<std::size_t>(n, 0);
  constexpr double far = std::numeric_limits<double>::infinity();
  std::size_t first = 0, last = 1;
  double nearest = far;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (const double r2 = squared_distance(positions[i], positions[j]); r2 < nearest)
        nearest = r2, first = i, last = j;
  std::vector<std::uint8_t> in_chain(n, 0);
  in_chain[first] = in_chain[last] = 1;
  std::vector<std::size_t> before{first}, after{last};  // the half before grows at its end, too
  while (before.size() + after.size() < n) {
    std::size_t next = n;
    bool at_start = false;
    nearest = far;
    for (std::size_t k = 0; k < n; ++k) {
      if (in_chain[k] != 0) continue;
      const double to_start = squared_distance(positions[k], positions[before.back()]);
      const double to_end = squared_distance(positions[k], positions[after.back()]);
      const double r2 = std::min(to_start, to_end);
      if (next == n || r2 < nearest) next = k, nearest = r2, at_start = to_start < to_end;
    }
    in_chain[next] = 1;
    (at_start ? before : after).push_back(next);
  }
  std::ranges::reverse(before);
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

}  // namespace pleiad::regular
