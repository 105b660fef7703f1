/// The emulated host's devices: what a test may change about them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::emulator {

/// How many there are; all share the host's memory.
inline int devices = 4;
/// What the driver says about access between any two of them; and whether it speaks the truth: otherwise
/// what is copied between them never arrives.
inline bool access = true, access_works = true;

}  // namespace pleiad::emulator
