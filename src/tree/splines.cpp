#include "tree/splines.hpp"

#include "core/threads.hpp"
#include "tree/tree.hpp"

#include <algorithm>

namespace pleiad::tree {

void Splines::take(const Tree& tree, std::span<const double> eps, double one, SofteningRule pairs) {
  rule = pairs;
  radii.resize(tree.order.size());
  for_each_index(radii.size(), [&](std::size_t k) {
    radii[k] = spline_radius * (eps.empty() ? one : eps[tree.order[k]]) / tree.length;
  });
  constexpr std::size_t widest_vector = 8;
  largest.assign(tree.cells.size() + widest_vector, 0);
  for (std::size_t c = tree.cells.size(); c-- > 0;) {  // children come after their parents
    const auto& cell = tree.cells[c];
    const auto& from = cell.leaf() ? radii : largest;
    const std::size_t begin = cell.leaf() ? cell.begin : cell.first_child,
                      count = cell.leaf() ? cell.bodies() : cell.children;
    for (std::size_t k = begin; k < begin + count; ++k) largest[c] = std::max(largest[c], from[k]);
  }
}

}  // namespace pleiad::tree
