/// The systems of an ensemble, made from the configuration: checked, displaced, and each different from the
/// next.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/ensemble/scan.hpp"

#include <pleiad/ensemble.hpp>

#include <string>
#include <vector>

namespace pleiad::run {

struct Systems {
  std::vector<Member> members;
  std::vector<std::string> notes;
  std::string precision;           ///< why it was chosen; "" where it is stated or as usual
  std::vector<std::string> files;  ///< that were read
};
/// Writes the interval of diagnostics that "0" came to, and the precision that the systems need, back into
/// `options`; the rest of them stays as it is, since "auto" may come to something else for the next system.
/// UsageError for systems that would all be the same, or that differ in start time or units; ResourceError
/// before memory is taken that is not there.
Systems make_systems(Options& options, const Scan& scan);

}  // namespace pleiad::run
