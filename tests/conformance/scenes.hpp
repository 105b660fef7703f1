/// The scenes of `pleiad verify`, for the tests.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scenes.hpp"

#include <gtest/gtest.h>
