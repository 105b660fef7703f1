/// Speed-ups over the serial loop, and the rejection of impossible ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/measure.hpp"

#include <cstddef>

namespace pleiad::bench {

/// Interactions per second of cpu/scalar in single precision on one thread while nothing else runs there: the
/// best of many evaluations of few bodies, since whatever disturbs one makes it slower.
double peak_of_serial_loop();

/// serial_seconds / seconds, both of one step or evaluation of n bodies. NumericalError when that is more
/// than clock_tolerance times `limit`, the rate that the hardware of `what` allows its formulation, over
/// `serial_peak`: then it is not the kernel that was fast but the serial loop that was disturbed.
double possible_speed_up(const Case& what, std::size_t n, double seconds, double serial_seconds, double limit,
                         double serial_peak);

}  // namespace pleiad::bench
