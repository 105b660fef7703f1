#include "cuda/tree/octree.hpp"

#include "cuda/device/sort.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

namespace pleiad::cuda::tree {

std::uint32_t rounded_up(double room) { return std::uint32_t(std::min(room + 1, double(0xFFFFFF00u))); }

template <class Real>
Octree<Real>::Octree(const TreeSettings& settings, const MomentKernels& kernels, double room, void* stream)
    : settings_(settings), kernels_(kernels), first_room_(room), stream_(stream) {}
template <class Real>
Octree<Real>::~Octree() {
  for (auto* event : events_) destroy_event(event);
}

template <class Real>
bool Octree<Real>::begin(const Request<Real>& asked) {
  const auto& bodies = asked.bodies;
  const std::size_t size = bodies.size();
  request = asked;
  n = std::uint32_t(size), count = 0, seen = {};
  if (size == 0) return false;
  if (size >= Outputs<Real>::none)
    throw UsageError("a tree on a GPU has room for 2^32 - 2 bodies, not " + std::to_string(size));
  auto* const frame = with_room(frame_, 1, stream_);
  auto* const status = with_room(status_, 1, stream_);
  auto* const keys = with_room(keys_, size, stream_);
  auto* const unsorted = with_room(unsorted_, size, stream_);
  auto* const numbers = with_room(numbers_, size, stream_);
  auto* const order = with_room(order_, size, stream_);
  auto* const sorted = with_room(sorted_, size, stream_);
  mark(0);
  measure(bodies, request.softening.eps, with_room(extents_, most_extents, stream_), frame, status, stream_);
  make_keys(bodies, frame, unsorted, numbers, stream_);
  mark(1);
  const std::size_t room = sort_room(size);
  sort_by_key({.keys = unsorted, .sorted_keys = keys, .values = numbers, .sorted_values = order, .n = size},
              3 * deepest, with_room(sort_, room, stream_), room, stream_);
  mark(2);
  // Levels take the place of the numbers before they were sorted.
  gather(bodies, frame, order, sorted, numbers, stream_);
  mark_beside_crowds(keys, n, std::uint32_t(settings_.leaf_size), numbers, stream_);
  mark(3);
  room_ = std::max(room_, rounded_up(first_room_ * (200 + double(size) / double(settings_.leaf_size))));
  make_cells();
  return true;
}

template <class Real>
void Octree<Real>::make_cells() {
  const auto floats = [&](Buffer<float>& b, int each) {
    return with_room(b, std::size_t{room_} * std::size_t(each), stream_);
  };
  cells = {.cells = with_room(cell_, room_, stream_),
           .parents = with_room(parents_, room_, stream_),
           .places = with_room(places_, room_, stream_),
           .strengths = with_room(strengths_, room_, stream_),
           .boxes = with_room(boxes_, room_, stream_),
           .records = floats(records_, kernels_.record),
           .moments = floats(moments_, kernels_.moments),
           .folded = nullptr,
           .softened = nullptr,
           .locals = nullptr,
           .room = room_,
           .divided = request.parts > 1,
           .from = share(request.part),
           .to = share(request.part + 1)};
  divide({.keys = keys_.data(),
          .levels = numbers_.data(),
          .n = n,
          .leaf_size = std::uint32_t(settings_.leaf_size)},
         cells, status_.data(), stream_);
}

template <class Real>
bool Octree<Real>::know_cells() {
  read_status();
  if (seen.crowded != 0) {
    // What found room was counted, and what did not: at least so many are needed.
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
  mark(4);
  return true;
}

template <class Real>
void Octree<Real>::set_nothing() {
  tree::set_nothing(request.sums, share(request.part), share(request.part + 1), stream_);
}

template <class Real>
void Octree<Real>::find_moments() {
  if constexpr (std::is_same_v<Real, float>)
    kernels_.leaves_f32(cells, count, frame(), sorted_.data(), stream_);
  else kernels_.leaves_f64(cells, count, frame(), sorted_.data(), stream_);
  for (int k = deepest_level - 1; k >= 0; --k) kernels_.parents(cells, level(k), stream_);
  mark(5);
  if (settings_.mac == Mac::error) measure_accelerations(cells, count, frame(), stream_);
  mark(6);
}

template <class Real>
std::size_t Octree<Real>::bytes() const {
  const auto all = [](const auto&... buffers) {
    return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
  };
  return all(frame_, status_, extents_, keys_, unsorted_, numbers_, order_, sort_, sorted_, cell_, parents_,
             records_, moments_, places_, strengths_, boxes_);
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
