/// What a simulation says of itself, as dictionaries.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/simulation.hpp>

namespace pleiad::python {

Dict dict_of(const ForceErrors& errors);
/// The engine, the method and the law.
Dict description_of(const Simulation& simulation);

}  // namespace pleiad::python
