/// A rung on the GPU, or its emulation, against the oracle.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "rung_checks.hpp"

#include "bench/shapes.hpp"

#include <pleiad/error.hpp>

namespace pleiad::conformance {
namespace {

template <class P>
void check(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  if (!kernel.has(precision_of<P>) || !holds<P>(kernel, s)) return;
  const auto words = [&] {
    return std::string(kernel.name) + " " + std::string(pleiad::name_of(precision_of<P>)) + " " +
           bench::name_of(shape) + " on " + name_of(s);
  };
  if (covered(kernel, s)) {
    EXPECT_LE((worst<P>(kernel, shape, s)), 1) << words();
  } else {
    EXPECT_THROW((worst<P>(kernel, shape, s)), UsageError) << words();
  }
}

}  // namespace

void check_rung(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  check<F32>(kernel, shape, s);
  check<F64>(kernel, shape, s);
  check<Mixed>(kernel, shape, s);
}

}  // namespace pleiad::conformance
