/// Where a rank runs: GPUs are shared out among the ranks of a host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/transport.hpp"

namespace pleiad::ranks {

/// This rank's number among those on its host, from 0 on. Collective.
int number_on_host(Transport& transport);

}  // namespace pleiad::ranks
