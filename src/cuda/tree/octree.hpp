/// Common parts of the solvers on a device: bodies sorted along a curve, cells, moments. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/order.hpp"
#include "cuda/tree/periodic_box.hpp"
#include "cuda/tree/request.hpp"

#include <pleiad/kernel/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pleiad::cuda::tree {

/// Memory that grows and never shrinks.
template <class T>
T* with_room(Buffer<T>& buffer, std::size_t size, void* stream) {
  if (buffer.size() < size) {
    buffer = Buffer<T>();
    buffer = Buffer<T>(size, stream);
  }
  return buffer.data();
}
/// Grows a buffer; the first `kept` elements stay.
template <class T>
T* with_more_room(Buffer<T>& buffer, std::size_t size, std::size_t kept, void* stream) {
  if (kept == 0 || buffer.size() >= size) return with_room(buffer, size, stream);
  Buffer<T> larger(size, stream);
  copy_on_device(larger.data(), buffer.data(), kept * sizeof(T), stream);
  buffer = std::move(larger);
  return buffer.data();
}
/// Rounds a capacity up, plus one, as a 32-bit number for the device.
std::uint32_t rounded_up(double room);

/// Keeps its memory between evaluations. Real: float or double.
template <class Real>
class Octree {
 public:
  Octree(const TreeSettings& settings, const MomentKernels& kernels, FirstRoom room, void* stream);
  ~Octree();
  Octree(const Octree&) = delete;
  Octree& operator=(const Octree&) = delete;

  /// Whether an evaluation for `bodies` bodies needs more than the present GPU's free memory, unless buffers
  /// that are not needed at the same time share memory, which costs time. Determined at the first call, which
  /// must come before the tree has memory.
  bool memory_is_scarce(std::size_t bodies);

  /// Queues sorted bodies, and cells as far as there is room. False without bodies: nothing is queued.
  /// UsageError for more than there are numbers.
  bool begin(const Request<Real>& request);

  // The stages of begin(), where other GPUs have other bodies of the tree.

  /// Extent of these bodies; waits for it.
  Extent extent_of(std::span<const Mass<Real>> bodies);
  /// Makes the frame for `bodies` bodies in all.
  void make_frame(const Extent& all, std::size_t bodies, double eps);
  /// Allocates memory to sort `bodies` bodies at once: buffers that grow a little later leave gaps in the
  /// memory.
  void make_room_to_sort(std::size_t bodies);
  /// The keys of bodies, in their order: keys().
  void find_keys(std::span<const Mass<Real>> bodies);
  /// The numbers of as many bodies as have keys: those of each part of the curve after those of the part
  /// before, otherwise in their order. `begins`: the keys with which the parts begin, the first 0. No keys
  /// are left.
  void order_by_part(std::size_t bodies, std::span<const std::uint64_t> begins, Buffer<std::uint32_t>& order);
  /// The keys of bodies and the order along the curve: keys() and order().
  void sort(std::span<const Mass<Real>> bodies);
  /// Sorts the bodies, with memory for `front` others before them, and for `more` after them; levels() are 0.
  void place_particles(const Request<Real>& request, std::uint32_t front, std::size_t more);
  /// Frees the memory that only sorting needs, which takes time to allocate again.
  void forget_sorting() { unsorted_ = {}, sort_ = {}; }
  /// Also frees keys and levels, which are not needed once the cells are made.
  void forget_keys() { forget_sorting(), keys_ = {}, numbers_ = {}; }
  /// Discards the cells of the last evaluation; divide() reuses their memory.
  void forget_cells();
  /// Cells as far as there is room; those that hold keys of others, too, are divided.
  void divide(const KeyRange& own);
  /// Room for more cells behind those that are present.
  void make_room_for_cells(std::size_t present, std::size_t more);
  /// Allocates memory for bodies before and after the own ones. The numbers of bodies, and those of bodies in
  /// own cells, may grow.
  void make_room_for_bodies(std::uint32_t in_front, std::size_t behind);
  void find_own_moments();
  void find_accelerations();

  /// Reads the sizes of the cells on the host. False: there was too little memory, and they are divided again
  /// with more.
  bool know_cells();
  /// Sets the sums of the requested part to NaN.
  void set_nothing();
  /// Computes the moments of all cells and, if the MAC needs them, the accelerations of their bodies.
  void find_moments();
  /// In a periodic box: the images that are walked, and the pulls of all others, which come to the sums last.
  Images images() const { return box_.images(); }
  void add_further_images();

  bool finite() const { return seen.finite != 0; }
  const MomentKernels& kernels() const { return kernels_; }
  Range level(int k) const { return {seen.first[k], seen.count[k]}; }
  /// The first of the sorted bodies of a part.
  std::uint32_t share(int part) const {
    return std::uint32_t(std::uint64_t{n} * unsigned(part) / unsigned(request.parts));
  }
  /// The own bodies, from number `front` on.
  Sorted<Real> bodies() const { return {sorted_.data(), order_.data() - front, n}; }
  Mass<Real>* sorted() { return sorted_.data(); }
  const std::uint32_t* order() const { return order_.data(); }
  std::uint32_t* levels() { return numbers_.data(); }
  const std::uint64_t* keys() const { return keys_.data(); }
  /// Memory for two numbers per body, which is in use in begin() only.
  std::uint32_t* scratch() { return reinterpret_cast<std::uint32_t*>(unsorted_.data()); }
  const Frame* frame() const { return frame_.data(); }
  Status* status() { return status_.data(); }
  void read_status() { copy_to_host(&seen, status_.data(), sizeof seen, stream_); }
  std::size_t bytes() const;

  /// Times evaluations by phases from now on, which costs a little.
  void measure_phases();
  void mark(std::size_t phase) {
    if (timed) record_event(events_[phase], stream_);
  }
  /// Times of the last evaluation; waits for it.
  PhaseSeconds phases() const;

  Cells cells{};
  Request<Real> request;
  Status seen{};  ///< the last that was read
  std::uint32_t n = 0, count = 0;
  std::uint32_t front = 0;  ///< the number of the first body
  int deepest_level = 0;
  bool timed = false;

 private:
  void make_cells();
  void take_room_for_cells(std::size_t kept);
  /// Sides of the box that bodies are wrapped into; 0 in open space.
  Vec3<Real> sides() const {
    const auto& l = box_.sides();
    return {Real(l.x), Real(l.y), Real(l.z)};
  }
  /// Sorts `unsorted_` by its lowest bits into keys_ and `order`.
  void sort_numbers(std::size_t size, int bits, Buffer<std::uint32_t>& order);

  TreeSettings settings_;
  const MomentKernels& kernels_;
  FirstRoom first_room_;
  std::optional<bool> scarce_;  ///< memory
  void* stream_;
  std::uint32_t room_ = 0;  ///< cells that were enough so far
  KeyRange own_;
  PeriodicBox box_;
  Buffer<Frame> frame_;
  Buffer<Status> status_;
  Buffer<Extent> extents_;
  // Of bodies.
  Buffer<std::uint64_t> keys_, unsorted_;
  Buffer<std::uint32_t> numbers_, order_;
  Buffer<std::byte> sort_;
  Buffer<Mass<Real>> sorted_;
  // Of cells.
  Buffer<Cell> cell_;
  Buffer<std::uint32_t> parents_;
  Buffer<float> records_, moments_;
  Buffer<Place> places_;
  Buffer<Strength> strengths_;
  Buffer<Box> boxes_;
  std::vector<void*> events_;
};

extern template class Octree<float>;
extern template class Octree<double>;

}  // namespace pleiad::cuda::tree
