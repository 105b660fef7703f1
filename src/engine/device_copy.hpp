/// A copy of a GPU's state to the host while the GPU computes on: first a copy in GPU memory in the order of
/// its stream, then a transfer to the host in another stream. If the copy would take much of the GPU's
/// memory, the state is transferred directly, and later work in the stream waits for it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/peer.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace pleiad {

template <class T>
class DeviceCopy {
 public:
  using Low = std::array<double, 6>;  ///< see Bodies::low

  /// Allocates memory for n bodies; that for sums of pulls is allocated at their first use. `aside`: with a
  /// copy in GPU memory. `has_low`: the bodies have low parts.
  DeviceCopy(std::size_t n, bool aside, bool has_low = false)
      : n_(n),
        aside_(aside ? n : 0),
        x_(aside_, stream_.get()),
        v_(aside_, stream_.get()),
        low_(has_low ? aside_ : 0, stream_.get()),
        host_x_(n),
        host_v_(n),
        host_low_(has_low ? n : 0) {
    cuda::wait(stream_.get());  // other streams may use the memory from now on
  }
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;
  ~DeviceCopy() {
    // The host's memory must not be freed while the device still writes to it, if finish() was not called. A
    // device that has failed writes no more.
    try {
      if (busy_) there_.wait();
    } catch (...) {
    }
  }

  /// Whether n bodies are copied in GPU memory: if that takes at most a quarter of the free memory.
  static bool room_aside(std::size_t n) {
    return n * (sizeof(Mass<T>) + 2 * sizeof(Vec4<T>)) <= cuda::device_memory().first / 4;
  }
  /// Whether the content is no longer needed.
  bool free() const { return !busy_; }

  /// Starts the copy when `stream` reaches it; without `sums` if no fields are requested. `low`: low
  /// parts, if the bodies have them.
  void begin(const Mass<T>* x, const Vec4<T>* v, const Vec4<T>* sums, const Low* low, void* stream) {
    fields_ = sums != nullptr;
    if (fields_ && host_sums_.size() < n_) make_room_for_sums();
    busy_ = true;
    if (aside_ < n_) {
      bring(x, v, sums, low, stream);
      return;
    }
    cuda::copy_on_device(x_.data(), x, n_ * sizeof(*x), stream);
    cuda::copy_on_device(v_.data(), v, n_ * sizeof(*v), stream);
    if (fields_) cuda::copy_on_device(sums_.data(), sums, n_ * sizeof(*sums), stream);
    if (has_low()) cuda::copy_on_device(low_.data(), low, n_ * sizeof(Low), stream);
    set_aside_.set(stream);
    set_aside_.hold(stream_.get());
    bring(x_.data(), v_.data(), sums_.data(), low_.data(), stream_.get());
  }

  /// Waits for the copy and calls use(positions, velocities, sums, low parts); sums and low parts are empty
  /// if none were copied. May be called in any thread.
  template <class Use>
  void finish(const Use& use) {
    there_.wait();
    use(std::as_const(host_x_).span(), std::as_const(host_v_).span(),
        std::as_const(host_sums_).span().first(fields_ ? n_ : 0), std::as_const(host_low_).span());
    busy_ = false;
  }

 private:
  bool has_low() const { return host_low_.size() > 0; }
  void bring(const Mass<T>* x, const Vec4<T>* v, const Vec4<T>* sums, const Low* low, void* stream) {
    const auto to_host = [&](auto& host, const auto* device) {
      cuda::copy_to_pinned(host.data(), device, n_ * sizeof(*device), stream);
    };
    to_host(host_x_, x);
    to_host(host_v_, v);
    if (fields_) to_host(host_sums_, sums);
    if (has_low()) to_host(host_low_, low);
    there_.set(stream);
  }
  void make_room_for_sums() {
    host_sums_ = cuda::Staging<Vec4<T>>(n_);
    sums_ = cuda::Buffer<Vec4<T>>(aside_, stream_.get());
    cuda::wait(stream_.get());
  }

  std::size_t n_, aside_;           ///< bodies, and those of the device's copy: all or none
  std::atomic<bool> busy_ = false;  ///< begun and not finished
  bool fields_ = false;
  cuda::Stream stream_;
  cuda::Buffer<Mass<T>> x_;
  cuda::Buffer<Vec4<T>> v_, sums_;
  cuda::Buffer<Low> low_;
  cuda::Staging<Mass<T>> host_x_;
  cuda::Staging<Vec4<T>> host_v_, host_sums_;
  cuda::Staging<Low> host_low_;
  cuda::Mark set_aside_, there_;
};

}  // namespace pleiad
