#include "cuda/tree/interactions.hpp"

#include "cuda/tree/build.hpp"
#include "cuda/tree/count.hpp"
#include "tree/settings.hpp"
#include "tree/softening.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace pleiad::cuda::tree {

extern const OrderKernels order_4, order_5, order_6;

std::span<const OrderKernels* const> order_kernels() {
  static constexpr std::array all{&order_4, &order_5, &order_6};
  return all;
}

const OrderKernels& fmm_kernels_for(const TreeSettings& s) {
  need_able(s);
  for (const auto* k : order_kernels())
    if (k->order == s.order && s.device == Device::cuda && s.solver == Solver::fmm) return *k;
  throw UsageError("'" + text_of(s) + "' is not for the GPU; take cuda/fmm");
}

Acceptance acceptance_of(const TreeSettings& settings) {
  const bool by_error = settings.mac == Mac::error;
  const double theta = by_error ? 1 : settings.theta, tolerance = by_error ? settings.tolerance : 0;
  return {.theta = theta,
          .tolerance = tolerance,
          .order = settings.order,
          .newtonian_from = pleiad::tree::newtonian_between_cells(theta, settings.order, tolerance)};
}

namespace {

/// The share of all lists that a part has: its own, and those of cells above that are of several parts.
double shares_of_lists(double parts) { return parts == 1 ? 1 : std::min(1.0, 1.25 / parts); }

}  // namespace

template <class P>
Interactions<P>::Interactions(const TreeSettings& settings, const OrderKernels& order, FirstRoom room,
                              void* stream)
    : settings_(settings), order_(order), first_room_(room), stream_(stream) {}

/// Allocates `each` elements for each cell and, unless memory is scarce, for some more, since their number
/// varies between evaluations.
template <class P>
template <class T>
T* Interactions<P>::for_cells(Buffer<T>& buffer, std::size_t cells, int each) const {
  const auto more = scarce_ ? 0 : cells / 16;
  if (buffer.size() < cells * std::size_t(each))
    return with_room(buffer, (cells + more) * std::size_t(each), stream_);
  return buffer.data();
}

template <class P>
void Interactions<P>::begin(Octree<Real>& tree) {
  divided_ = tree.seen;
  const auto& cells = tree.cells;
  all_ =
      cells.divided ? Targets{true, cells.from, cells.to} : Targets{false, tree.front, tree.front + tree.n};
  const auto bodies = all_.to - all_.from;
  const auto slices_of = [&](std::uint32_t slice) {
    return std::max(1u, bodies / slice + (bodies % slice > 0 ? 1 : 0));
  };
  slices_ = slices_of(first_room_.slice), slice_ = 0;
  scarce_ = slices_ > 1 && tree.memory_is_scarce(bodies);
  if (scarce_) tree.forget_keys(), slices_ = slices_of(std::max(1u, first_room_.slice / 2));
  const double lists = double(tree.count) * shares_of_lists(double(tree.request.parts) * double(slices_));
  chunk_room_ = std::max(chunk_room_, rounded_up(first_room_.chunks * (1000 + lists)));
  tree.cells.folded = for_cells(folded_, tree.count, order_.folded);
  tree.cells.locals = for_cells(locals_, tree.count, order_.locals);
  lists_.m2l = for_cells(m2l_, tree.count, 1);
  lists_.softened_m2l = for_cells(softened_m2l_, tree.count, 1);
  lists_.p2p = for_cells(p2p_, tree.count, 1);
  list(tree);
}

template <class P>
void Interactions<P>::take(Octree<Real>& tree, const Targets& targets) const {
  auto& cells = tree.cells;
  cells.divided = targets.divided, cells.from = targets.from, cells.to = targets.to;
}

/// Lists, as far as there is room.
template <class P>
void Interactions<P>::list(Octree<Real>& tree) {
  if (slices_ > 1) {
    const auto begin = [&](std::uint32_t slice) {
      return all_.from + std::uint32_t(std::uint64_t{all_.to - all_.from} * slice / slices_);
    };
    take(tree, {true, begin(slice_), begin(slice_ + 1)});
  }
  auto* const tiles = with_room(tiles_, tree.count + tree.n / Tile::least + 1, stream_);
  // One more takes entries that do not fit.
  lists_.entries = with_room(entries_, (std::size_t{chunk_room_} + 1) * Lists::chunk, stream_);
  lists_.next = with_room(next_, std::size_t{chunk_room_} + 1, stream_);
  lists_.room = chunk_room_;
  const Acceptance by = acceptance_of(settings_);
  for (int level = 0; level <= tree.deepest_level; ++level)
    make_lists(tree.cells, lists_, tree.images(), tree.frame(), tree.status(), tree.level(level), by,
               stream_);
  make_tiles(tree.cells, lists_, tree.count, tiles, tree.status(), stream_);
}

template <class P>
bool Interactions<P>::know_lists(Octree<Real>& tree) {
  tree.read_status();
  if (tree.seen.overflowed != 0) {
    chunk_room_ = rounded_up(1.5 * double(std::max(tree.seen.chunks, chunk_room_)));
    copy_to_device(tree.status(), &divided_, sizeof divided_, stream_);
    wait(stream_);
    list(tree);
    return false;
  }
  return true;
}

template <class P>
bool Interactions<P>::list_next(Octree<Real>& tree) {
  if (++slice_ >= slices_) {
    take(tree, all_);
    if (scarce_) entries_ = {}, next_ = {}, tiles_ = {}, folded_ = {}, softened_ = {}, locals_ = {};
    return false;
  }
  copy_to_device(tree.status(), &divided_, sizeof divided_, stream_);
  list(tree);
  return true;
}

template <class P>
bool Interactions<P>::add(Octree<Real>& tree) {
  tree.mark(7);
  const bool softened_m2l = tree.seen.softened_cells > 0;
  order_.m2l(tree.cells, lists_, tree.images(), tree.frame(), tree.count, stream_);
  if (softened_m2l) {
    tree.cells.softened = for_cells(softened_, tree.count, order_.locals);
    order_.softened_m2l(tree.cells, lists_, tree.images(), tree.frame(), tree.count, stream_);
  }
  tree.mark(8);
  for (int level = 0; level <= tree.deepest_level; ++level)
    order_.l2l(tree.cells, lists_, tree.level(level), level > 1, softened_m2l, stream_);
  tree.mark(9);
  const auto add_bodies = [&](auto* kernel) {
    kernel(tree.cells, lists_, tree.images(), tiles_.data(), tree.seen.tiles, tree.frame(), tree.bodies(),
           tree.request.sums, tree.request.potential, stream_);
  };
  if constexpr (std::is_same_v<Real, float>) add_bodies(order_.bodies_f32);
  else add_bodies(order_.bodies_f64);
  tree.mark(10);
  return list_next(tree);
}

template <class P>
void Interactions<P>::count(Octree<Real>& tree, TreeWork& work) {
  const auto count_slice = [&] {
    const Counts counts = count_work(tree.cells, lists_, tree.images(), tree.count, stream_);
    work.leaves += counts.leaves;
    work.pairs += double(counts.pairs);
    work.cell_pairs += double(counts.m2l + counts.softened_m2l);
    work.softened_cell_pairs += double(counts.softened_m2l);
  };
  if (slices_ == 1) return count_slice();
  for (slice_ = ~0u; list_next(tree);) {
    while (!know_lists(tree)) {
    }
    count_slice();
  }
}

template <class P>
std::size_t Interactions<P>::bytes() const {
  const auto all = [](const auto&... buffers) {
    return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
  };
  return all(folded_, softened_, locals_, m2l_, softened_m2l_, p2p_, tiles_, entries_, next_);
}

template class Interactions<F32>;
template class Interactions<Mixed>;

}  // namespace pleiad::cuda::tree
