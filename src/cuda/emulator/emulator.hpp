/// CUDA's thread hierarchy on the CPU, for tests without a GPU: the threads of a block are fibers, barriers
/// and shuffles are real.
///
/// A thread runs until it meets a barrier, a warp primitive or its end; then the next one in the chosen order
/// runs. So a missing barrier shows as a read of shared memory that others have not written yet (it is filled
/// with NaN before each block) in at least one of the orders forward, backward and shuffled. A barrier that
/// some thread of the block never reaches, or a full-mask warp primitive that some lane never reaches, is an
/// error, as are blocks and shared memory beyond the limits. Blocks run one after another in the order of the
/// threads, or, if the launch requires it, all (or those of a cluster) are alive at once: each runs until it
/// can only wait for others, so a missing barrier of the grid or the cluster shows in the same way, and
/// blocks that wait for each other in vain are an error. Atomics are plain operations. Kernels take their
/// shared memory from dynamic_shared<T>(), so that it can be poisoned.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__

struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

// The built-in variables of the thread that runs now.
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace pleiad::emulator {

/// The order in which the threads of a block get their turn.
enum class Order { forward, backward, shuffled };
inline Order order = Order::forward;

/// Runs `thread` once per thread of every block; std::logic_error names the defect when threads wait for each
/// other in vain.
/// `together`: all blocks are alive at once; else those of a cluster of `cluster` blocks are.
void run_grid(dim3 grid, dim3 block, std::size_t shared_bytes, const std::function<void()>& thread,
              bool together = false, unsigned cluster = 1);

/// Called by the primitives below, from a running thread.
void wait_for_block();
void wait_for_warp();
/// Whether `mine` holds in any thread of the block: a barrier.
bool any_in_block(bool mine);
/// The slot through which lane `lane` of the running thread's warp passes a value in the present exchange,
/// and its end.
void* exchange_slot(int lane);
void end_exchange();
/// A bit for each lane of the running thread's warp: whether `mine` holds there.
unsigned ballot(bool mine);
unsigned char* shared_memory();
/// Lets other threads and blocks run before the caller polls again.
void spin();
void wait_for_cluster();
unsigned rank_in_cluster();
unsigned blocks_in_cluster();
unsigned char* shared_memory_of(unsigned rank);
int lane();

template <class T>
T exchange(T value, int source) {
  static_assert(sizeof(T) <= 8);
  std::memcpy(exchange_slot(lane()), &value, sizeof(T));
  wait_for_warp();
  std::memcpy(&value, exchange_slot(source), sizeof(T));
  end_exchange();
  return value;
}

}  // namespace pleiad::emulator

template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(pleiad::emulator::shared_memory());
}

inline void __syncthreads() { pleiad::emulator::wait_for_block(); }
inline int __syncthreads_or(int mine) { return pleiad::emulator::any_in_block(mine != 0); }
inline void __syncwarp(unsigned = ~0u) { pleiad::emulator::wait_for_warp(); }

template <class T>
T __shfl_sync(unsigned, T value, int source, int width = 32) {
  const int me = pleiad::emulator::lane();
  return pleiad::emulator::exchange(value, (me & ~(width - 1)) | (source & (width - 1)));
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return pleiad::emulator::exchange(value, pleiad::emulator::lane() ^ mask);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int delta, int width = 32) {
  const int me = pleiad::emulator::lane();
  return pleiad::emulator::exchange(value, (me & (width - 1)) + delta < width ? me + delta : me);
}

template <class T>
T __shfl_up_sync(unsigned, T value, int delta) {
  const int me = pleiad::emulator::lane();
  return pleiad::emulator::exchange(value, me >= delta ? me - delta : me);
}
inline unsigned __ballot_sync(unsigned, bool mine) { return pleiad::emulator::ballot(mine); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(unsigned(x)) + 1; }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }

template <class T>
T atomicAdd(T* at, T value) {
  const T before = *at;
  *at = before + value;
  return before;
}
template <class T>
T atomicMax(T* at, T value) {
  const T before = *at;
  if (value > before) *at = value;
  return before;
}
template <class T>
T atomicMin(T* at, T value) {
  const T before = *at;
  if (value < before) *at = value;
  return before;
}
template <class T>
T __ldg(const T* at) {
  return *at;
}

inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline long long __float2ll_rn(float x) { return std::llrint(x); }
inline long long __double2ll_rn(double x) { return std::llrint(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
