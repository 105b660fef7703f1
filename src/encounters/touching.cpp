#include "encounters/touching.hpp"

#include <algorithm>
#include <map>

namespace pleiad::encounters {

std::vector<Component> components_of(const Matter& matter, std::span<const Pair> touching) {
  std::map<std::uint32_t, std::uint32_t>
      above;  ///< of each body in a pair, another of its component or itself
  const auto top = [&](std::uint32_t i) {
    auto at = above.try_emplace(i, i).first;
    while (at->second != at->first) at->second = above.at(at->second), at = above.find(at->second);
    return at->first;
  };
  for (const auto& [i, j] : touching) {
    const auto a = top(i), b = top(j);
    above[std::max(a, b)] = std::min(a, b);
  }
  std::map<std::uint32_t, Component> by_top;
  for (const auto& [i, unused] : above) by_top[top(i)].push_back(i);
  std::vector<Component> all;
  const auto id_of = [&](std::uint32_t i) { return matter.id[i]; };
  for (auto& [first, bodies] : by_top) {
    std::ranges::sort(bodies, {}, id_of);
    const auto heaviest =
        std::ranges::max_element(bodies, {}, [&](std::uint32_t i) { return matter.mass[i]; });
    std::rotate(bodies.begin(), heaviest, heaviest + 1);
    all.push_back(std::move(bodies));
  }
  std::ranges::sort(all, {}, [&](const Component& c) { return id_of(c.front()); });
  return all;
}

}  // namespace pleiad::encounters
