/// The best shape of the symmetric steps for each number of bodies: shapes differ in their results, so one
/// GPU and several must agree.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::cuda {

/// 4 bodies a thread make more pairs of blocks to deal out than 8, which need fewer slots a pair. Measured on
/// an H200, G/s with 4 and 8: f32 2419 and 2219 at 12288 bodies, 2687 and 3051 at 16384; mixed 2179 and
/// 1902, 2475 and 2694. With times that grow by n^2 and by n there, they meet at 13300 (mixed 13800).
inline constexpr unsigned four_a_thread_up_to = 13300;

}  // namespace pleiad::cuda
