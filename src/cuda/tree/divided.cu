#include "cuda/device/launch.hpp"
#include "cuda/tree/acceptance.hpp"
#include "cuda/tree/divided.hpp"
#include "cuda/tree/walk.hpp"

#include <algorithm>

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned threads = 256;

__device__ std::size_t my_place() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// The level of a cell, by where the cells of each level begin.
__device__ int level_of(std::uint32_t c, const std::uint32_t* __restrict__ level_begins) {
  int level = 0;
  while (level < deepest && c >= level_begins[level + 1]) ++level;
  return level;
}

/// The floats of a row behind its head: place, strength, box, record, moments.
template <class Visit>
__device__ void visit_row(const Cells& cells, std::uint32_t c, const RowLayout& layout, const Visit& visit) {
  const auto part = [&](float* of, std::size_t size, std::size_t& at) {
    for (std::size_t k = threadIdx.x % 32; k < size; k += 32) visit(of[k], at + k);
    at += size;
  };
  std::size_t at = sizeof(CellHead) / 4;
  part(reinterpret_cast<float*>(cells.places + c), sizeof(Place) / 4, at);
  part(reinterpret_cast<float*>(cells.strengths + c), sizeof(Strength) / 4, at);
  part(reinterpret_cast<float*>(cells.boxes + c), sizeof(Box) / 4, at);
  part(cells.records + std::size_t{c} * std::size_t(layout.record), std::size_t(layout.record), at);
  part(cells.moments + std::size_t{c} * std::size_t(layout.moments), std::size_t(layout.moments), at);
}

/// A warp per cell.
__global__ void pack(Cells cells, const std::uint32_t* __restrict__ which, std::size_t count,
                     const std::uint32_t* __restrict__ level_begins, const std::uint64_t* __restrict__ keys,
                     RowLayout layout, std::uint32_t* __restrict__ rows) {
  const std::size_t k = my_place() / 32;
  if (k >= count) return;
  const std::uint32_t c = which[k];
  std::uint32_t* const row = rows + k * layout.words();
  if (threadIdx.x % 32 == 0) {
    const Cell cell = cells.cells[c];
    const std::uint32_t first = cell.begin - layout.front;
    *reinterpret_cast<CellHead*>(row) = {.key = keys[first],
                                         .bodies = cell.end - cell.begin,
                                         .children = cell.children,
                                         .first_child = cell.first_child,
                                         .first_body = first,
                                         .level = std::uint32_t(level_of(c, level_begins)),
                                         .id = c};
  }
  visit_row(cells, c, layout, [&](float& value, std::size_t at) { row[at] = __float_as_uint(value); });
}

/// A cell whose bodies are not in memory: such bodies are numbered from the end.
__device__ Cell closed(const CellHead& head) { return {~0u - head.bodies, ~0u, 0, head.children}; }

__global__ void unpack(const std::uint32_t* __restrict__ rows, std::size_t count,
                       const std::uint32_t* __restrict__ to, std::uint32_t first, RowLayout layout,
                       Cells cells, CellHead* __restrict__ heads) {
  const std::size_t k = my_place() / 32;
  if (k >= count) return;
  const std::uint32_t c = to == nullptr ? first + std::uint32_t(k) : to[k];
  const std::uint32_t* const row = rows + k * layout.words();
  if (threadIdx.x % 32 == 0) {
    const CellHead head = *reinterpret_cast<const CellHead*>(row);
    cells.cells[c] = closed(head);
    if (heads != nullptr) heads[k] = head;
  }
  visit_row(cells, c, layout, [&](float& value, std::size_t at) { value = __uint_as_float(row[at]); });
}

__global__ void find(Cells cells, std::uint32_t count, const std::uint32_t* __restrict__ level_begins,
                     SortedKeys keys, std::uint32_t front, KeyRange own, std::uint32_t coarse, Branches to) {
  const std::size_t k = my_place();
  if (k >= count) return;
  const auto c = std::uint32_t(k);
  const auto cut = [&](std::uint32_t cell, int level) {
    return own.cuts(keys.keys[cells.cells[cell].begin - front], level);
  };
  const int level = level_of(c, level_begins);
  const bool shared = cut(c, level);
  if (!shared && level > 0) {
    const std::uint32_t above = cells.parents[c];
    if (cells.cells[above].end - cells.cells[above].begin <= coarse && !cut(above, level - 1)) return;
  }
  const std::uint32_t at = atomicAdd(to.count + (shared ? 1 : 0), 1u);
  if (at < to.room) (shared ? to.shared : to.branches)[at] = c;
}

__global__ void copy(Cells cells, const CellCopy* __restrict__ copies, std::size_t count) {
  const std::size_t k = my_place();
  if (k >= count) return;
  const auto [from, to] = copies[k];
  cells.places[to] = cells.places[from], cells.strengths[to] = cells.strengths[from];
}

__global__ void set_cells(Cells cells, const CellValue* __restrict__ values, std::size_t count) {
  if (const std::size_t k = my_place(); k < count) cells.cells[values[k].at] = values[k].cell;
}

__global__ void read(Cells cells, const std::uint32_t* __restrict__ which, std::size_t count,
                     float* __restrict__ values) {
  if (const std::size_t k = my_place(); k < count) values[k] = cells.strengths[which[k]].acceleration;
}
__global__ void write(Cells cells, const std::uint32_t* __restrict__ which, std::size_t count,
                      const float* __restrict__ values) {
  if (const std::size_t k = my_place(); k < count) cells.strengths[which[k]].acceleration = values[k];
}

/// Tolerance that is subtracted from allowed distances and errors: larger than the rounding error.
constexpr float margin = 1e-4f;

struct Looker {
  const Cells& cells;
  const Test& by;
  Place place;
  Strength strength;

  /// Whether a cell at least so distant, whose radius and this one's are `reach` together, takes this one as
  /// a whole.
  __device__ bool far(float R2, float reach, const Strength& other) const {
    return R2 > reach * reach * by.per_theta2 * (1 + margin) &&
           (by.tolerance2 <= 0 || exact_enough(reach, R2, strength, other, by));
  }
  __device__ float squared_distance(const Place& p) const {
    const float dx = (place.x - p.x) + (place.lx - p.lx), dy = (place.y - p.y) + (place.ly - p.ly),
                dz = (place.z - p.z) + (place.lz - p.lz);
    return dx * dx + dy * dy + dz * dz;
  }
  __device__ bool refused_by(std::uint32_t t) const {
    const Place p = cells.places[t];
    return !far(squared_distance(p), place.r + p.r, cells.strengths[t]);
  }
  /// Whether some cell below t may refuse this one: they have their centres in the sphere around t, and a
  /// radius of no more than its diameter or their cubes' diagonal.
  __device__ bool may_be_refused_below(std::uint32_t t, int level) const {
    const Place p = cells.places[t];
    const float nearest = sqrtf(squared_distance(p)) * (1 - margin) - p.r * (1 + margin);
    const float diagonal = 1.7320509f / float(1u << level), radius = 2 * p.r < diagonal ? 2 * p.r : diagonal;
    return !(nearest > 0) || !far(nearest * nearest, place.r + radius * (1 + margin), cells.strengths[t]);
  }
};

constexpr unsigned levels = deepest + 2;

/// A warp per cell of others walks down the own tree, up to a cell that refuses it: one of its level, or a
/// leaf above.
__global__ void __launch_bounds__(32 * walk_warps)
    look(Cells cells, Look look, Test by, std::uint8_t* __restrict__ flags) {
  auto* const begins = dynamic_shared<std::uint32_t>();
  auto* const stack = begins + levels + threadIdx.x / 32 * stack_room;
  if (threadIdx.x < levels) begins[threadIdx.x] = look.level_begins[threadIdx.x];
  __syncthreads();
  const int lane = lane_id();
  for (std::uint32_t k = blockIdx.x * walk_warps + threadIdx.x / 32; k < look.count;
       k += gridDim.x * walk_warps) {
    const std::uint32_t s = look.first + k;
    const int its_level = int(look.heads[k].level);
    const Looker looker{cells, by, cells.places[s], cells.strengths[s]};
    bool found = false;
    int top = 0;
    push(0, lane == 0 ? 1 : 0, stack, top);
    while (top > 0 && !found) {
      const int taken = to_take(top);
      top -= taken;
      const bool mine = lane < taken;
      const std::uint32_t t = mine ? stack[top + lane] : 0;
      __syncwarp();
      const Cell cell = cells.cells[t];
      const int level = level_of(t, begins);
      const bool target = cell.children == 0 || level == its_level;
      const bool down = mine && !target && looker.may_be_refused_below(t, level);
      found = __ballot_sync(~0u, mine && target && looker.refused_by(t)) != 0;
      if (__ballot_sync(~0u, down) != 0) push(cell.first_child, down ? cell.children : 0, stack, top);
    }
    if (lane == 0) flags[k] = found ? 1 : 0;
    __syncwarp();
  }
}

/// A warp per piece.
template <class T>
__global__ void copy_each(const Mass<T>* __restrict__ from, const Piece* __restrict__ pieces,
                          std::size_t count, Mass<T>* __restrict__ to) {
  const std::size_t k = my_place() / 32;
  if (k >= count) return;
  const Piece piece = pieces[k];
  for (std::uint32_t i = threadIdx.x % 32; i < piece.count; i += 32) to[piece.to + i] = from[piece.from + i];
}

__global__ void shift(Cells cells, std::uint32_t count, std::uint32_t by) {
  const std::size_t k = my_place();
  if (k < count) cells.cells[k].begin += by, cells.cells[k].end += by;
}

Grid grid_of(std::size_t work) { return {.blocks = blocks_for(work, threads), .threads = threads}; }
Grid warps_of(std::size_t work) { return grid_of(32 * work); }

}  // namespace

void pack_cells(const Cells& cells, std::span<const std::uint32_t> which, const std::uint32_t* level_begins,
                const std::uint64_t* keys, const RowLayout& layout, std::uint32_t* rows, void* stream) {
  if (!which.empty())
    launch("tree cells to others", pack, warps_of(which.size()), stream, cells, which.data(), which.size(),
           level_begins, keys, layout, rows);
}
void unpack_cells(const std::uint32_t* rows, std::size_t count, const std::uint32_t* to, std::uint32_t first,
                  const RowLayout& layout, const Cells& cells, CellHead* heads, void* stream) {
  if (count > 0)
    launch("tree cells from others", unpack, warps_of(count), stream, rows, count, to, first, layout, cells,
           heads);
}
void find_branches(const Cells& cells, std::uint32_t count, const std::uint32_t* level_begins,
                   const SortedKeys& keys, std::uint32_t front, const KeyRange& own, std::uint32_t coarse,
                   const Branches& to, void* stream) {
  if (count > 0)
    launch("tree cells for all", find, grid_of(count), stream, cells, count, level_begins, keys, front, own,
           coarse, to);
}
void copy_cells(const Cells& cells, std::span<const CellCopy> copies, void* stream) {
  if (!copies.empty())
    launch("tree cells copied", copy, grid_of(copies.size()), stream, cells, copies.data(), copies.size());
}
void write_cells(const Cells& cells, std::span<const CellValue> values, void* stream) {
  if (!values.empty())
    launch("tree cells set", set_cells, grid_of(values.size()), stream, cells, values.data(), values.size());
}
void read_accelerations(const Cells& cells, std::span<const std::uint32_t> which, float* values,
                        void* stream) {
  if (!which.empty())
    launch("tree accelerations read", read, grid_of(which.size()), stream, cells, which.data(), which.size(),
           values);
}
void write_accelerations(const Cells& cells, std::span<const std::uint32_t> which, const float* values,
                         void* stream) {
  if (!which.empty())
    launch("tree accelerations set", write, grid_of(which.size()), stream, cells, which.data(), which.size(),
           values);
}
void look_into(const Cells& cells, const Look& at, const Acceptance& by, std::uint8_t* flags, void* stream) {
  if (at.count == 0) return;
  Test test = test_of(by);
  test.tolerance2 *= 1 - margin;
  launch("tree openings", look,
         {.blocks = std::min(most_walks, blocks_for(at.count, walk_warps)),
          .threads = 32 * walk_warps,
          .shared_bytes = stack_bytes + unsigned(sizeof(std::uint32_t)) * levels},
         stream, cells, at, test, flags);
}
template <class T>
void copy_pieces(const Mass<T>* from, std::span<const Piece> pieces, Mass<T>* to, void* stream) {
  if (!pieces.empty())
    launch("tree pieces", copy_each<T>, warps_of(pieces.size()), stream, from, pieces.data(), pieces.size(),
           to);
}
void shift_bodies(const Cells& cells, std::uint32_t count, std::uint32_t by, void* stream) {
  if (count > 0) launch("tree bodies shifted", shift, grid_of(count), stream, cells, count, by);
}

#define PLEIAD_FOR(T) template void copy_pieces(const Mass<T>*, std::span<const Piece>, Mass<T>*, void*);
PLEIAD_FOR(float)
PLEIAD_FOR(double)
#undef PLEIAD_FOR

}  // namespace pleiad::cuda::tree
