/// Version and commit of the program.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad::app {

/// "0.1.0 (commit 123456789abc)".
std::string name_and_commit();
/// Version and commit, compiler, and the vector instructions that the kernels use here.
std::string version();

}  // namespace pleiad::app
