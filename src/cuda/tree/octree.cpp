#include "cuda/tree/octree.hpp"

#include "cuda/device/sort.hpp"
#include "cuda/tree/divided.hpp"
#include "cuda/tree/parts.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <type_traits>
#include <utility>

namespace pleiad::cuda::tree {

std::uint32_t rounded_up(double room) { return std::uint32_t(std::min(room + 1, double(0xFFFFFF00u))); }

namespace {

/// Numbers of bodies have 32 bits, of which the last names no body.
void need_numbers(std::size_t bodies) {
  if (bodies >= Outputs<float>::none)
    throw UsageError("a tree on a GPU has room for 2^32 - 2 bodies, not " + std::to_string(bodies));
}

}  // namespace

template <class Real>
Octree<Real>::Octree(const TreeSettings& settings, const MomentKernels& kernels, FirstRoom room, void* stream)
    : settings_(settings), kernels_(kernels), first_room_(room), stream_(stream), box_(stream) {}
template <class Real>
Octree<Real>::~Octree() {
  for (auto* event : events_) destroy_event(event);
}

template <class Real>
bool Octree<Real>::memory_is_scarce(std::size_t bodies) {
  if (!scarce_) {
    // Measured with leaves of 96 bodies at order 5: 24 bytes a body to sort, 47 for cells and lists without
    // the entries of one slice. The rest is for the bodies themselves, once or twice, for rows and for
    // outputs, which allocate memory later.
    const double of_cells = 6000.0 / double(settings_.leaf_size), entries = 100,
                 each = 104 + 8 * sizeof(Real) + of_cells;
    const auto sliced = std::min<std::size_t>(bodies, first_room_.slice);
    scarce_ = first_room_.scarce ||
              double(device_memory().first) < each * double(bodies) + entries * double(sliced);
  }
  return *scarce_;
}

template <class Real>
bool Octree<Real>::begin(const Request<Real>& asked) {
  const auto& bodies = asked.bodies;
  n = std::uint32_t(bodies.size()), count = 0, seen = {};
  if (bodies.empty()) return false;
  (void)memory_is_scarce(bodies.size());  // found now, while the tree has no memory
  mark(0);
  box_.set(asked.boundary, asked.softening.eps);
  const unsigned extents = measure(bodies, with_room(extents_, most_extents, stream_), stream_, sides());
  tree::make_frame(extents_.data(), extents, bodies.size(), asked.softening.eps,
                   with_room(frame_, 1, stream_), with_room(status_, 1, stream_), stream_, box_.least());
  box_.find_images(frame());
  sort(bodies);
  place_particles(asked, 0, 0);
  mark_near_dense(keys_.data(), n, std::uint32_t(settings_.leaf_size), levels(), stream_);
  mark(3);
  divide({});
  return true;
}

template <class Real>
Extent Octree<Real>::extent_of(std::span<const Mass<Real>> bodies) {
  std::array<Extent, most_extents> parts;
  const unsigned found = measure(bodies, with_room(extents_, most_extents, stream_), stream_);
  copy_to_host(parts.data(), extents_.data(), found * sizeof(Extent), stream_);
  Extent all;
  for (unsigned k = 0; k < found; ++k) all.add(parts[k]);
  return all;
}

template <class Real>
void Octree<Real>::make_frame(const Extent& all, std::size_t bodies, double eps) {
  copy_to_device(with_room(extents_, most_extents, stream_), &all, sizeof all, stream_);
  tree::make_frame(extents_.data(), 1, bodies, eps, with_room(frame_, 1, stream_),
                   with_room(status_, 1, stream_), stream_);
  read_status();
}

template <class Real>
void Octree<Real>::sort(std::span<const Mass<Real>> bodies) {
  const std::size_t size = bodies.size();
  need_numbers(size);
  if (size == 0) return;
  auto* const unsorted = with_room(unsorted_, size, stream_);
  make_keys(bodies, frame(), unsorted, with_room(numbers_, size, stream_), stream_, sides());
  mark(1);
  sort_numbers(size, 3 * deepest, order_);
  mark(2);
}

template <class Real>
void Octree<Real>::sort_numbers(std::size_t size, int bits, Buffer<std::uint32_t>& order) {
  const std::size_t room = sort_room(size);
  const bool as_asked = sort_by_key({.keys = unsorted_.data(),
                                     .more_keys = with_room(keys_, size, stream_),
                                     .values = numbers_.data(),
                                     .more_values = with_room(order, size, stream_),
                                     .n = size},
                                    bits, with_room(sort_, room, stream_), room, stream_);
  if (!as_asked) std::swap(keys_, unsorted_), std::swap(order, numbers_);
}

template <class Real>
void Octree<Real>::make_room_to_sort(std::size_t bodies) {
  with_room(keys_, bodies, stream_), with_room(unsorted_, bodies, stream_);
  with_room(numbers_, bodies, stream_), with_room(order_, bodies, stream_);
  if (bodies > 0) with_room(sort_, sort_room(bodies), stream_);
}

template <class Real>
void Octree<Real>::find_keys(std::span<const Mass<Real>> bodies) {
  const std::size_t size = bodies.size();
  need_numbers(size);
  if (size > 0)
    make_keys(bodies, frame(), with_room(keys_, size, stream_), with_room(numbers_, size, stream_), stream_);
}

template <class Real>
void Octree<Real>::order_by_part(std::size_t bodies, std::span<const std::uint64_t> begins,
                                 Buffer<std::uint32_t>& order) {
  if (bodies == 0) return;
  const Buffer<std::uint64_t> there(begins, stream_);
  find_parts({keys_.data(), bodies}, there.span(), with_room(unsorted_, bodies, stream_), stream_);
  sort_numbers(bodies, std::max(1, int(std::bit_width(begins.size() - 1))), order);
}

/// Levels take the place of the numbers before they were sorted.
template <class Real>
void Octree<Real>::place_particles(const Request<Real>& asked, std::uint32_t in_front, std::size_t more) {
  request = asked;
  n = std::uint32_t(asked.bodies.size()), count = 0, front = in_front;
  const std::size_t room = front + asked.bodies.size() + more;
  need_numbers(room);
  auto* const sorted = with_room(sorted_, room, stream_);
  gather(asked.bodies, frame(), order(), sorted + front, levels(), stream_, sides());
}

template <class Real>
void Octree<Real>::divide(const KeyRange& own) {
  own_ = own;
  const double room = first_room_.cells * (200 + double(n) / double(settings_.leaf_size));
  // A little more, since among GPUs the next evaluation may have a few more bodies here.
  if (rounded_up(room) > room_) room_ = rounded_up(room + room / 64);
  make_cells();
}

template <class Real>
void Octree<Real>::take_room_for_cells(std::size_t kept) {
  const auto floats = [&](Buffer<float>& b, int each) {
    return with_more_room(b, std::size_t{room_} * std::size_t(each), kept * std::size_t(each), stream_);
  };
  const auto with = [&](auto& b) { return with_more_room(b, room_, kept, stream_); };
  cells = {.cells = with(cell_),
           .parents = with(parents_),
           .places = with(places_),
           .strengths = with(strengths_),
           .boxes = with(boxes_),
           .records = floats(records_, kernels_.record),
           .moments = floats(moments_, kernels_.moments),
           .folded = nullptr,
           .softened = nullptr,
           .locals = nullptr,
           .room = room_,
           .divided = request.parts > 1,
           .from = front + share(request.part),
           .to = front + share(request.part + 1)};
}

template <class Real>
void Octree<Real>::make_cells() {
  take_room_for_cells(0);
  tree::divide({.keys = keys_.data(),
                .levels = numbers_.data(),
                .n = n,
                .leaf_size = std::uint32_t(settings_.leaf_size),
                .front = front,
                .own = own_},
               cells, status_.data(), stream_);
}

template <class Real>
void Octree<Real>::make_room_for_cells(std::size_t present, std::size_t more) {
  if (present + more <= room_) return;
  room_ = rounded_up(1.1 * double(present + more));
  take_room_for_cells(present);
}

template <class Real>
void Octree<Real>::make_room_for_bodies(std::uint32_t in_front, std::size_t behind) {
  const std::uint32_t more = in_front > front ? in_front - front : 0;
  const std::size_t all = std::size_t{front} + more + n + behind;
  if (more == 0 && all <= sorted_.size()) return;
  need_numbers(all);
  Buffer<Mass<Real>> larger(std::max(sorted_.size() + more, all), stream_);
  copy_on_device(larger.data() + front + more, sorted_.data() + front, n * sizeof(Mass<Real>), stream_);
  sorted_ = std::move(larger);
  front += more;
  cells.from += more, cells.to += more;
  shift_bodies(cells, count, more, stream_);
}

template <class Real>
bool Octree<Real>::know_cells() {
  read_status();
  if (seen.overflowed != 0) {
    // Both stored and dropped elements were counted: at least this number is needed.
    std::size_t wanted = 0;
    for (const auto c : seen.count) wanted += c;
    room_ = rounded_up(1.5 * double(std::max<std::size_t>(wanted, room_)));
    Status empty{};
    empty.finite = seen.finite, empty.groups = seen.groups;
    copy_to_device(status_.data(), &empty, sizeof empty, stream_);
    wait(stream_);
    make_cells();
    return false;
  }
  count = 0;
  for (int level = 0; level <= deepest && seen.count[level] > 0; ++level)
    count += seen.count[level], deepest_level = level;
  if (const auto bits = images().cell_bits; bits < 32 && count >> bits > 0)
    throw ResourceError("a tree of " + std::to_string(count) + " cells in a periodic box: a GPU numbers " +
                        std::to_string(1u << bits) + " of them; use larger leaves (solver.leaf_size)");
  mark(4);
  return true;
}

template <class Real>
void Octree<Real>::forget_cells() {
  cell_ = {}, parents_ = {}, records_ = {}, moments_ = {}, places_ = {}, strengths_ = {}, boxes_ = {};
  cells = {}, count = 0;
}

template <class Real>
void Octree<Real>::set_nothing() {
  tree::set_nothing(request.sums, share(request.part), share(request.part + 1), stream_);
}

template <class Real>
void Octree<Real>::find_moments() {
  box_.find_field(bodies(), frame());
  find_own_moments();
  mark(5);
  find_accelerations();
  mark(6);
}

template <class Real>
void Octree<Real>::find_own_moments() {
  if constexpr (std::is_same_v<Real, float>)
    kernels_.leaves_f32(cells, count, frame(), sorted_.data(), stream_);
  else kernels_.leaves_f64(cells, count, frame(), sorted_.data(), stream_);
  for (int k = deepest_level - 1; k >= 0; --k) kernels_.parents(cells, level(k), stream_);
}

template <class Real>
void Octree<Real>::find_accelerations() {
  if (settings_.mac == Mac::error)
    measure_accelerations(cells, count, images(), box_.further(), frame(), stream_);
}

template <class Real>
void Octree<Real>::add_further_images() {
  if (!box_.any()) return;
  tree::add_further_images(bodies(), box_.further(), frame(), request.sums, request.potential, stream_);
  mark(10);  // they belong to the last phase
}

template <class Real>
std::size_t Octree<Real>::bytes() const {
  const auto all = [](const auto&... buffers) {
    return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
  };
  return box_.bytes() + all(frame_, status_, extents_, keys_, unsorted_, numbers_, order_, sort_, sorted_,
                            cell_, parents_, records_, moments_, places_, strengths_, boxes_);
}

template <class Real>
void Octree<Real>::measure_phases() {
  timed = true;
  while (events_.size() <= phase_names.size()) events_.push_back(create_event());
}
template <class Real>
PhaseSeconds Octree<Real>::phases() const {
  PhaseSeconds seconds{};
  if (count > 0 && timed)
    for (std::size_t k = 0; k < seconds.size(); ++k) seconds[k] = seconds_between(events_[k], events_[k + 1]);
  return seconds;
}

template class Octree<float>;
template class Octree<double>;

}  // namespace pleiad::cuda::tree
