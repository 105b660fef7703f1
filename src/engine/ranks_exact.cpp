/// Direct sums for a sample: each rank sums groups of the chosen bodies over the sources of all ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cpu/direct/ewald.hpp"
#include "engine/places.hpp"
#include "engine/ranks_ewald.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/softenings.hpp"
#include "engine/source_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace pleiad {
namespace {

/// Groups of targets as cpu/threads sums them.
void sum_rows(ranks::Communicator& comm, SourceBlocks<Mass<double>>& blocks, PairProblem<F64> p,
              std::span<const Mass<double>> sources, std::span<const std::size_t> begins,
              const std::function<std::size_t(std::size_t)>& count) {
  const auto scale = collective_scale<F64>(collective_bounds<double>(comm, sources), p.softening, p.boundary);
  std::vector<cpu::RowTotals> totals(begins.size());
  blocks.each(sources, [&](std::size_t, std::span<const Mass<double>> block) {
    p.sources = block;
    parallel_for(begins.size(), [&](std::size_t g) {
      cpu::add_to_rows(p, scale, begins[g], count(begins[g]), not_a_source, totals[g]);
    });
  });
  std::vector<std::size_t> close;
  for (std::size_t g = 0; g < begins.size(); ++g)
    cpu::finish_rows(p, scale, begins[g], count(begins[g]), totals[g], close);
}

}  // namespace

template <class T>
std::vector<Vec3<double>> collective_exact(const ranks::Collective& all, std::span<const Mass<T>> own,
                                           const Gravity& gravity, std::span<const std::size_t> chosen) {
  auto& comm = all.comm();
  // Masses of targets are never read.
  std::vector<Mass<double>> targets;
  for (const auto& x : of_chosen(all, own.size(), chosen, [&](std::size_t i) {
         return Vec3<double>{double(own[i].x), double(own[i].y), double(own[i].z)};
       }))
    targets.push_back({x.x, x.y, x.z, 0});
  std::vector<Mass<double>> wide;
  std::span<const Mass<double>> sources;
  if constexpr (std::is_same_v<T, double>) {
    sources = own;
  } else {
    wide.resize(own.size());
    for_each_index(own.size(), [&](std::size_t i) {
      wide[i] = {double(own[i].x), double(own[i].y), double(own[i].z), double(own[i].m)};
    });
    sources = wide;
  }
  std::vector<Vec4<double>> sums(chosen.size());
  PairProblem<F64> p{.targets = targets,
                     .sources = {},
                     .sums = sums,
                     .softening = gravity.softening,
                     .boundary = gravity.boundary,
                     .self = PairProblem<F64>::none};
  // A target meets itself among the sources, without a pull: pairs at one place have none. The groups are
  // those of cpu/threads or cpu/ewald, one rank after the other.
  const bool images = gravity.boundary.all_images();
  const std::size_t together = images ? cpu::ewald_rows : cpu::rows_at_once(targets.size()),
                    ranks = std::size_t(comm.ranks());
  std::vector<std::size_t> begins;
  for (auto begin = together * std::size_t(comm.rank()); begin < targets.size(); begin += together * ranks)
    begins.push_back(begin);
  const auto count = [&](std::size_t begin) { return std::min(together, targets.size() - begin); };
  SourceBlocks<Mass<double>> blocks(all);
  if (images) collective_ewald<F64>(all, blocks, p, sources, begins);
  else sum_rows(comm, blocks, p, sources, begins, count);
  std::vector<Vec4<double>> mine;
  for (const auto begin : begins) {
    const auto here = std::span(sums).subspan(begin, count(begin));
    mine.insert(mine.end(), here.begin(), here.end());
  }
  const auto all_sums = ranks::all_gather<Vec4<double>>(comm, mine);
  std::vector<Vec3<double>> accelerations(chosen.size());
  for (std::size_t r = 0; r < ranks; ++r) {
    auto from = all_sums.of(int(r)).begin();
    for (auto begin = together * r; begin < targets.size(); begin += together * ranks)
      for (std::size_t k = begin; k < begin + count(begin); ++k, ++from)
        accelerations[k] = {gravity.G * from->x, gravity.G * from->y, gravity.G * from->z};
  }
  return accelerations;
}
template std::vector<Vec3<double>> collective_exact(const ranks::Collective&, std::span<const Mass<float>>,
                                                    const Gravity&, std::span<const std::size_t>);
template std::vector<Vec3<double>> collective_exact(const ranks::Collective&, std::span<const Mass<double>>,
                                                    const Gravity&, std::span<const std::size_t>);

std::vector<Vec3<double>> semi_active_exact(const ranks::Collective& all, std::span<const Mass<double>> own,
                                            std::span<const std::uint8_t> marks, const Gravity& gravity,
                                            std::span<const std::size_t> chosen) {
  const auto marked = [&](std::size_t i) { return !marks.empty() && marks[i] != 0; };
  // Sources without mass pull nothing: once those that pull all bodies are left, once the others.
  std::vector<Mass<double>> sources(own.begin(), own.end());
  for (std::size_t i = 0; i < own.size(); ++i)
    if (marked(i)) sources[i].m = 0;
  auto accelerations = collective_exact<double>(all, sources, gravity, chosen);
  const auto pulled = of_chosen(all, own.size(), chosen, [&](std::size_t i) {
    return Vec3<double>{own[i].m > 0 && !marked(i) ? 1.0 : 0.0, 0, 0};
  });
  std::vector<std::size_t> places, massive;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (pulled[k].x > 0) places.push_back(k), massive.push_back(chosen[k]);
  if (massive.empty()) return accelerations;
  for (std::size_t i = 0; i < own.size(); ++i) sources[i].m = marked(i) ? own[i].m : 0;
  const auto added = collective_exact<double>(all, sources, gravity, massive);
  for (std::size_t k = 0; k < places.size(); ++k) accelerations[places[k]] += added[k];
  return accelerations;
}

std::vector<Vec3<double>> collective_exact_of(const ranks::Collective& all, const Bodies& own,
                                              const Gravity& gravity, std::span<const std::size_t> chosen) {
  const auto x = places_of<double>(own);
  Gravity law = gravity;
  law.softening = softening_of(own, gravity.softening, all.comm());
  if (law.semi_active.any()) {
    std::vector<std::uint8_t> marks(own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
      marks[i] = law.semi_active.has(own.mass[i], static_cast<unsigned>(own.type[i])) ? 1 : 0;
    return semi_active_exact(all, x, marks, law, chosen);
  }
  if (law.softening.plain()) return collective_exact<double>(all, x, law, chosen);
  const auto eps = softenings_of(own, law.softening);
  return softened_exact(all, softened_bodies<double>(all, x, eps), law, chosen);
}

std::vector<Vec3<double>> exact_accelerations(const Bodies& b, const Gravity& gravity,
                                              std::span<const std::size_t> chosen) {
  return collective_exact_of({}, b, gravity, chosen);
}

}  // namespace pleiad
