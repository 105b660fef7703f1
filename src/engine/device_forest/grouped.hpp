/// Items for each rank, one rank after the other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::device_forest {

template <class Item>
struct Grouped {
  std::vector<Item> items;
  std::vector<std::size_t> begins;  ///< those of rank r are the items from begins[r] up to begins[r + 1]
};

/// owner_of(item): its rank, as a number or std::optional of one; without a rank it is left out. Items of a
/// rank keep their order.
template <class Item, class OwnerOf>
Grouped<Item> group_by_owner(std::span<const Item> items, int ranks, const OwnerOf& owner_of) {
  constexpr int nobody = -1;
  std::vector<int> owners;
  owners.reserve(items.size());
  Grouped<Item> grouped{{}, std::vector<std::size_t>(std::size_t(ranks) + 1)};
  for (const auto& item : items) {
    owners.push_back(std::optional<int>(owner_of(item)).value_or(nobody));
    if (owners.back() != nobody) ++grouped.begins[std::size_t(owners.back()) + 1];
  }
  std::partial_sum(grouped.begins.begin(), grouped.begins.end(), grouped.begins.begin());
  grouped.items.resize(grouped.begins.back());
  auto next = grouped.begins;
  for (std::size_t k = 0; k < items.size(); ++k)
    if (owners[k] != nobody) grouped.items[next[std::size_t(owners[k])]++] = items[k];
  return grouped;
}

}  // namespace pleiad::device_forest
