/// A GPU as the module uses it: which one is the present one, when its work is done, memory for results.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace pleiad::python {

/// Does `work` with this GPU as the thread's present one. ResourceError when it cannot be, here and below.
void on_gpu(int gpu, const std::function<void()>& work);
/// Waits until all work in the stream of this GPU is done.
void wait_for(int gpu, void* stream);
/// Waits until the work in all its streams is done.
void wait_for_all(int gpu);
/// Memory of this GPU; ResourceError when there is not enough.
void* device_memory(int gpu, std::size_t bytes);
void free_device_memory(void* memory) noexcept;

}  // namespace pleiad::python
