/// Environment variables of the command; the library reads none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace pleiad::app {

/// The file for measurements: see tune::cache_file.
std::filesystem::path tuning_cache();
/// PLEIAD_CUDA_FAULT: see inject_device_fault.
void obey_environment();

}  // namespace pleiad::app
