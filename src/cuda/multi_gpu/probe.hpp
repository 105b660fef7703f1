/// The peer-access probe: the peer access that drivers report does not always work.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad::cuda {

/// Tests one direction, in which access is enabled: returns the failure of kernels and copies on `from` that
/// use the memory of `to`, or "".
std::string why_not_reachable(int from, int to);
/// Switches access on between the devices 0 to `count` - 1 and tries it for each pair, both ways: a kernel
/// and a copy write into the other's memory, which is looked at there, and a kernel reads it back. "" when
/// all arrived as it was sent, else the first fault: "GPU 0 cannot use the memory of GPU 1: ...".
std::string why_not_reachable(int count);

}  // namespace pleiad::cuda
