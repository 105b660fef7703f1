/// Single instructions of the GPU, for rungs that select them; on the emulator, functions of the same
/// accuracy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"

#include <pleiad/vec.hpp>

#include <cmath>
#include <cstdint>

namespace pleiad::cuda {

struct alignas(16) Words {
  unsigned of[4];
};

#ifndef PLEIAD_EMULATE_CUDA

/// a b + c, rounded once: one slot.
__device__ inline float fma_rn(float a, float b, float c) {
  float d;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
  return d;
}
/// 1/sqrt(x) to 2^-22.4: one instruction of the special function unit, which has an eighth of the FMA rate.
__device__ inline float rsqrt_approx(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// 1/sqrt(x) to 2^-20: the upper word of the result, the lower one zero.
__device__ inline double rsqrt_approx(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
/// sqrt(x) to 2^-23, relative.
__device__ inline float sqrt_approx(float x) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// a / b to 2 units in the last place for b up to 2^126.
__device__ inline float divide_approx(float a, float b) {
  float c;
  asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
/// sqrt(x), rounded as IEEE 754 requires.
__device__ inline float sqrt_rn(float x) {
  float y;
  asm("sqrt.rn.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// a / b, rounded as IEEE 754 requires.
__device__ inline float divide_rn(float a, float b) {
  float c;
  asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
/// Index of the thread in its warp, read once: threadIdx.x % 32 may be computed again wherever it is used.
__device__ inline int lane_id() {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
/// Has the compiler load x here rather than where it is used.
__device__ inline void here_and_now(float& x) { asm volatile("" : "+f"(x)); }
__device__ inline void here_and_now(double& x) { asm volatile("" : "+d"(x)); }
/// *at through the read-only path (ld.global.nc), for data that nothing writes during the kernel.
__device__ inline Mass<float> read_only(const Mass<float>* at) {
  const float4 v = __ldg(reinterpret_cast<const float4*>(at));
  return {v.x, v.y, v.z, v.w};
}
__device__ inline Mass<double> read_only(const Mass<double>* at) {
  const double2 xy = __ldg(reinterpret_cast<const double2*>(at)),
                zm = __ldg(reinterpret_cast<const double2*>(at) + 1);
  return {xy.x, xy.y, zm.x, zm.y};
}
/// Writes `value` to `at` after all writes that are visible to this thread. A reader of `value` on any device
/// or the host, by the function below, sees them too.
__device__ inline void store_for_all(unsigned long long* at, unsigned long long value) {
  __threadfence_system();
  asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
__device__ inline unsigned long long load_from_any(const unsigned long long* at) {
  unsigned long long value;
  asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  return value;
}
/// *at += x, atomically for all devices.
__device__ inline void add_for_all(float* at, float x) { atomicAdd_system(at, x); }
/// 16 bytes, written and read as one by the two functions below: a reader sees all words or none.
/// Other memory is not ordered by them.
__device__ inline void store_whole(Words* at, Words w) {
  asm volatile(
      "{ .reg .b128 all; .reg .b64 low, high;\n mov.b64 low, {%1, %2};\n mov.b64 high, {%3, %4};\n"
      " mov.b128 all, {low, high};\n st.relaxed.gpu.global.b128 [%0], all; }" ::"l"(at),
      "r"(w.of[0]), "r"(w.of[1]), "r"(w.of[2]), "r"(w.of[3]));
}
__device__ inline Words load_whole(const Words* at) {
  Words w;
  asm volatile(
      "{ .reg .b128 all; .reg .b64 low, high;\n ld.relaxed.gpu.global.b128 all, [%4];\n"
      " mov.b128 {low, high}, all;\n mov.b64 {%0, %1}, low;\n mov.b64 {%2, %3}, high; }"
      : "=r"(w.of[0]), "=r"(w.of[1]), "=r"(w.of[2]), "=r"(w.of[3])
      : "l"(at));
  return w;
}
/// A clock that runs while a thread waits, in nanoseconds; it ticks in microseconds.
__device__ inline unsigned long long nanoseconds() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

#else

inline float fma_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float rsqrt_approx(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt_approx(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(1 / std::sqrt(x)) & ~0xFFFFFFFFull);
}
inline int lane_id() { return static_cast<int>(threadIdx.x % 32); }
inline void here_and_now(float&) {}
inline void here_and_now(double&) {}
inline float sqrt_approx(float x) { return std::sqrt(x); }
inline float divide_approx(float a, float b) { return a * (1 / b); }
inline float sqrt_rn(float x) { return std::sqrt(x); }
inline float divide_rn(float a, float b) { return a / b; }
inline Mass<float> read_only(const Mass<float>* at) { return *at; }
inline Mass<double> read_only(const Mass<double>* at) { return *at; }
inline void store_for_all(unsigned long long* at, unsigned long long value) { *at = value; }
inline void add_for_all(float* at, float x) { *at += x; }
inline unsigned long long load_from_any(const unsigned long long* at) { return *at; }
inline void store_whole(Words* at, Words w) { *at = w; }
inline Words load_whole(const Words* at) { return *at; }
/// A wait on the emulator cannot succeed, because no other thread runs meanwhile: each poll takes a second.
inline unsigned long long nanoseconds() {
  static unsigned long long now = 0;
  return now += 1'000'000'000;
}

#endif

/// x without the bits beyond single precision. By a mask: x - double(float(x)) of several coordinates is
/// folded to 0 by GCC 12 when it makes vectors of them.
__device__ inline double upper_bits(double x) {
  return __longlong_as_double(__double_as_longlong(x) & ~0x1FFFFFFFll);
}

}  // namespace pleiad::cuda
