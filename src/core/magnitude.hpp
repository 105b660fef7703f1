/// Readable text for times and large numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad {

/// "1:02:03", "4:05", "12 s".
std::string duration(double seconds);
/// "7.12 G", "350 M", "12 k".
std::string metric(double value);

}  // namespace pleiad
