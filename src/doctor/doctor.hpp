/// Checks of the machine: hardware, software, whether they work, and their limits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/finding.hpp"
#include "io/config/options.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace pleiad::doctor {

/// Version, compiler, libraries, and the CUDA that it was built with.
Findings examine_program(const std::string& version);
/// Driver, GPUs, their health, direct access between them, and a computation on each.
Findings examine_gpus();
/// Processor, vectors, memory, and a computation.
Findings examine_cpu();
/// Findings on programs and libraries that are used if they are installed, and on the file that keeps
/// measurements; an empty path: none.
Findings examine_surroundings(const std::filesystem::path& cache);
/// The most bodies that fit, for each device and precision.
Findings examine_sizes();
/// Findings on the resources that a run would need and take.
Findings examine_run(const Options& options, const std::filesystem::path& cache);

/// The instruction set in use as processors' manuals call it: "AVX-512" for Highway's "AVX3".
std::string instruction_set();
/// "13.0, code for ...", or "" in a build without CUDA.
std::string cuda_of_this_build();
/// Free bytes of each usable GPU; none in a build without CUDA.
struct DeviceMemory {
  std::string device;  ///< "GPU 0"
  std::size_t free = 0;
};
std::vector<DeviceMemory> device_memories();

}  // namespace pleiad::doctor
