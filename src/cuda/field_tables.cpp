#include "cuda/field_tables.hpp"

#include "cuda/device/peer.hpp"
#include "potentials/at_time.hpp"

#include <algorithm>
#include <cstddef>

namespace pleiad::cuda {

FieldTables::~FieldTables() {
  for (auto& [device, tables] : on_) {
    const OnDevice here(device);
    tables.clear();
  }
}

std::vector<potentials::Instant<double>> FieldTables::instants(std::span<const Potential> potentials,
                                                               double time, void* stream) {
  auto all = potentials::instants_of(potentials, time);
  if (std::ranges::all_of(potentials, [](const auto& p) { return p.table.empty(); })) return all;
  auto& tables = on_[present_device()];
  if (tables.empty())
    for (const auto& p : potentials) tables.emplace_back(std::span<const double>(p.table), stream);
  for (std::size_t k = 0; k < all.size(); ++k) all[k].rows = tables[k].data();
  return all;
}

}  // namespace pleiad::cuda
