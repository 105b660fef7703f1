#include "tree/places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pleiad::tree {
namespace {

/// Middle and side of a cell for the MACs with sides: an octree's cube, or the box around its bodies.
std::pair<Vec3<double>, double> cube_of(const Tree& tree, std::uint32_t c, const CellPlaces& up) {
  if (tree.structure == Structure::octree) return {middle_of(tree, tree.cells[c]), side_of(tree.cells[c])};
  const auto& [low, high] = up.boxes[c];
  return {{0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])},
          std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]})};
}

}  // namespace

double place_cell(const Tree& tree, std::uint32_t c, CellPlaces& up) {
  const Cell& cell = tree.cells[c];
  double m = 0, x = 0, y = 0, z = 0;
  CellPlaces::Box box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  const auto add = [&](double mass, double px, double py, double pz, const auto& low, const auto& high) {
    m += mass, x += mass * px, y += mass * py, z += mass * pz;
    for (std::size_t a = 0; a < 3; ++a)
      box.low[a] = std::min(box.low[a], low[a]), box.high[a] = std::max(box.high[a], high[a]);
  };
  if (cell.leaf()) {
    for (auto i = cell.begin; i < cell.end; ++i) {
      const std::array<double, 3> at{tree.x[i], tree.y[i], tree.z[i]};
      add(tree.m[i], at[0], at[1], at[2], at, at);
    }
  } else {
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      add(up.masses[k], up.x[k], up.y[k], up.z[k], up.boxes[k].low, up.boxes[k].high);
  }
  const auto inside = [&](double sum, std::size_t a) {
    // Rounding never takes a centre out of the box; without mass it is the middle.
    return m > 0 ? std::clamp(sum / m, box.low[a], box.high[a]) : 0.5 * (box.low[a] + box.high[a]);
  };
  up.x[c] = inside(x, 0), up.y[c] = inside(y, 1), up.z[c] = inside(z, 2);
  up.boxes[c] = box;
  return m;
}

double radius_of(const Tree& tree, std::uint32_t c, const CellPlaces& up) {
  const Cell& cell = tree.cells[c];
  const double x = up.x[c], y = up.y[c], z = up.z[c];
  const auto squared = [](double a, double b, double d) { return a * a + b * b + d * d; };
  double r = 0;
  if (cell.leaf()) {
    for (auto i = cell.begin; i < cell.end; ++i)
      r = std::max(r, squared(tree.x[i] - x, tree.y[i] - y, tree.z[i] - z));
    return std::sqrt(r);
  }
  for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
    r = std::max(r, std::sqrt(squared(up.x[k] - x, up.y[k] - y, up.z[k] - z)) + up.radius[k]);
  const auto& [low, high] = up.boxes[c];
  return std::min(r, std::sqrt(squared(std::max(x - low[0], high[0] - x), std::max(y - low[1], high[1] - y),
                                       std::max(z - low[2], high[2] - z))));
}

double reach_of(const Tree& tree, std::uint32_t c, const CellPlaces& up, Mac mac, double theta) {
  const double per = 1 / theta;
  switch (mac) {
    case Mac::classic:
      return cube_of(tree, c, up).second * per;
    case Mac::sides: {
      const auto [middle, side] = cube_of(tree, c, up);
      const double x = up.x[c] - middle.x, y = up.y[c] - middle.y, z = up.z[c] - middle.z;
      return side * per + std::sqrt(x * x + y * y + z * z);
    }
    case Mac::spheres:
    case Mac::error:
      break;
  }
  return up.radius[c] * per;
}

}  // namespace pleiad::tree
