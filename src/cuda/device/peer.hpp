/// Several devices of one host: which one is present, and memory that others may reach. Plain C++. Streams,
/// buffers and launches belong to the device that is present when they are made.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace pleiad::cuda {

/// 0 where none can be used.
int device_count();
std::string name_of_device(int device);
/// UUID of a device, unique among the GPUs of the host.
std::string identity_of_device(int device);
int present_device();
void select_device(int device);
/// Blocks until all work in all streams of the present device is done, those of other libraries included.
void wait_for_all();

/// Makes a device the present one, and afterwards the one before it again.
class OnDevice {
 public:
  explicit OnDevice(int device) : before_(present_device()) { select_device(device); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice();

 private:
  int before_;
};

/// Whether the driver lets kernels on `from` use the reachable memory of `to`; it is switched on. That they
/// really can is for probe.hpp to prove.
bool allow_access(int from, int to);

/// Memory of the present device that others may reach, once they are allowed to.
void* allocate_reachable(std::size_t bytes);
void release_reachable(void* memory) noexcept;
/// Memory of the host that all devices reach, slowly, at the same address.
void* allocate_pinned(std::size_t bytes);
void release_pinned(void* memory) noexcept;
/// Memory of the host that copies come to or from without waiting, and no kernel reaches. Much of it takes a
/// third of the time of as much pinned memory.
void* allocate_staging(std::size_t bytes);
void release_staging(void* memory) noexcept;

/// Copies from the memory of one device to that of another by the copy engines, in the order of `stream`.
void copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                  void* stream);
/// Between pinned or staging memory and the device's, without waiting.
void copy_from_pinned(void* device, const void* pinned, std::size_t bytes, void* stream);
void copy_to_pinned(void* pinned, const void* device, std::size_t bytes, void* stream);
/// Whether all work in `stream` is done; throws its failure.
bool done(void* stream);

/// `size` elements of T that are allocated and freed by these two functions, uninitialised.
template <class T, void* (*take)(std::size_t), void (*give)(void*) noexcept>
class Owned {
 public:
  Owned() = default;
  explicit Owned(std::size_t size)
      : data_(static_cast<T*>(size == 0 ? nullptr : take(size * sizeof(T)))), size_(size) {}
  Owned(Owned&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Owned& operator=(Owned&& other) noexcept {
    Owned taken(std::move(other));  // its former memory is released here
    std::swap(data_, taken.data_), std::swap(size_, taken.size_);
    return *this;
  }
  ~Owned() {
    if (data_ != nullptr) give(data_);
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};
template <class T>
using Reachable = Owned<T, allocate_reachable, release_reachable>;
template <class T>
using Pinned = Owned<T, allocate_pinned, release_pinned>;
template <class T>
using Staging = Owned<T, allocate_staging, release_staging>;

}  // namespace pleiad::cuda
