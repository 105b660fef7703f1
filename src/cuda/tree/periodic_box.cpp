#include "cuda/tree/periodic_box.hpp"

#include "cuda/device/stream.hpp"

#include <pleiad/error.hpp>

#include <bit>
#include <span>
#include <vector>

namespace pleiad::cuda::tree {

void PeriodicBox::set(const Boundary& boundary, double eps) {
  if (boundary.periodic && !boundary.all_images())
    throw UsageError("a tree on a GPU knows open space and all images of a periodic box, not nearest ones");
  any_ = boundary.periodic;
  if (!any_) {
    sides_ = {};
    return;
  }
  if (boundary.length == sides_ && eps == eps_) return;
  lattice_.set(boundary, eps);
  copy_tables();
  sides_ = boundary.length, eps_ = eps;
}

void PeriodicBox::copy_tables() {
  std::vector<int> boxes;
  for (const auto& away : lattice_.boxes_away()) boxes.insert(boxes.end(), away.begin(), away.end());
  count_ = std::uint32_t(boxes.size() / 3);
  boxes_ = Buffer<int>(std::span<const int>(boxes), stream_);
  even_ = Buffer<double>(std::span<const double>(lattice_.even()), stream_);
  shifts_ = Buffer<Vec3<double>>(count_, stream_);
  field_ = Buffer<double>(std::size_t(lattice::terms), stream_);
  wait(stream_);  // what is copied from goes
}

LatticeTables PeriodicBox::tables() const {
  return {.even = even_.data(), .boxes = boxes_.data(), .images = count_};
}

void PeriodicBox::find_images(const Frame* frame) {
  if (any_) set_shifts(tables(), sides_, frame, shifts_.data(), stream_);
}

Images PeriodicBox::images() const {
  if (!any_) return {};
  return {.shifts = shifts_.data(), .count = count_, .cell_bits = 32 - int(std::bit_width(count_ - 1))};
}

template <class T>
void PeriodicBox::find_field(const Sorted<T>& bodies, const Frame* frame) {
  if (!any_) return;
  const std::size_t wanted = std::size_t(lattice::terms) * (std::size_t{moment_blocks(bodies.n)} + 1);
  if (room_.size() < wanted) room_ = {}, room_ = Buffer<double>(wanted, stream_);
  tree::find_field<T>(bodies.bodies, bodies.n, tables(), sides_, frame, room_.data(), field_.data(), stream_);
}
template void PeriodicBox::find_field(const Sorted<float>&, const Frame*);
template void PeriodicBox::find_field(const Sorted<double>&, const Frame*);

FurtherImages PeriodicBox::further() const {
  if (!any_) return {};
  return {.field = field_.data(), .box = sides_};
}

std::size_t PeriodicBox::bytes() const {
  const auto all = [](const auto&... buffers) {
    return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
  };
  return all(even_, room_, field_, boxes_, shifts_);
}

}  // namespace pleiad::cuda::tree
