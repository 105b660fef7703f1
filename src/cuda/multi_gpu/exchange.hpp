/// Exchange of positions and sums between devices of one host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pleiad::cuda {

/// None changes any bit.
enum class Exchange {
  direct,  ///< each writes its positions into the memory of all others, and reads their sums there
  copies,  ///< positions are copied from device to device; sums are read where they are
  host,    ///< both go through pinned memory of the host: needs no access between devices
};
constexpr std::string_view name_of(Exchange exchange) {
  return exchange == Exchange::direct   ? "peer access"
         : exchange == Exchange::copies ? "peer copies"
                                        : "copies through the host";
}

}  // namespace pleiad::cuda
