/// Messages for failed CUDA calls: cause and remedy, in one line. Without CUDA calls, so that every text is
/// tested without a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pleiad::cuda {

/// Classes of failed calls by what the user can do.
enum class ErrorClass { memory, launch, ecc, lost, busy, no_code, old_driver, other };

/// After these every later call of the process fails too.
constexpr bool is_sticky(ErrorClass t) {
  return t == ErrorClass::launch || t == ErrorClass::ecc || t == ErrorClass::lost;
}

/// A call that failed.
struct Failure {
  ErrorClass error_class = ErrorClass::other;
  std::string_view words, name;     ///< CUDA's own: "out of memory", "cudaErrorMemoryAllocation"
  std::string_view where{};         ///< the calling function
  std::size_t wanted = 0;           ///< requested bytes, 0 if unknown
  std::size_t free = 0, total = 0;  ///< of the device's memory; 0 if unknown
};
/// Returns the message: "CUDA: out of memory (cudaErrorMemoryAllocation in allocate): CAUSE, and REMEDY".
std::string explain(const Failure& failure);
/// Code of the ResourceError for a failure of this class.
constexpr Error::Code error_code_of(ErrorClass c) {
  if (is_sticky(c)) return Error::Code::device_failed;
  if (c == ErrorClass::memory) return Error::Code::out_of_device_memory;
  if (c == ErrorClass::busy) return Error::Code::in_use;
  return c == ErrorClass::other ? Error::Code::unavailable : Error::Code::no_device;
}
/// "allocate" from "void* pleiad::cuda::allocate(std::size_t, void*)", as std::source_location spells it.
std::string_view short_name(std::string_view function);

/// "8.0, 9.0" from the build's list "80,90".
std::string capabilities(std::string_view architectures);
/// Message for a GPU for which the binary has no code.
std::string no_code_for(std::string_view device, int major, int minor, std::string_view architectures);
/// Message for a driver that supports an older CUDA than the binary's; versions are CUDA's numbers: 13000 is
/// 13.0.
std::string driver_too_old(int driver, int runtime);
/// "13.0" from 13000.
std::string version_named(int number);

}  // namespace pleiad::cuda
