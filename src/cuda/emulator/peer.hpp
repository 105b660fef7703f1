/// Properties of the emulated devices that a test may change.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::emulator {

/// Number of devices; all share the host's memory.
inline int devices = 4;
/// The peer access that the driver reports; and whether it works: otherwise copies never arrive.
inline bool access = true, access_works = true;

}  // namespace pleiad::emulator
