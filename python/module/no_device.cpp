/// The GPU of a module without kernels for one: none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device.hpp"
#include "module/device.hpp"

#include <pleiad/error.hpp>

namespace pleiad::python {

void on_gpu(int, const std::function<void()>&) { throw ResourceError(why_no_device()); }
void wait_for(int, void*) {}
void wait_for_all(int) {}
void* device_memory(int, std::size_t) { throw ResourceError(why_no_device()); }
void free_device_memory(void*) noexcept {}

}  // namespace pleiad::python
