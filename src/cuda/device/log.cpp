/// The record of launches: the same for CUDA and for its emulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device.hpp"

namespace pleiad::cuda {
namespace {
thread_local LaunchLog* present = nullptr;
}

LaunchLog::LaunchLog() : outer_(present) { present = this; }
LaunchLog::~LaunchLog() { present = outer_; }

void note_launch(const void* kernel, std::string_view name, const Grid& grid) {
  if (present != nullptr) present->add({std::string(name), kernel, grid});
}

}  // namespace pleiad::cuda
