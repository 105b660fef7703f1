#include "cuda/tree/barnes_hut.hpp"

#include "cuda/tree/count.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <type_traits>

namespace pleiad::cuda::tree {

extern const WalkKernels walk_1, walk_2, walk_3;

std::span<const WalkKernels* const> walk_kernels() {
  static constexpr std::array all{&walk_1, &walk_2, &walk_3};
  return all;
}

const WalkKernels& walk_kernels_for(const TreeSettings& s) {
  need_able(s);
  for (const auto* k : walk_kernels())
    if (k->order == s.order && s.device == Device::cuda && s.solver == Solver::barnes_hut) return *k;
  throw UsageError("'" + text_of(s) + "' is not for the GPU; take cuda/barnes-hut");
}

template <class Real>
void GroupWalks<Real>::find_groups(Octree<Real>& t) {
  // Keys before they were sorted are no longer needed: a number for each group, and a bit for each body.
  groups_ = {.begins = t.scratch(), .firsts = t.scratch() + t.n};
  tree::find_groups(t.keys(), t.n, settings_.group, groups_, t.status(), stream_);
}

template <class Real>
void GroupWalks<Real>::add(Octree<Real>& t) {
  const auto by = settings_.mac;
  const bool sides = by == Mac::sides || by == Mac::classic, by_error = by == Mac::error;
  if (sides)
    for (int level = 0; level <= t.deepest_level; ++level)
      reach_by_sides(t.cells, t.level(level), level, settings_.theta, by == Mac::sides, kernels_.up.record,
                     t.keys(), stream_);
  const WalkBy walk{.per_theta = sides || by_error ? 1.0f : float(1 / settings_.theta),
                    .tolerance = by_error ? float(settings_.tolerance) : 0.0f,
                    .few = by == Mac::classic ? 0 : kernels_.few};
  for (const std::size_t phase : {7, 8, 9}) t.mark(phase);
  const auto queue = [&](auto* kernel) {
    kernel(t.cells, t.images(), groups_, t.seen.groups, t.frame(), t.status(), walk, t.bodies(),
           t.request.sums, t.request.potential, stream_);
  };
  if constexpr (std::is_same_v<Real, float>) queue(kernels_.walk_f32);
  else queue(kernels_.walk_f64);
  t.mark(10);
}

template <class Real>
void GroupWalks<Real>::count(Octree<Real>& t, TreeWork& work) {
  t.read_status();
  work.leaves = count_leaves(t.cells, t.count, stream_);
  work.pairs = double(t.seen.pairs), work.cell_pairs = double(t.seen.cell_pairs);
  work.tests = double(t.seen.tests);
}

template class GroupWalks<float>;
template class GroupWalks<double>;

}  // namespace pleiad::cuda::tree
