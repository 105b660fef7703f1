/// The GPUs of the emulated host, all alike.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/inventory.hpp"

#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/emulator/peer.hpp"
#include "cuda/emulator/runtime.hpp"

#include <pleiad/error.hpp>

#include <tuple>

namespace pleiad::cuda {

Driver driver() {
  Driver d{.presence = Presence::usable,
           .why = why_no_device(),
           .version = "none",
           .runtime = "none",
           .capabilities = "none"};
  if (!d.why.empty()) d.presence = Presence::broken;
  return d;
}

std::vector<Gpu> all_gpus() {
  std::vector<Gpu> gpus;
  for (int k = 0; k < emulator::devices; ++k) {
    Gpu gpu{
        .index = k, .name = "emulated GPU", .bus = "none", .multiprocessors = 1, .clock = 1e9, .why_not = {}};
    try {
      std::tie(gpu.free, gpu.total) = device_memory();
    } catch (const ResourceError& e) {
      gpu.why_not = e.what();
    }
    gpus.push_back(gpu);
  }
  return gpus;
}

}  // namespace pleiad::cuda
