/// A cell is sent as a header, the record of its moments and, for the error MAC, its scales.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/cells.hpp"

#include <algorithm>
#include <cstring>

namespace pleiad::forest {
namespace {

struct Header {
  std::uint32_t id, bodies, children, level;
  Vec3<double> first_body;
  double x, y, z, radius, mass;
  std::array<double, 3> low, high;
};

}  // namespace

template <class M>
void copy_cell(const tree::Memory<M>& from, std::size_t a, tree::Memory<M>& to, std::size_t b) {
  const auto& f = from.moments;
  auto& t = to.moments;
  t.x[b] = f.x[a], t.y[b] = f.y[a], t.z[b] = f.z[a], t.radius[b] = f.radius[a];
  t.masses[b] = f.masses[a], t.boxes[b] = f.boxes[a];
  std::copy_n(&f.records[a * f.stride], f.stride, &t.records[b * t.stride]);
  for (std::size_t k = 0; k < from.scales.weights.size(); ++k)
    to.scales.weights[k][b] = from.scales.weights[k][a];
  if (!from.scales.weights.empty()) to.scales.least_acceleration[b] = from.scales.least_acceleration[a];
}

template <class M>
void resize_like(const tree::Memory<M>& model, std::size_t cells, tree::Memory<M>& to) {
  to.moments.resize(cells, model.moments.stride);
  if (!model.scales.weights.empty()) to.scales.resize(cells, int(model.scales.weights.size()) - 1);
}

template <class M>
std::uint32_t Known<M>::add(const tree::Cell& cell, std::uint32_t count, const Vec3<double>& first, int owner,
                            std::uint32_t id) {
  const std::uint32_t c = cells();
  tree.cells.push_back(cell);
  tree.cells[c].begin = c, tree.cells[c].end = c + 1;
  tree.x.push_back(first.x), tree.y.push_back(first.y), tree.z.push_back(first.z);
  tree.share.bodies.push_back(count);
  tree.share.marks.push_back(owner == shared ? 0 : tree::Share::given);
  owners.push_back(owner), ids.push_back(id), bodies_at.push_back(none);
  return c;
}

template <class M>
std::size_t Parcel<M>::size() const {
  const std::size_t scales = model_.scales.weights.empty() ? 0 : model_.scales.weights.size() + 1;
  return sizeof(Header) + model_.moments.stride * sizeof(M) + scales * sizeof(double);
}

template <class M>
void Parcel<M>::add(const tree::Tree& tree, const tree::Memory<M>& memory, std::uint32_t c,
                    std::vector<std::byte>& to) const {
  const auto& cell = tree.cells[c];
  const auto& up = memory.moments;
  const Header header{c,
                      tree.bodies_of(c),
                      cell.children,
                      cell.level,
                      {tree.x[cell.begin], tree.y[cell.begin], tree.z[cell.begin]},
                      up.x[c],
                      up.y[c],
                      up.z[c],
                      up.radius[c],
                      up.masses[c],
                      up.boxes[c].low,
                      up.boxes[c].high};
  const auto put = [&](const auto* values, std::size_t count) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values);
    to.insert(to.end(), bytes, bytes + count * sizeof(*values));
  };
  put(&header, 1), put(up.record(c), up.stride);
  for (const auto& weights : memory.scales.weights) put(&weights[c], 1);
  if (!memory.scales.weights.empty()) put(&memory.scales.least_acceleration[c], 1);
}

template <class M>
std::uint32_t Parcel<M>::take(const std::byte* from, int owner, Known<M>& known) const {
  const auto get = [&](auto* values, std::size_t count) {
    std::memcpy(values, from, count * sizeof(*values));
    from += count * sizeof(*values);
  };
  Header h;
  get(&h, 1);
  const auto c = known.add(
      {.begin = 0, .end = 0, .first_child = 0, .children = h.children, .parent = 0, .level = h.level},
      h.bodies, h.first_body, owner, h.id);
  resize_like(model_, known.cells(), known.memory);
  auto& up = known.memory.moments;
  auto& scales = known.memory.scales;
  up.x[c] = h.x, up.y[c] = h.y, up.z[c] = h.z, up.radius[c] = h.radius, up.masses[c] = h.mass;
  up.boxes[c] = {h.low, h.high};
  get(&up.records[c * up.stride], up.stride);
  for (auto& weights : scales.weights) get(&weights[c], 1);
  if (!scales.weights.empty()) get(&scales.least_acceleration[c], 1);
  return c;
}

template void copy_cell(const tree::Memory<float>&, std::size_t, tree::Memory<float>&, std::size_t);
template void copy_cell(const tree::Memory<double>&, std::size_t, tree::Memory<double>&, std::size_t);
template void resize_like(const tree::Memory<float>&, std::size_t, tree::Memory<float>&);
template void resize_like(const tree::Memory<double>&, std::size_t, tree::Memory<double>&);
template struct Known<float>;
template struct Known<double>;
template class Parcel<float>;
template class Parcel<double>;

}  // namespace pleiad::forest
