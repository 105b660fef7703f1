/// A GPU as the module uses it: which one is the present one, when its work is done, memory for results.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace pleiad::python {

/// This GPU is the thread's present one while it lives. ResourceError when it cannot be.
class OnGpu {
 public:
  explicit OnGpu(int gpu);
  ~OnGpu();
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;

 private:
  int before_ = 0;
};

/// Until all that was queued in the stream of the present GPU is done.
void wait_for(void* stream);
/// Memory of the present GPU; ResourceError when there is not enough.
void* device_memory(std::size_t bytes);
void free_device_memory(void* memory) noexcept;

}  // namespace pleiad::python
