#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/tree/build.hpp"
#include "cuda/tree/count.hpp"
#include "cuda/tree/reader.hpp"

namespace pleiad::cuda::tree {
namespace {

constexpr unsigned warps = 8;

template <bool in_box>
__global__ void count_lists(Cells cells, Lists lists, Images images, std::uint32_t count, Counts* counts) {
  const std::uint32_t c = blockIdx.x * warps + threadIdx.x / 32;
  if (c >= count || !cells.takes(c)) return;
  const Cell cell = cells.cells[c];
  unsigned long long p2p = 0;
  if (cell.children == 0) {
    Reader reader(lists, lists.p2p[c]);
    for (std::uint32_t source = 0; reader.read(source);)
      if (reader.mine()) {
        const Cell leaf = cells.cells[cell_of<in_box>(source, images)];
        p2p += leaf.end - leaf.begin;
      }
  }
  if (p2p > 0) atomicAdd(&counts->pairs, p2p * (cell.end - cell.begin));
  if (lane_id() > 0) return;
  if (cell.children == 0) atomicAdd(&counts->leaves, 1ull);
  atomicAdd(&counts->m2l, static_cast<unsigned long long>(lists.m2l[c].count));
  atomicAdd(&counts->softened_m2l, static_cast<unsigned long long>(lists.softened_m2l[c].count));
}

__global__ void count_those(Cells cells, std::uint32_t count, unsigned long long* leaves) {
  const std::uint32_t c = blockIdx.x * (32 * warps) + threadIdx.x;
  const bool leaf = c < count && cells.cells[c].children == 0 && cells.takes(c);
  const unsigned all = __ballot_sync(~0u, leaf);
  if (lane_id() == 0 && all != 0) atomicAdd(leaves, static_cast<unsigned long long>(__popc(all)));
}

}  // namespace

Counts count_work(const Cells& cells, const Lists& lists, const Images& images, std::uint32_t count,
                  void* stream) {
  Buffer<Counts> counts(1, stream);
  counts.set_bytes(0);
  launch("tree count", images.any() ? count_lists<true> : count_lists<false>,
         {.blocks = blocks_for(count, warps), .threads = 32 * warps}, stream, cells, lists, images, count,
         counts.data());
  Counts on_host{};
  counts.copy_to_host({&on_host, 1});
  return on_host;
}

unsigned long long count_leaves(const Cells& cells, std::uint32_t count, void* stream) {
  Buffer<unsigned long long> leaves(1, stream);
  leaves.set_bytes(0);
  launch("tree leaves", count_those, {.blocks = blocks_for(count, 32 * warps), .threads = 32 * warps}, stream,
         cells, count, leaves.data());
  unsigned long long on_host = 0;
  leaves.copy_to_host({&on_host, 1});
  return on_host;
}

}  // namespace pleiad::cuda::tree
