#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/multi_gpu/probe.hpp"

#include <pleiad/vec.hpp>

#include <vector>

namespace pleiad::cuda {
namespace {

/// More than a page, so that an address translation that is wrong beyond the first shows.
constexpr unsigned partial_sums = 1u << 16, threads = 256;

PLEIAD_HD unsigned pattern(unsigned seed, unsigned k) { return (k + seed) * 2654435761u ^ seed << 20; }

__global__ void write_pattern(unsigned* to, unsigned seed) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < partial_sums) to[k] = pattern(seed, k);
}
__global__ void read_back(const unsigned* from, unsigned* to) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < partial_sums) to[k] = from[k];
}

bool holds(const std::vector<unsigned>& there, unsigned first, unsigned seed) {
  for (unsigned k = 0; k < partial_sums; ++k)
    if (there[first + k] != pattern(seed, k)) return false;
  return true;
}

}  // namespace

std::string why_not_reachable(int from, int to) {
  const Grid grid{.blocks = partial_sums / threads, .threads = threads};
  const auto seed = static_cast<unsigned>(1 + 16 * from + to);
  std::vector<unsigned> there(3 * partial_sums, 0);
  Reachable<unsigned> box;
  {
    const OnDevice here(to);
    const Stream stream;
    box = Reachable<unsigned>(2 * partial_sums);
    fill(box.data(), 0, 2 * partial_sums * sizeof(unsigned), stream.get());
    wait(stream.get());
  }
  {
    const OnDevice here(from);
    const Stream stream;
    Reachable<unsigned> own(partial_sums);
    launch("probe", write_pattern, grid, stream.get(), box.data(), seed);
    launch("probe", write_pattern, grid, stream.get(), own.data(), seed + 1);
    copy_between(box.data() + partial_sums, to, own.data(), from, partial_sums * sizeof(unsigned),
                 stream.get());
    launch("probe", read_back, grid, stream.get(), box.data(), own.data());
    copy_to_host(there.data() + 2 * partial_sums, own.data(), partial_sums * sizeof(unsigned), stream.get());
  }
  {
    const OnDevice here(to);
    const Stream stream;
    copy_to_host(there.data(), box.data(), 2 * partial_sums * sizeof(unsigned), stream.get());
  }
  if (!holds(there, 0, seed)) return "what a kernel writes there does not arrive";
  if (!holds(there, partial_sums, seed + 1)) return "what is copied there does not arrive";
  if (!holds(there, 2 * partial_sums, seed)) return "a kernel does not read what is there";
  return "";
}

std::string why_not_reachable(int count) {
  const auto cannot = [](int from, int to, const std::string& why) {
    return "GPU " + std::to_string(from) + " cannot use the memory of GPU " + std::to_string(to) + ": " + why;
  };
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to)
      if (from != to && !allow_access(from, to)) return cannot(from, to, "the driver does not allow it");
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to)
      if (const auto why = from == to ? std::string() : why_not_reachable(from, to); !why.empty())
        return cannot(from, to, why);
  return "";
}

}  // namespace pleiad::cuda
