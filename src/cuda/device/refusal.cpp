#include "cuda/device/refusal.hpp"

#include <pleiad/error.hpp>

#include <string>

namespace pleiad::cuda {

void need_within(const Limits& l, std::string_view name, const Grid& g) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError("cannot launch '" + std::string(name) + "': " + why);
  };
  const auto number = [](std::size_t v) { return std::to_string(v); };
  const std::size_t threads = std::size_t{g.threads} * g.threads_y;
  if (threads == 0) refuse("0 threads per block; it must be 1 to " + number(l.threads));
  if (threads > l.threads)
    refuse(number(threads) + " threads per block; the device allows at most " + number(l.threads));
  if (threads > l.threads_by_registers)
    refuse(number(threads) + " threads per block; with its " + number(l.registers) +
           " registers per thread at most " + number(l.threads_by_registers) + " fit");
  if (g.shared_bytes > l.shared_bytes)
    refuse(number(g.shared_bytes) + " bytes of shared memory per block; at most " + number(l.shared_bytes) +
           " are left for it");
  if (g.blocks > l.blocks) refuse(number(g.blocks) + " blocks; the grid allows at most " + number(l.blocks));
  if (g.blocks_y > l.blocks_y)
    refuse(number(g.blocks_y) + " blocks in y; the grid allows at most " + number(l.blocks_y));
  if (g.cluster > 1 && l.cluster <= 1)
    refuse("a cluster of " + number(g.cluster) +
           " blocks; the device has no clusters (compute capability 9.0 has)");
  if (g.cluster > l.cluster)
    refuse("a cluster of " + number(g.cluster) + " blocks; of this shape the device runs at most " +
           number(l.cluster) + " together");
  if (g.cluster == 0 || g.blocks % g.cluster != 0)
    refuse(number(g.blocks) + " blocks; they must be a multiple of the cluster's " + number(g.cluster));
  if (g.together && std::size_t{g.blocks} * g.blocks_y > l.together)
    refuse(number(std::size_t{g.blocks} * g.blocks_y) +
           " blocks that wait for each other; the device runs at most " + number(l.together) +
           " of this shape at once");
}

void need_free(std::size_t bytes, std::size_t free) {
  if (bytes > free)
    throw ResourceError(std::to_string(bytes) + " bytes of managed memory; the device has " +
                            std::to_string(free) + " free, and beyond that pages would move in and out",
                        Error::Code::out_of_device_memory);
}

}  // namespace pleiad::cuda
