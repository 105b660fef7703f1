/// Messages for failed allocations, with the purpose of the memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pleiad {

/// Runs `work` and returns its result; ResourceError "out of memory for `what`" if an allocation fails.
/// `what` names the option or the key that needs it.
template <class Work>
decltype(auto) needing_memory(std::string_view what, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw ResourceError("out of memory for " + std::string(what), Error::Code::out_of_memory);
  } catch (const std::length_error&) {
    throw ResourceError("out of memory for " + std::string(what), Error::Code::out_of_memory);
  }
}

}  // namespace pleiad
