#include "cuda/tree/fmm.hpp"

#include "cuda/device/sort.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/count.hpp"
#include "tree/softening.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace pleiad::cuda::tree {

extern const OrderKernels order_4, order_5, order_6;

std::span<const OrderKernels* const> order_kernels() {
  static constexpr std::array all{&order_4, &order_5, &order_6};
  return all;
}

namespace {

const OrderKernels& kernels_for(const TreeSettings& s) {
  need_able(s);
  for (const auto* k : order_kernels())
    if (k->order == s.order && s.device == Device::cuda) return *k;
  throw UsageError("'" + text_of(s) + "' is not for the GPU; take " + std::string(tree_names.back()));
}

std::uint32_t rounded_up(double room) { return std::uint32_t(std::min(room + 1, double(0xFFFFFF00u))); }

/// Memory that grows and never shrinks.
template <class T>
T* with_room(Buffer<T>& buffer, std::size_t size, void* stream) {
  if (buffer.size() < size) {
    buffer = Buffer<T>();
    buffer = Buffer<T>(size, stream);
  }
  return buffer.data();
}

}  // namespace

template <class P>
struct Fmm<P>::Memory {
  Buffer<Frame> frame;
  Buffer<Status> status;
  Buffer<Extent> extents;
  // Of bodies.
  Buffer<std::uint64_t> keys, weights, scan;
  Buffer<std::uint32_t> numbers, order;
  Buffer<std::byte> sort;
  Buffer<Mass<Real>> sorted;
  // Of cells.
  Buffer<Cell> cell;
  Buffer<std::uint32_t> parents;
  Buffer<float> pulls, records, moments, folded, softened, locals;
  Buffer<Place> places;
  Buffer<Strength> strengths;
  Buffer<Box> boxes;
  Buffer<List> hard, soft, near;
  Buffer<Tile> tiles;
  // Of lists.
  Buffer<std::uint32_t> entries, next;

  Cells cells{};
  Lists lists{};
  Status seen{};
  std::uint32_t n = 0, count = 0;
  int deepest_level = 0;
  std::uint32_t cell_room = 0, chunk_room = 0;  ///< that were enough so far

  bool timed = false;
  std::vector<void*> events;

  std::size_t bytes() const {
    const auto all = [](const auto&... buffers) {
      return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
    };
    return all(frame, status, extents, keys, weights, scan, numbers, order, sort, sorted, cell, parents,
               pulls, records, moments, folded, softened, locals, places, strengths, boxes, hard, soft, near, tiles,
               entries, next);
  }
  Range level(int k) const { return {seen.first[k], seen.count[k]}; }
  void mark(std::size_t phase, void* stream) {
    if (timed) record_event(events[phase], stream);
  }
  void read_status(void* stream) { copy_to_host(&seen, status.data(), sizeof seen, stream); }
  void make_cells(std::uint32_t room, const OrderKernels& k, void* stream);
  void make_room_for_lists(std::uint32_t chunks, void* stream);
};

template <class P>
void Fmm<P>::Memory::make_cells(std::uint32_t room, const OrderKernels& k, void* stream) {
  const auto floats = [&](Buffer<float>& b, int each) {
    return with_room(b, std::size_t{room} * std::size_t(each), stream);
  };
  cells = {.cells = with_room(cell, room, stream),
           .parents = with_room(parents, room, stream),
           .pulls = with_room(pulls, room, stream),
           .places = with_room(places, room, stream),
           .strengths = with_room(strengths, room, stream),
           .boxes = with_room(boxes, room, stream),
           .records = floats(records, k.record),
           .moments = floats(moments, k.moments),
           .folded = floats(folded, k.folded),
           .softened = softened.data(),
           .locals = floats(locals, k.locals),
           .room = room};
  lists.hard = with_room(hard, room, stream), lists.soft = with_room(soft, room, stream);
  lists.near = with_room(near, room, stream);
}

template <class P>
void Fmm<P>::Memory::make_room_for_lists(std::uint32_t chunks, void* stream) {
  // One more takes what does not fit.
  lists.entries = with_room(entries, (std::size_t{chunks} + 1) * Lists::chunk, stream);
  lists.next = with_room(next, std::size_t{chunks} + 1, stream);
  lists.room = chunks;
}

template <class P>
Fmm<P>::Fmm(const TreeSettings& settings, void* stream, FirstRoom room)
    : settings_(settings),
      order_(kernels_for(settings)),
      stream_(stream),
      room_(room),
      memory_(std::make_unique<Memory>()) {}
template <class P>
Fmm<P>::~Fmm() {
  for (auto* event : memory_->events) destroy_event(event);
}

template <class P>
void Fmm<P>::evaluate(std::span<const Mass<Real>> bodies, std::span<Vec4<Real>> sums,
                      const Softening& softening, bool potential) {
  auto& m = *memory_;
  m.n = std::uint32_t(bodies.size()), m.count = 0, m.seen = {};
  if (bodies.empty()) return;
  if (bodies.size() >= 0xFFFFFFFFu)
    throw UsageError("fmm on a GPU has room for 2^32 - 2 bodies, not " + std::to_string(bodies.size()));
  build(bodies, softening.eps);
  if (m.seen.finite == 0) {
    fill(sums.data(), 0xFF, sums.size_bytes(), stream_);  // not a number in every precision
    return;
  }
  const Frame* const frame = m.frame.data();
  if constexpr (std::is_same_v<Real, float>)
    order_.leaves_f32(m.cells, m.count, frame, m.sorted.data(), stream_);
  else order_.leaves_f64(m.cells, m.count, frame, m.sorted.data(), stream_);
  for (int level = m.deepest_level - 1; level >= 0; --level) order_.parents(m.cells, m.level(level), stream_);
  m.mark(5, stream_);
  if (settings_.criterion == Criterion::error) measure_pulls(m.cells, m.count, frame, stream_);
  m.mark(6, stream_);
  list();
  add_far();
  const auto add = [&](auto* kernel) {
    kernel(m.cells, m.lists, m.tiles.data(), m.seen.tiles, frame,
           Sorted<Real>{m.sorted.data(), m.order.data(), m.n}, sums.data(), potential, stream_);
  };
  if constexpr (std::is_same_v<Real, float>) add(order_.bodies_f32);
  else add(order_.bodies_f64);
  m.mark(10, stream_);
}

/// Cells, and what the host knows of them. Divided again with more room where there was too little.
template <class P>
void Fmm<P>::build(std::span<const Mass<Real>> bodies, double eps) {
  auto& m = *memory_;
  const std::size_t n = bodies.size();
  auto* const frame = with_room(m.frame, 1, stream_);
  auto* const status = with_room(m.status, 1, stream_);
  auto* const keys = with_room(m.keys, n, stream_);
  // Weights take the place of the keys before they were sorted.
  auto* const other = with_room(m.weights, n, stream_);
  auto* const numbers = with_room(m.numbers, n, stream_);
  auto* const order = with_room(m.order, n, stream_);
  auto* const sorted = with_room(m.sorted, n, stream_);
  m.mark(0, stream_);
  measure(bodies, eps, with_room(m.extents, most_extents, stream_), frame, status, stream_);
  make_keys(bodies, frame, other, numbers, stream_);
  m.mark(1, stream_);
  const std::size_t room = sort_room(n);
  sort_by_key({.keys = other, .sorted_keys = keys, .values = numbers, .sorted_values = order, .n = n},
              3 * deepest, with_room(m.sort, room, stream_), room, stream_);
  m.mark(2, stream_);
  gather(bodies, frame, order, sorted, other, stream_);
  scan(other, n, with_room(m.scan, scan_room(n), stream_), stream_);
  m.mark(3, stream_);
  const Division division{.keys = keys, .upto = other, .n = m.n, .leaf = std::uint32_t(settings_.leaf)};
  m.cell_room = std::max(m.cell_room, rounded_up(room_.cells * (200 + double(n) / double(settings_.leaf))));
  for (;;) {
    m.make_cells(m.cell_room, order_, stream_);
    divide(division, m.cells, status, stream_);
    m.read_status(stream_);
    if (m.seen.crowded == 0) break;
    // What found room was counted, and what did not: at least so many are needed.
    std::size_t wanted = 0;
    for (const auto c : m.seen.count) wanted += c;
    m.cell_room = rounded_up(1.5 * double(std::max<std::size_t>(wanted, m.cell_room)));
    Status empty{};
    empty.finite = m.seen.finite;
    copy_to_device(status, &empty, sizeof empty, stream_);
    wait(stream_);
  }
  m.count = 0;
  for (int level = 0; level <= deepest && m.seen.count[level] > 0; ++level)
    m.count += m.seen.count[level], m.deepest_level = level;
  m.mark(4, stream_);
}

/// Lists, again with more room where there was too little.
template <class P>
void Fmm<P>::list() {
  auto& m = *memory_;
  auto* const status = m.status.data();
  auto* const tiles = with_room(m.tiles, m.count + m.n / Tile::least + 1, stream_);
  m.chunk_room = std::max(m.chunk_room, rounded_up(room_.chunks * (1000 + double(m.count))));
  const bool by_error = settings_.criterion == Criterion::error;
  // As on the CPU: see src/tree/cpu/fmm-inl.h.
  const double promised =
      0.005 * (by_error ? settings_.tolerance : std::pow(settings_.theta, settings_.order));
  const Acceptance by{.theta = by_error ? 1 : settings_.theta,
                      .tolerance = by_error ? settings_.tolerance : 0,
                      .order = settings_.order,
                      .hard_from = pleiad::tree::hard_from(pleiad::tree::lost_between_cells, promised)};
  const Status before = m.seen;
  for (;;) {
    m.make_room_for_lists(m.chunk_room, stream_);
    for (int level = 0; level <= m.deepest_level; ++level)
      make_lists(m.cells, m.lists, m.frame.data(), status, m.level(level), by, stream_);
    make_tiles(m.cells, m.lists, m.count, tiles, status, stream_);
    m.read_status(stream_);
    if (m.seen.crowded == 0) break;
    m.chunk_room = rounded_up(1.5 * double(std::max(m.seen.chunks, m.chunk_room)));
    copy_to_device(status, &before, sizeof before, stream_);
    wait(stream_);
  }
  m.mark(7, stream_);
}

template <class P>
void Fmm<P>::add_far() {
  auto& m = *memory_;
  const bool soft = m.seen.soft_cells > 0;
  order_.hard(m.cells, m.lists, m.frame.data(), m.count, stream_);
  if (soft) {
    m.cells.softened = with_room(m.softened, std::size_t{m.cells.room} * std::size_t(order_.locals), stream_);
    order_.soft(m.cells, m.lists, m.frame.data(), m.count, stream_);
  }
  m.mark(8, stream_);
  for (int level = 0; level <= m.deepest_level; ++level)
    order_.inherit(m.cells, m.lists, m.level(level), level > 1, soft, stream_);
  m.mark(9, stream_);
}

template <class P>
void Fmm<P>::measure_phases() {
  auto& m = *memory_;
  m.timed = true;
  while (m.events.size() <= phase_names.size()) m.events.push_back(create_event());
}
template <class P>
PhaseSeconds Fmm<P>::phases() {
  PhaseSeconds seconds{};
  const auto& e = memory_->events;
  if (memory_->count > 0 && memory_->timed)
    for (std::size_t k = 0; k < seconds.size(); ++k) seconds[k] = seconds_between(e[k], e[k + 1]);
  return seconds;
}

template <class P>
TreeWork Fmm<P>::work() {
  auto& m = *memory_;
  TreeWork work{.bodies = m.n, .cells = m.count, .depth = std::size_t(m.deepest_level), .bytes = m.bytes()};
  if (m.count == 0 || m.seen.finite == 0) return work;
  const Counts counts = count_work(m.cells, m.lists, m.count, stream_);
  work.leaves = counts.leaves;
  work.pairs = double(counts.pairs);
  work.cell_pairs = double(counts.hard + counts.soft), work.soft_cell_pairs = double(counts.soft);
  if (m.timed) {
    const auto s = phases();
    work.build = s[0] + s[1] + s[2] + s[3], work.moments = s[4] + s[5], work.forces = s[6] + s[7] + s[8] + s[9];
  }
  return work;
}

template <class P>
std::size_t Fmm<P>::bytes() const {
  return memory_->bytes();
}

template <class P>
std::unique_ptr<Forces<typename P::Position>> make_forces(const TreeSettings& settings, void* stream) {
  if constexpr (std::is_same_v<P, F64>)
    throw UsageError("'" + text_of(settings) + "' has no f64 form; choose another kernel or precision");
  else return std::make_unique<Fmm<P>>(settings, stream);
}
template std::unique_ptr<Forces<float>> make_forces<F32>(const TreeSettings&, void*);
template std::unique_ptr<Forces<double>> make_forces<F64>(const TreeSettings&, void*);
template std::unique_ptr<Forces<double>> make_forces<Mixed>(const TreeSettings&, void*);

template class Fmm<F32>;
template class Fmm<Mixed>;

}  // namespace pleiad::cuda::tree
