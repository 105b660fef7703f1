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

namespace {

const WalkKernels& kernels_for(const TreeSettings& s) {
  need_able(s);
  for (const auto* k : walk_kernels())
    if (k->order == s.order && s.device == Device::cuda && s.solver == Solver::barnes_hut) return *k;
  throw UsageError("'" + text_of(s) + "' is not for the GPU; take cuda/barnes-hut");
}

}  // namespace

template <class P>
BarnesHut<P>::BarnesHut(const TreeSettings& settings, void* stream, FirstRoom room)
    : settings_(settings),
      kernels_(kernels_for(settings)),
      stream_(stream),
      tree_(settings_, kernels_.up, room, stream) {}

template <class P>
void BarnesHut<P>::begin(const Request<Real>& request) {
  stage_ = Stage::done;
  if (!tree_.begin(request)) return;
  stage_ = Stage::cells;
  // Keys before they were sorted are no longer needed: a number for each group, and a bit for each body.
  groups_ = {.begins = tree_.scratch(), .firsts = tree_.scratch() + tree_.n};
  find_groups(tree_.keys(), tree_.n, settings_.group, groups_, tree_.status(), stream_);
}

template <class P>
bool BarnesHut<P>::go_on() {
  switch (stage_) {
    case Stage::cells:
      if (!tree_.know_cells()) return true;
      if (tree_.finite()) tree_.find_moments();
      stage_ = Stage::moments;
      return true;
    case Stage::moments:
      if (tree_.finite()) walk();
      else tree_.set_nothing();
      break;
    case Stage::done:
      break;
  }
  stage_ = Stage::done;
  return false;
}

template <class P>
void BarnesHut<P>::walk() {
  auto& t = tree_;
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
  const auto add = [&](auto* kernel) {
    kernel(t.cells, groups_, t.seen.groups, t.frame(), t.status(), walk, t.bodies(), t.request.sums,
           t.request.potential, stream_);
  };
  if constexpr (std::is_same_v<Real, float>) add(kernels_.walk_f32);
  else add(kernels_.walk_f64);
  t.mark(10);
}

template <class P>
TreeWork BarnesHut<P>::work() {
  auto& t = tree_;
  TreeWork work{.bodies = t.n, .cells = t.count, .depth = std::size_t(t.deepest_level), .bytes = t.bytes()};
  if (t.count == 0 || !t.finite()) return work;
  t.read_status();
  work.leaves = count_leaves(t.cells, t.count, stream_);
  work.pairs = double(t.seen.pairs), work.cell_pairs = double(t.seen.cell_pairs);
  work.tests = double(t.seen.tests);
  if (t.timed) {
    const auto s = phases();
    work.build = s[0] + s[1] + s[2] + s[3], work.moments = s[4] + s[5],
    work.forces = s[6] + s[7] + s[8] + s[9];
  }
  return work;
}

template class BarnesHut<F32>;
template class BarnesHut<Mixed>;

}  // namespace pleiad::cuda::tree
