/// Faults made on purpose: the k-th call of the CUDA runtime fails, so that every way out of a run is tested.
///
/// PLEIAD_CUDA_FAULT=7:ecc in the environment of the command, which reads it (inject_device_fault), makes the
/// seventh call fail (kinds: memory, launch, ecc, lost), and after a sticky one all later calls, as CUDA
/// itself does. Calls are counted where their errors are looked at, by the real library and by the emulated
/// one alike; calls that free something are not, since a failure to do so is ignored. On a GPU a launch
/// failure is not pretended: a kernel traps, and the context is lost.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/error_class.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pleiad::cuda {

struct Fault {
  std::uint64_t call = 0;  ///< the first is 1
  ErrorClass error_class = ErrorClass::memory;
};

/// Parses a fault such as "7:ecc"; UsageError, with the form, for other texts.
Fault fault_named(std::string_view text);
/// Injects the fault from this call on; calls are counted anew. Must not be called concurrently with CUDA
/// calls.
void inject(std::optional<Fault> fault);

/// Counts a call; the fault that it meets, if any.
std::optional<ErrorClass> next_fault();

}  // namespace pleiad::cuda
