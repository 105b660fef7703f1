/// Barriers of blocks: that of a grid whose blocks run together, and that of a cluster, whose blocks access
/// each other's shared memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "cuda/device/ptx.hpp"

namespace pleiad::cuda {

#ifndef PLEIAD_EMULATE_CUDA

/// Adds 1 after all reads and writes of the caller.
__device__ inline void arrive(unsigned* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
/// Returns the count; writes of all threads that have arrived so far are visible after it.
__device__ inline unsigned load_current(const unsigned* counter) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
  return value;
}
/// Adds 1 for readers on any device, which poll by load_from_any() of ptx.hpp.
__device__ inline void arrive_for_all(unsigned long long* counter) {
  __threadfence_system();
  asm volatile("red.release.sys.global.add.u64 [%0], 1;" ::"l"(counter) : "memory");
}
__device__ inline void spin() {}
/// Whether the condition holds in all lanes of the warp: they continue together. On the emulator each lane
/// continues by itself.
__device__ inline bool in_all_lanes(bool come) { return __all_sync(~0u, come) != 0; }

// Clusters came with compute capability 9.0; elsewhere the launch is refused, and this code is never reached.
__device__ inline void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
__device__ inline unsigned rank_in_cluster() {
  unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return rank;
}
__device__ inline unsigned blocks_in_cluster() {
  unsigned blocks = 1;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
#endif
  return blocks;
}
/// Counts the bytes that other blocks of the cluster send into this one's shared memory: in it, at a multiple
/// of 8.
using Arrivals = unsigned long long;
__device__ inline unsigned in_shared(const void* mine) {
  return static_cast<unsigned>(__cvta_generic_to_shared(mine));
}
/// Initialises a count. Must be called by one thread, before a barrier of the cluster.
__device__ inline void begin_arrivals(Arrivals* count) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(in_shared(count))
      : "memory");
#endif
}
/// The next phase ends after `bytes` more bytes have arrived. Must be called once for each phase.
__device__ inline void expect_arrivals(Arrivals* count, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(count)), "r"(bytes)
               : "memory");
#endif
}
/// Waits until the first, third ... phase has ended (parity 0), or the second, fourth ... one (1): its data
/// are visible then. A thread must not be two phases late.
__device__ inline void wait_for_arrivals(Arrivals* count, unsigned parity) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{ .reg .pred come;\nagain:\n"
      " mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 come, [%0], %1;\n"
      " @!come bra again; }" ::"r"(in_shared(count)),
      "r"(parity)
      : "memory");
#endif
}
/// Sends w to where `mine` is in the shared memory of another block of the cluster, to be counted there.
__device__ inline void send(void* mine, Arrivals* count, unsigned rank, Words w) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{ .reg .b32 to, counter;\n mapa.shared::cluster.u32 to, %0, %2;\n"
      " mapa.shared::cluster.u32 counter, %1, %2;\n"
      " st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [to], {%3, %4, %5, %6}, [counter]; }" ::
          "r"(in_shared(mine)),
      "r"(in_shared(count)), "r"(rank), "r"(w.of[0]), "r"(w.of[1]), "r"(w.of[2]), "r"(w.of[3])
      : "memory");
#endif
}

#else

inline void arrive(unsigned* counter) { ++*counter; }
inline unsigned load_current(const unsigned* counter) { return *counter; }
inline void arrive_for_all(unsigned long long* counter) { ++*counter; }
inline void spin() { emulator::spin(); }
inline bool in_all_lanes(bool come) { return come; }
inline void cluster_barrier() { emulator::wait_for_cluster(); }
inline unsigned rank_in_cluster() { return emulator::rank_in_cluster(); }
inline unsigned blocks_in_cluster() { return emulator::blocks_in_cluster(); }

struct Arrivals {
  int missing = 0;
  unsigned phase = 0;  ///< twice the number of the phase, plus 1 if its expected bytes are set
  void count(int bytes) {
    missing += bytes;
    if (missing == 0 && phase % 2 == 1) ++phase;
  }
};
static_assert(sizeof(Arrivals) == 8);
inline void begin_arrivals(Arrivals* count) { *count = {}; }
inline void expect_arrivals(Arrivals* count, unsigned bytes) {
  ++count->phase;
  count->count(static_cast<int>(bytes));
}
inline void wait_for_arrivals(Arrivals* count, unsigned parity) {
  while (count->phase / 2 % 2 == parity) emulator::spin();
}
template <class T>
T* in_block(T* mine, unsigned rank) {
  const auto offset = reinterpret_cast<unsigned char*>(mine) - emulator::shared_memory();
  return reinterpret_cast<T*>(emulator::shared_memory_of(rank) + offset);
}
inline void send(void* mine, Arrivals* count, unsigned rank, Words w) {
  *in_block(static_cast<Words*>(mine), rank) = w;
  in_block(count, rank)->count(-static_cast<int>(sizeof w));
}

#endif

/// Barrier of a grid whose blocks run together (Grid::together): one counter, 0 at the launch, to which each
/// block adds 1 for each barrier.
class GridBarrier {
 public:
  __device__ explicit GridBarrier(unsigned* counter) : counter_(counter) {}
  /// Writes of any thread of the grid before it are visible to every thread after it.
  __device__ void wait() {
    arrivals_expected_ += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      arrive(counter_);
      while (static_cast<int>(load_current(counter_) - arrivals_expected_) < 0) spin();
    }
    __syncthreads();
  }

 private:
  unsigned* counter_;
  unsigned arrivals_expected_ = 0;  ///< the counter when all have arrived; both may pass 2^32
};

}  // namespace pleiad::cuda
