/// A build without CUDA reports that it has none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor.hpp"

namespace pleiad::doctor {

Findings examine_gpus() { return {{Mark::note, "GPU", "driver", "not checked: this build runs on the CPU"}}; }
std::string cuda_of_this_build() { return ""; }
std::vector<DeviceMemory> device_memories() { return {}; }

}  // namespace pleiad::doctor
