/// The ends of a run without failure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::run {

enum class End { done, stopped /**< early, with a valid checkpoint */ };

}  // namespace pleiad::run
