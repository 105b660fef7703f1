/// The GPU of a module without kernels for one: none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device.hpp"
#include "module/device.hpp"

#include <pleiad/error.hpp>

namespace pleiad::python {

OnGpu::OnGpu(int) { throw ResourceError(why_no_device()); }
OnGpu::~OnGpu() = default;

void wait_for(void*) {}
void* device_memory(std::size_t) { throw ResourceError(why_no_device()); }
void free_device_memory(void*) noexcept {}

}  // namespace pleiad::python
