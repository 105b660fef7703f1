/// Where blocks meet: the barrier of a grid whose blocks run together, and that of a cluster, whose blocks
/// reach into each other's shared memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"

namespace pleiad::cuda {

#ifndef PLEIAD_EMULATE_CUDA

/// Adds 1 after everything that the caller has seen or written.
__device__ inline void arrive(unsigned* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
/// What all who have arrived so far had written is seen after it.
__device__ inline unsigned look_at(const unsigned* counter) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
  return value;
}
/// The same for whoever looks, on any device, by load_from_any() of ptx.hpp.
__device__ inline void arrive_for_all(unsigned long long* counter) {
  __threadfence_system();
  asm volatile("red.release.sys.global.add.u64 [%0], 1;" ::"l"(counter) : "memory");
}
__device__ inline void spin() {}

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
/// The same place in the shared memory of another block of the cluster.
template <class T>
__device__ T* in_block(T* mine, unsigned rank) {
  T* its = mine;
#if __CUDA_ARCH__ >= 900
  asm("mapa.u64 %0, %1, %2;" : "=l"(its) : "l"(mine), "r"(rank));
#endif
  return its;
}

#else

inline void arrive(unsigned* counter) { ++*counter; }
inline unsigned look_at(const unsigned* counter) { return *counter; }
inline void arrive_for_all(unsigned long long* counter) { ++*counter; }
inline void spin() { emulator::spin(); }
inline void cluster_barrier() { emulator::wait_for_cluster(); }
inline unsigned rank_in_cluster() { return emulator::rank_in_cluster(); }
inline unsigned blocks_in_cluster() { return emulator::blocks_in_cluster(); }
template <class T>
T* in_block(T* mine, unsigned rank) {
  const auto offset = reinterpret_cast<unsigned char*>(mine) - emulator::shared_memory();
  return reinterpret_cast<T*>(emulator::shared_memory_of(rank) + offset);
}

#endif

/// Of a grid whose blocks run together (Grid::together): one counter, 0 at the launch, to which each block
/// adds 1 per meeting.
class GridBarrier {
 public:
  __device__ explicit GridBarrier(unsigned* counter) : counter_(counter) {}
  /// What any thread of the grid wrote before it is seen by every thread after it.
  __device__ void wait() {
    meeting_ += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      arrive(counter_);
      while (static_cast<int>(look_at(counter_) - meeting_) < 0) spin();
    }
    __syncthreads();
  }

 private:
  unsigned* counter_;
  unsigned meeting_ = 0;  ///< the counter when all have arrived; both may pass 2^32
};

}  // namespace pleiad::cuda
