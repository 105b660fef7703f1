/// The peer-access probe: what drivers report about peer access is not always true.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad::cuda {

/// Tries one direction, in which access is switched on: what goes wrong when kernels and copies on `from` use
/// the memory of `to`, or "".
std::string why_not_reachable(int from, int to);
/// Switches access on between the devices 0 to `count` - 1 and tries it for each pair, both ways: a kernel
/// and a copy write into the other's memory, which is looked at there, and a kernel reads it back. "" when
/// all arrived as it was sent, else the first fault: "GPU 0 cannot use the memory of GPU 1: ...".
std::string why_not_reachable(int count);

}  // namespace pleiad::cuda
