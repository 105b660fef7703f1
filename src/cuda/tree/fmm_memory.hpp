/// What the fast multipole method keeps on a device between its stages and its evaluations: for fmm.cpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/fmm.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::cuda::tree {

/// What is known to the host, and waited for: the cells are queued, or the lists, or all.
enum class Stage { cells, lists, done };

/// Memory that grows and never shrinks.
template <class T>
T* with_room(Buffer<T>& buffer, std::size_t size, void* stream) {
  if (buffer.size() < size) {
    buffer = Buffer<T>();
    buffer = Buffer<T>(size, stream);
  }
  return buffer.data();
}

template <class P>
struct Fmm<P>::Memory {
  Buffer<Frame> frame;
  Buffer<Status> status;
  Buffer<Extent> extents;
  // Of bodies.
  Buffer<std::uint64_t> keys, unsorted;
  Buffer<std::uint32_t> numbers, order;
  Buffer<std::byte> sort;
  Buffer<Mass<Real>> sorted;
  // Of cells.
  Buffer<Cell> cell;
  Buffer<std::uint32_t> parents;
  Buffer<float> records, moments, folded, softened, locals;
  Buffer<Place> places;
  Buffer<Strength> strengths;
  Buffer<Box> boxes;
  Buffer<List> hard, soft, near;
  Buffer<Tile> tiles;
  // Of lists.
  Buffer<std::uint32_t> entries, next;

  Cells cells{};
  Lists lists{};
  Request<Real> request;
  Stage stage = Stage::done;
  Status seen{}, divided{};  ///< the last, and the one before lists were made
  std::uint32_t n = 0, count = 0;
  int deepest_level = 0;
  std::uint32_t cell_room = 0, chunk_room = 0;  ///< that were enough so far

  bool timed = false;
  std::vector<void*> events;

  std::size_t bytes() const {
    const auto all = [](const auto&... buffers) {
      return (std::size_t{0} + ... + (buffers.size() * sizeof(*buffers.data())));
    };
    return all(frame, status, extents, keys, unsorted, numbers, order, sort, sorted, cell, parents, records,
               moments, folded, softened, locals, places, strengths, boxes, hard, soft, near, tiles, entries,
               next);
  }
  /// The first of the sorted bodies of a part.
  std::uint32_t share(int part) const {
    return std::uint32_t(std::uint64_t{n} * unsigned(part) / unsigned(request.parts));
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
           .places = with_room(places, room, stream),
           .strengths = with_room(strengths, room, stream),
           .boxes = with_room(boxes, room, stream),
           .records = floats(records, k.record),
           .moments = floats(moments, k.moments),
           .folded = floats(folded, k.folded),
           .softened = softened.data(),
           .locals = floats(locals, k.locals),
           .room = room,
           .divided = false,
           .from = 0,
           .to = n};
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

}  // namespace pleiad::cuda::tree
