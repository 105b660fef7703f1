#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/reader.hpp"

#include <algorithm>

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned warps = 8;
/// Sources that wait to be looked at, of one warp. Taken one by one they need 7 places per level at most, so
/// that fewer are taken at a time when room gets scarce, and it never ends.
constexpr int stack_room = 1024, reserve = 7 * deepest;

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
      if (end > lists.room && lane_id() == 0) status->crowded = 1;
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

/// Adds `count` cells from `first` on, of each lane, to the stack.
__device__ void push(std::uint32_t first, std::uint32_t count, std::uint32_t* stack, int& top) {
  int upto = int(count);
  for (int by = 1; by < 32; by *= 2) {
    const int other = __shfl_up_sync(~0u, upto, by);
    if (lane_id() >= by) upto += other;
  }
  const int at = top + upto - int(count);
  for (std::uint32_t k = 0; k < count; ++k) stack[unsigned(at) + k] = first + k;
  top += __shfl_sync(~0u, upto, 31);
  __syncwarp();
}

struct Target {
  Place place;
  bool leaf;
  float per_theta2, hard2;

  /// The same from both sides, so that every pair of cells pulls both ways or not at all. A centre is known
  /// in two parts: cells of the deepest levels are as small as the rounding of one.
  __device__ void test(const Place& p, bool& far, bool& hard) const {
    const float dx = (place.x - p.x) + (place.lx - p.lx), dy = (place.y - p.y) + (place.ly - p.ly),
                dz = (place.z - p.z) + (place.lz - p.lz), s = place.r + p.r;
    const float R2 = fma_rn(dx, dx, fma_rn(dy, dy, dz * dz));
    far = R2 > s * s * per_theta2, hard = R2 > hard2;
  }
};

__global__ void __launch_bounds__(32 * warps)
    list_level(Cells cells, Lists lists, const Frame* __restrict__ frame, Status* status, std::uint32_t first,
               std::uint32_t count, float per_theta2, double hard_from) {
  if (status->crowded != 0) return;
  auto* stack = dynamic_shared<std::uint32_t>() + threadIdx.x / 32 * stack_room;
  const int lane = lane_id();
  const float hard_radius = float(hard_from * frame->eps);
  Spare spare;
  for (std::uint32_t k = blockIdx.x * warps + threadIdx.x / 32; k < count; k += gridDim.x * warps) {
    const std::uint32_t c = first + k;
    const Target target{cells.places[c], cells.cells[c].children == 0, per_theta2, hard_radius * hard_radius};
    Writer hard, soft, near;
    Reader parents(lists, lists.near[cells.parents[c]]);
    for (std::uint32_t source = 0; parents.read(source);) {
      int top = 0;
      Cell parent{0, 0, 0, 0};
      if (parents.mine()) parent = cells.cells[source];
      const bool whole = parents.mine() && parent.children == 0;
      push(whole ? source : parent.first_child, whole ? 1 : parent.children, stack, top);
      while (top > 0) {
        const int scarce = (stack_room - reserve - top) / 7;
        const int most = scarce > 32 ? 32 : scarce > 1 ? scarce : 1, taken = top < most ? top : most;
        top -= taken;
        const bool mine = lane < taken;
        bool far = false, distant = false;
        const std::uint32_t s = mine ? stack[top + lane] : c;
        __syncwarp();
        target.test(cells.places[s], far, distant);
        const bool refused = mine && !far;
        std::uint32_t children = 0, eldest = 0;
        if (refused && target.leaf) children = cells.cells[s].children, eldest = cells.cells[s].first_child;
        hard.append(mine && far && distant, s, lists, spare, status);
        soft.append(mine && far && !distant, s, lists, spare, status);
        near.append(refused && children == 0, s, lists, spare, status);
        if (__ballot_sync(~0u, children > 0) != 0) push(eldest, children, stack, top);
      }
    }
    if (lane == 0) {
      lists.hard[c] = hard.list, lists.soft[c] = soft.list, lists.near[c] = near.list;
      if (soft.list.count > 0) atomicAdd(&status->soft_cells, 1u);
    }
  }
}

/// The root is near itself.
__global__ void list_root(Lists lists, Status* __restrict__ status) {
  lists.hard[0] = lists.soft[0] = {0, 0};
  lists.near[0] = {0, 1};
  lists.entries[0] = 0;
  status->chunks = 1;
}

}  // namespace

void make_lists(const Cells& cells, const Lists& lists, const Frame* frame, Status* status, Range level,
                const Spheres& criterion, void* stream) {
  if (level.first == 0) {
    launch("tree root's lists", list_root, {.blocks = 1, .threads = 1}, stream, lists, status);
    return;
  }
  constexpr unsigned most = 1056;  // blocks that a large GPU runs at once, and again
  launch("tree lists", list_level,
         {.blocks = std::min(most, blocks_for(level.count, warps)),
          .threads = 32 * warps,
          .shared_bytes = warps * stack_room * unsigned(sizeof(std::uint32_t))},
         stream, cells, lists, frame, status, level.first, level.count,
         float(1 / (criterion.theta * criterion.theta)), criterion.hard_from);
}

}  // namespace pleiad::cuda::tree
