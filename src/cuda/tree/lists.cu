#include "cuda/tree/acceptance.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/reader.hpp"
#include "cuda/tree/walk.hpp"

#include <algorithm>

namespace pleiad::cuda::tree {
namespace {

/// Chunks that a warp has taken in advance.
struct Spare {
  static constexpr std::uint32_t at_once = 8;
  std::uint32_t next = 0, end = 0;

  __device__ std::uint32_t take(const Lists& lists, Status* status) {
    if (next == end) {
      std::uint32_t first = 0;
      if (lane_id() == 0) first = atomicAdd(&status->chunks, at_once);
      next = __shfl_sync(~0u, first, 0);
      end = next + at_once;
      if (end > lists.room && lane_id() == 0) status->overflowed = 1;
    }
    const std::uint32_t chunk = next++;
    return chunk < lists.room ? chunk : lists.room;
  }
};

/// Appends to one list, a warp at a time.
struct Writer {
  List list{0, 0};
  std::uint32_t chunk = 0, fill = Lists::chunk;

  __device__ void append(bool mine, std::uint32_t value, const Lists& lists, Spare& spare, Status* status) {
    const unsigned bits = __ballot_sync(~0u, mine), n = unsigned(__popc(bits));
    if (n == 0) return;
    const std::uint32_t slot = fill + unsigned(__popc(bits & ((1u << lane_id()) - 1)));
    std::uint32_t after = chunk;
    if (fill + n > Lists::chunk) {
      after = spare.take(lists, status);
      if (list.count == 0) list.chunk = after;
      else if (lane_id() == 0) lists.next[chunk] = after;
    }
    if (mine)
      lists.entries[slot < Lists::chunk ? std::size_t{chunk} * Lists::chunk + slot
                                        : std::size_t{after} * Lists::chunk + slot - Lists::chunk] = value;
    list.count += n;
    fill += n;
    if (fill > Lists::chunk) fill -= Lists::chunk, chunk = after;
  }
};

template <bool in_box>
__global__ void __launch_bounds__(32 * walk_warps)
    list_level(Cells cells, Lists lists, Images images, const Frame* __restrict__ frame, Status* status,
               std::uint32_t first, std::uint32_t count, Test by, double newtonian_from) {
  if (status->overflowed != 0) return;
  auto* stack = dynamic_shared<std::uint32_t>() + threadIdx.x / 32 * stack_room;
  const int lane = lane_id();
  const float newtonian_radius = float(newtonian_from * frame->eps);
  by.newtonian2 = newtonian_radius * newtonian_radius;
  Spare spare;
  for (std::uint32_t k = blockIdx.x * walk_warps + threadIdx.x / 32; k < count; k += gridDim.x * walk_warps) {
    const std::uint32_t c = first + k;
    if (!cells.takes(c)) continue;
    const Target target{cells.places[c], cells.strengths[c], cells.cells[c].children == 0};
    Writer m2l, softened_m2l, p2p;
    Reader parents(lists, lists.p2p[cells.parents[c]]);
    std::uint32_t parent = 0;
    int top = 0;
    for (bool more = parents.read(parent);;) {
      while (more && top < 32) {
        Cell cell{0, 0, 0, 0};
        if (parents.mine()) cell = cells.cells[cell_of<in_box>(parent, images)];
        const bool whole = parents.mine() && cell.children == 0;
        push(whole ? parent : image_of<in_box>(parent, images) + cell.first_child, whole ? 1 : cell.children,
             stack, top);
        more = parents.read(parent);
      }
      if (top == 0) break;
      const int taken = to_take(top);
      top -= taken;
      const bool mine = lane < taken;
      bool far = false, distant = false;
      const std::uint32_t entry = mine ? stack[top + lane] : c, s = cell_of<in_box>(entry, images);
      __syncwarp();
      const Place place = cells.places[s];
      target.test(separation<in_box>(target.place, place, entry, images), place.r, cells.strengths[s], by,
                  far, distant);
      const bool refused = mine && !far;
      std::uint32_t children = 0, eldest = 0;
      if (refused && target.leaf)
        children = cells.cells[s].children,
        eldest = image_of<in_box>(entry, images) + cells.cells[s].first_child;
      m2l.append(mine && far && distant, entry, lists, spare, status);
      softened_m2l.append(mine && far && !distant, entry, lists, spare, status);
      p2p.append(refused && children == 0, entry, lists, spare, status);
      if (__ballot_sync(~0u, children > 0) != 0) push(eldest, children, stack, top);
    }
    if (lane == 0) {
      lists.m2l[c] = m2l.list, lists.softened_m2l[c] = softened_m2l.list, lists.p2p[c] = p2p.list;
      if (softened_m2l.list.count > 0) atomicAdd(&status->softened_cells, 1u);
    }
  }
}

/// The root is in its own P2P list, in each image.
__global__ void list_root(Lists lists, Images images, Status* __restrict__ status) {
  const std::uint32_t chunks = (images.count + Lists::chunk - 1) / Lists::chunk;
  lists.m2l[0] = lists.softened_m2l[0] = {0, 0};
  lists.p2p[0] = {0, images.count};
  status->chunks = chunks;
  if (chunks > lists.room) {
    status->overflowed = 1;
    return;
  }
  for (std::uint32_t k = 0; k < images.count; ++k) lists.entries[k] = k == 0 ? 0 : k << images.cell_bits;
  for (std::uint32_t k = 0; k < chunks; ++k) lists.next[k] = k + 1;
}

}  // namespace

void make_lists(const Cells& cells, const Lists& lists, const Images& images, const Frame* frame,
                Status* status, Range level, const Acceptance& by, void* stream) {
  if (level.first == 0) {
    launch("tree root's lists", list_root, {.blocks = 1, .threads = 1}, stream, lists, images, status);
    return;
  }
  launch("tree lists", images.any() ? list_level<true> : list_level<false>,
         {.blocks = std::min(most_walks, blocks_for(level.count, walk_warps)),
          .threads = 32 * walk_warps,
          .shared_bytes = stack_bytes},
         stream, cells, lists, images, frame, status, level.first, level.count, test_of(by),
         by.newtonian_from);
}

}  // namespace pleiad::cuda::tree
