/// Precision policies: the types of positions, of the arithmetic of a pair, and of sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pleiad {

/// Everything in single precision (long sums use several accumulators).
struct F32 {
  using Position = float;
  using Math = float;
  using Sum = float;
};
/// Everything in double precision.
struct F64 {
  using Position = double;
  using Math = double;
  using Sum = double;
};
/// State in double precision, differences as pairs of floats, pairs in single precision, sums of tiles in
/// double. The default.
struct Mixed {
  using Position = double;
  using Math = float;
  using Sum = double;
};

/// The precision policy of a computation: see F32, F64 and Mixed.
enum class Precision { f32, f64, mixed };

/// Returns "f32", "f64" or "mixed".
std::string_view name_of(Precision precision);
/// Returns the precision with this name; UsageError with the nearest name.
Precision precision_named(std::string_view name);

}  // namespace pleiad
