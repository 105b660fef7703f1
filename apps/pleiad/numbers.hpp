/// Numbers on the command line: counts may be written as 1e6; a value out of range is refused with the
/// range.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

#include <limits>
#include <string>

namespace pleiad::app {

/// The whole text as a number, or NaN.
double number_in(const std::string& text);

/// `option.transform(whole_number(1, 1e9))`: rewrites 1e6 to 1000000 where that is exact, so that an integer
/// can be read from it.
Rule whole_number(double low, double high = 0x1p53);

/// `option.transform(seed_number())`: as the configuration's seeds, exact up to 2^63 - 1; or 1e6.
Rule seed_number();

/// `option.check(number(0, 1))`: finite and within the bounds; `above` excludes the lower one.
Rule number(double low = std::numeric_limits<double>::lowest(),
            double high = std::numeric_limits<double>::max(), bool above = false);

}  // namespace pleiad::app
