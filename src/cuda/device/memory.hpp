/// Device memory: owned by buffers, ordered by streams. Plain C++: the same header for CUDA and for its
/// emulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace pleiad::cuda {

void* allocate(std::size_t bytes, void* stream);
void release(void* memory, void* stream) noexcept;
/// Every byte set to `value`, in the order of `stream`.
void fill(void* memory, int value, std::size_t bytes, void* stream);
void copy_to_device(void* device, const void* host, std::size_t bytes, void* stream);
/// Copies from the device's memory, or managed memory, to either.
void copy_on_device(void* to, const void* from, std::size_t bytes, void* stream);
/// Blocks until the copy is there.
void copy_to_host(void* host, const void* device, std::size_t bytes, void* stream);
/// Blocks until all work in `stream` is done, and throws its failure.
void wait(void* stream);
/// Keeps up to `bytes` bytes of memory that is released on the present device in this process, so that
/// allocating them again takes microseconds, not milliseconds.
void keep_released(std::size_t bytes);
/// During its lifetime, if `on`, large buffers that this thread makes consist of physical pages, so that the
/// memory of a released buffer serves any others. In the pool a buffer needs one piece that is large enough,
/// and released pieces of other sizes are lost to it. Making and releasing take longer, and releasing waits
/// for the stream. Other devices cannot access such buffers.
class InPages {
 public:
  explicit InPages(bool on);
  ~InPages();
  InPages(const InPages&) = delete;
  InPages& operator=(const InPages&) = delete;

 private:
  bool before_;
};
/// Free and total bytes of the present device.
std::pair<std::size_t, std::size_t> device_memory();

/// Managed memory: its pages move to the processor that accesses them, host or device. ResourceError if it is
/// more than the device has free: then pages would move out and in during the kernel, which is very slow.
void* allocate_managed(std::size_t bytes);
/// Blocks until everything on the device is done.
void release_managed(void* memory) noexcept;

/// `size` elements of T in managed memory, uninitialised.
template <class T>
class Managed {
 public:
  explicit Managed(std::size_t size)
      : data_(static_cast<T*>(size == 0 ? nullptr : allocate_managed(size * sizeof(T)))) {}
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  ~Managed() {
    if (data_ != nullptr) release_managed(data_);
  }
  T* data() { return data_; }

 private:
  T* data_;
};

/// `size` elements of T on the device, uninitialised, freed in the order of the stream that they were made
/// for.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size, void* stream = nullptr)
      : data_(static_cast<T*>(size == 0 ? nullptr : allocate(size * sizeof(T), stream))),
        size_(size),
        stream_(stream) {}
  explicit Buffer(std::span<const T> host, void* stream = nullptr) : Buffer(host.size(), stream) {
    copy_from_host(host);
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        stream_(other.stream_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));  // its former memory is released here
    std::swap(data_, taken.data_), std::swap(size_, taken.size_), std::swap(stream_, taken.stream_);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) release(data_, stream_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }
  void copy_from_host(std::span<const T> host) {
    copy_to_device(data_, host.data(), host.size_bytes(), stream_);
  }
  void copy_to_host(std::span<T> host) const {
    cuda::copy_to_host(host.data(), data_, host.size_bytes(), stream_);
  }
  void set_bytes(int value) { fill(data_, value, size_ * sizeof(T), stream_); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  void* stream_ = nullptr;
};

}  // namespace pleiad::cuda
