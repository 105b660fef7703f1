#include "cuda/tree/fmm.hpp"

#include "cuda/tree/build.hpp"
#include "cuda/tree/count.hpp"
#include "cuda/tree/octree.hpp"
#include "tree/softening.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <type_traits>

namespace pleiad::cuda::tree {

extern const OrderKernels order_4, order_5, order_6;

std::span<const OrderKernels* const> order_kernels() {
  static constexpr std::array all{&order_4, &order_5, &order_6};
  return all;
}

namespace {

/// What is known to the host, and waited for: the cells are queued, or the lists, or all.
enum class Stage { cells, lists, done };

const OrderKernels& kernels_for(const TreeSettings& s) {
  need_able(s);
  for (const auto* k : order_kernels())
    if (k->order == s.order && s.device == Device::cuda && s.solver == Solver::fmm) return *k;
  throw UsageError("'" + text_of(s) + "' is not for the GPU; take cuda/fmm");
}

/// The share of all lists that a part has: its own, and those of cells above that are of several parts.
double shares_of_lists(int parts) { return parts == 1 ? 1 : std::min(1.0, 1.25 / double(parts)); }

}  // namespace

template <class P>
struct Fmm<P>::Memory {
  Memory(const TreeSettings& settings, const MomentKernels& up, double room, void* stream)
      : tree(settings, up, room, stream) {}

  Octree<Real> tree;
  Stage stage = Stage::done;
  Status divided{};              ///< before lists were made
  std::uint32_t chunk_room = 0;  ///< that was enough so far
  Lists lists{};
  Buffer<float> folded, softened, locals;
  Buffer<List> m2l, softened_m2l, p2p;
  Buffer<Tile> tiles;
  Buffer<std::uint32_t> entries, next;

  std::size_t bytes() const {
    const auto all = [](const auto&... buffers) {
      return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
    };
    return tree.bytes() + all(folded, softened, locals, m2l, softened_m2l, p2p, tiles, entries, next);
  }
  float* fields(Buffer<float>& buffer, int each, void* stream) {
    return with_room(buffer, std::size_t{tree.cells.room} * std::size_t(each), stream);
  }
  void make_room_for_cells(const OrderKernels& k, void* stream) {
    tree.cells.folded = fields(folded, k.folded, stream);
    tree.cells.locals = fields(locals, k.locals, stream);
    const std::size_t room = tree.cells.room;
    lists.m2l = with_room(m2l, room, stream), lists.softened_m2l = with_room(softened_m2l, room, stream);
    lists.p2p = with_room(p2p, room, stream);
  }
  void make_room_for_lists(void* stream) {
    // One more takes what does not fit.
    lists.entries = with_room(entries, (std::size_t{chunk_room} + 1) * Lists::chunk, stream);
    lists.next = with_room(next, std::size_t{chunk_room} + 1, stream);
    lists.room = chunk_room;
  }
};

template <class P>
Fmm<P>::Fmm(const TreeSettings& settings, void* stream, FirstRoom room)
    : settings_(settings),
      order_(kernels_for(settings)),
      stream_(stream),
      room_(room),
      memory_(std::make_unique<Memory>(settings_, order_.up, room.cells, stream)) {}
template <class P>
Fmm<P>::~Fmm() = default;

template <class P>
void Fmm<P>::begin(const Request<Real>& request) {
  auto& m = *memory_;
  m.stage = Stage::done;
  if (m.tree.begin(request)) m.stage = Stage::cells;
}

template <class P>
bool Fmm<P>::go_on() {
  auto& m = *memory_;
  switch (m.stage) {
    case Stage::cells:
      if (!m.tree.know_cells()) return true;
      if (!m.tree.finite()) {
        m.stage = Stage::done;
        m.tree.set_nothing();
        return false;
      }
      m.divided = m.tree.seen;
      m.chunk_room = std::max(
          m.chunk_room,
          rounded_up(room_.chunks * (1000 + double(m.tree.count) * shares_of_lists(m.tree.request.parts))));
      m.make_room_for_cells(order_, stream_);
      m.tree.find_moments();
      list();
      m.stage = Stage::lists;
      return true;
    case Stage::lists:
      if (!know_lists()) return true;
      add_far();
      add_bodies();
      break;
    case Stage::done:
      break;
  }
  m.stage = Stage::done;
  return false;
}

/// Lists, as far as there is room.
template <class P>
void Fmm<P>::list() {
  auto& m = *memory_;
  auto& t = m.tree;
  auto* const tiles = with_room(m.tiles, t.count + t.n / Tile::least + 1, stream_);
  const bool by_error = settings_.mac == Mac::error;
  const double theta = by_error ? 1 : settings_.theta, tolerance = by_error ? settings_.tolerance : 0;
  const Acceptance by{
      .theta = theta,
      .tolerance = tolerance,
      .order = settings_.order,
      .newtonian_from = pleiad::tree::newtonian_between_cells(theta, settings_.order, tolerance)};
  m.make_room_for_lists(stream_);
  for (int level = 0; level <= t.deepest_level; ++level)
    make_lists(t.cells, m.lists, t.frame(), t.status(), t.level(level), by, stream_);
  make_tiles(t.cells, m.lists, t.count, tiles, t.status(), stream_);
}

/// What the host has to know of the lists. False: they are made again with more room, there was too little.
template <class P>
bool Fmm<P>::know_lists() {
  auto& m = *memory_;
  auto& t = m.tree;
  t.read_status();
  if (t.seen.crowded != 0) {
    m.chunk_room = rounded_up(1.5 * double(std::max(t.seen.chunks, m.chunk_room)));
    copy_to_device(t.status(), &m.divided, sizeof m.divided, stream_);
    wait(stream_);
    list();
    return false;
  }
  t.mark(7);
  return true;
}

template <class P>
void Fmm<P>::add_far() {
  auto& m = *memory_;
  auto& t = m.tree;
  const bool softened_m2l = t.seen.softened_cells > 0;
  order_.m2l(t.cells, m.lists, t.frame(), t.count, stream_);
  if (softened_m2l) {
    t.cells.softened = m.fields(m.softened, order_.locals, stream_);
    order_.softened_m2l(t.cells, m.lists, t.frame(), t.count, stream_);
  }
  t.mark(8);
  for (int level = 0; level <= t.deepest_level; ++level)
    order_.l2l(t.cells, m.lists, t.level(level), level > 1, softened_m2l, stream_);
  t.mark(9);
}

template <class P>
void Fmm<P>::add_bodies() {
  auto& m = *memory_;
  auto& t = m.tree;
  const auto add = [&](auto* kernel) {
    kernel(t.cells, m.lists, m.tiles.data(), t.seen.tiles, t.frame(), t.bodies(), t.request.sums,
           t.request.potential, stream_);
  };
  if constexpr (std::is_same_v<Real, float>) add(order_.bodies_f32);
  else add(order_.bodies_f64);
  t.mark(10);
}

template <class P>
void Fmm<P>::measure_phases() {
  memory_->tree.measure_phases();
}
template <class P>
PhaseSeconds Fmm<P>::phases() {
  return memory_->tree.phases();
}

template <class P>
TreeWork Fmm<P>::work() {
  auto& m = *memory_;
  auto& t = m.tree;
  TreeWork work{.bodies = t.n, .cells = t.count, .depth = std::size_t(t.deepest_level), .bytes = m.bytes()};
  if (t.count == 0 || !t.finite()) return work;
  const Counts counts = count_work(t.cells, m.lists, t.count, stream_);
  work.leaves = counts.leaves;
  work.pairs = double(counts.pairs);
  work.cell_pairs = double(counts.m2l + counts.softened_m2l),
  work.softened_cell_pairs = double(counts.softened_m2l);
  if (t.timed) {
    const auto s = phases();
    work.build = s[0] + s[1] + s[2] + s[3], work.moments = s[4] + s[5],
    work.forces = s[6] + s[7] + s[8] + s[9];
  }
  return work;
}

template <class P>
std::size_t Fmm<P>::bytes() const {
  return memory_->bytes();
}

template class Fmm<F32>;
template class Fmm<Mixed>;

}  // namespace pleiad::cuda::tree
