#include "cuda/tree/fmm.hpp"

#include "cuda/device/sort.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/count.hpp"
#include "cuda/tree/fmm_memory.hpp"
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

/// The share of all lists that a part has: its own, and those of cells above that are of several parts.
double shares_of_lists(int parts) { return parts == 1 ? 1 : std::min(1.0, 1.25 / double(parts)); }

std::uint32_t rounded_up(double room) { return std::uint32_t(std::min(room + 1, double(0xFFFFFF00u))); }

}  // namespace

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
void Fmm<P>::begin(const Request<Real>& request) {
  auto& m = *memory_;
  const std::size_t n = request.bodies.size();
  m.request = request, m.stage = Stage::done;
  m.n = std::uint32_t(n), m.count = 0, m.seen = {};
  if (n == 0) return;
  if (n >= Outputs<Real>::none)
    throw UsageError("fmm on a GPU has room for 2^32 - 2 bodies, not " + std::to_string(n));
  build();
  m.stage = Stage::cells;
}

template <class P>
bool Fmm<P>::go_on() {
  auto& m = *memory_;
  switch (m.stage) {
    case Stage::cells:
      if (!know_cells()) return true;
      if (m.seen.finite == 0) {
        m.stage = Stage::done;
        set_nothing(m.request.sums, m.share(m.request.part), m.share(m.request.part + 1), stream_);
        return false;
      }
      find_moments();
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

/// Sorted bodies, and cells as far as there is room.
template <class P>
void Fmm<P>::build() {
  auto& m = *memory_;
  const auto& bodies = m.request.bodies;
  const std::size_t n = bodies.size();
  auto* const frame = with_room(m.frame, 1, stream_);
  auto* const status = with_room(m.status, 1, stream_);
  auto* const keys = with_room(m.keys, n, stream_);
  auto* const unsorted = with_room(m.unsorted, n, stream_);
  auto* const numbers = with_room(m.numbers, n, stream_);
  auto* const order = with_room(m.order, n, stream_);
  auto* const sorted = with_room(m.sorted, n, stream_);
  m.mark(0, stream_);
  measure(bodies, m.request.softening.eps, with_room(m.extents, most_extents, stream_), frame, status,
          stream_);
  make_keys(bodies, frame, unsorted, numbers, stream_);
  m.mark(1, stream_);
  const std::size_t room = sort_room(n);
  sort_by_key({.keys = unsorted, .sorted_keys = keys, .values = numbers, .sorted_values = order, .n = n},
              3 * deepest, with_room(m.sort, room, stream_), room, stream_);
  m.mark(2, stream_);
  // Levels take the place of the numbers before they were sorted.
  gather(bodies, frame, order, sorted, numbers, stream_);
  mark_beside_crowds(keys, m.n, std::uint32_t(settings_.leaf), numbers, stream_);
  m.mark(3, stream_);
  m.cell_room = std::max(m.cell_room, rounded_up(room_.cells * (200 + double(n) / double(settings_.leaf))));
  make_cells();
}

template <class P>
void Fmm<P>::make_cells() {
  auto& m = *memory_;
  m.make_cells(m.cell_room, order_, stream_);
  const auto& r = m.request;
  m.cells.divided = r.parts > 1, m.cells.from = m.share(r.part), m.cells.to = m.share(r.part + 1);
  divide({.keys = m.keys.data(), .levels = m.numbers.data(), .n = m.n, .leaf = std::uint32_t(settings_.leaf)},
         m.cells, m.status.data(), stream_);
}

/// What the host has to know of the cells. False: they are divided again with more room, there was too
/// little.
template <class P>
bool Fmm<P>::know_cells() {
  auto& m = *memory_;
  m.read_status(stream_);
  if (m.seen.crowded != 0) {
    // What found room was counted, and what did not: at least so many are needed.
    std::size_t wanted = 0;
    for (const auto c : m.seen.count) wanted += c;
    m.cell_room = rounded_up(1.5 * double(std::max<std::size_t>(wanted, m.cell_room)));
    Status empty{};
    empty.finite = m.seen.finite;
    copy_to_device(m.status.data(), &empty, sizeof empty, stream_);
    wait(stream_);
    make_cells();
    return false;
  }
  m.count = 0;
  for (int level = 0; level <= deepest && m.seen.count[level] > 0; ++level)
    m.count += m.seen.count[level], m.deepest_level = level;
  m.divided = m.seen;
  m.chunk_room = std::max(
      m.chunk_room, rounded_up(room_.chunks * (1000 + double(m.count) * shares_of_lists(m.request.parts))));
  m.mark(4, stream_);
  return true;
}

template <class P>
void Fmm<P>::find_moments() {
  auto& m = *memory_;
  const Frame* const frame = m.frame.data();
  if constexpr (std::is_same_v<Real, float>)
    order_.leaves_f32(m.cells, m.count, frame, m.sorted.data(), stream_);
  else order_.leaves_f64(m.cells, m.count, frame, m.sorted.data(), stream_);
  for (int level = m.deepest_level - 1; level >= 0; --level) order_.parents(m.cells, m.level(level), stream_);
  m.mark(5, stream_);
  if (settings_.criterion == Criterion::error) measure_pulls(m.cells, m.count, frame, stream_);
  m.mark(6, stream_);
}

/// Lists, as far as there is room.
template <class P>
void Fmm<P>::list() {
  auto& m = *memory_;
  auto* const status = m.status.data();
  auto* const tiles = with_room(m.tiles, m.count + m.n / Tile::least + 1, stream_);
  const bool by_error = settings_.criterion == Criterion::error;
  const double theta = by_error ? 1 : settings_.theta, tolerance = by_error ? settings_.tolerance : 0;
  const Acceptance by{.theta = theta,
                      .tolerance = tolerance,
                      .order = settings_.order,
                      .hard_from = pleiad::tree::hard_between_cells(theta, settings_.order, tolerance)};
  m.make_room_for_lists(m.chunk_room, stream_);
  for (int level = 0; level <= m.deepest_level; ++level)
    make_lists(m.cells, m.lists, m.frame.data(), status, m.level(level), by, stream_);
  make_tiles(m.cells, m.lists, m.count, tiles, status, stream_);
}

/// What the host has to know of the lists. False: they are made again with more room, there was too little.
template <class P>
bool Fmm<P>::know_lists() {
  auto& m = *memory_;
  m.read_status(stream_);
  if (m.seen.crowded != 0) {
    m.chunk_room = rounded_up(1.5 * double(std::max(m.seen.chunks, m.chunk_room)));
    copy_to_device(m.status.data(), &m.divided, sizeof m.divided, stream_);
    wait(stream_);
    list();
    return false;
  }
  m.mark(7, stream_);
  return true;
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
void Fmm<P>::add_bodies() {
  auto& m = *memory_;
  const auto add = [&](auto* kernel) {
    kernel(m.cells, m.lists, m.tiles.data(), m.seen.tiles, m.frame.data(),
           Sorted<Real>{m.sorted.data(), m.order.data(), m.n}, m.request.sums, m.request.potential, stream_);
  };
  if constexpr (std::is_same_v<Real, float>) add(order_.bodies_f32);
  else add(order_.bodies_f64);
  m.mark(10, stream_);
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
    work.build = s[0] + s[1] + s[2] + s[3], work.moments = s[4] + s[5],
    work.forces = s[6] + s[7] + s[8] + s[9];
  }
  return work;
}

template <class P>
std::size_t Fmm<P>::bytes() const {
  return memory_->bytes();
}

template <class P>
std::unique_ptr<Forces<typename P::Position>> make_forces(const TreeSettings& settings, void* stream,
                                                          FirstRoom room) {
  if constexpr (std::is_same_v<P, F64>)
    throw UsageError("'" + text_of(settings) + "' has no f64 form; choose another kernel or precision");
  else return std::make_unique<Fmm<P>>(settings, stream, room);
}
template std::unique_ptr<Forces<float>> make_forces<F32>(const TreeSettings&, void*, FirstRoom);
template std::unique_ptr<Forces<double>> make_forces<F64>(const TreeSettings&, void*, FirstRoom);
template std::unique_ptr<Forces<double>> make_forces<Mixed>(const TreeSettings&, void*, FirstRoom);

template class Fmm<F32>;
template class Fmm<Mixed>;

}  // namespace pleiad::cuda::tree
