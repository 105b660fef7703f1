/// Candidate trees for a request: one of each kind, the likeliest first, with an estimate of theta or
/// tolerance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/solver_request.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/precision.hpp>

#include <cstddef>
#include <vector>

namespace pleiad::tune {

/// The families of trees for a request. UsageError if no tree on that device meets it in that precision and
/// space. `net`: the typical acceleration over that of the pulls in it, where these cancel: an error of
/// accuracy times `net` of the pulls is one of the accuracy of what is left. See Trial::net.
std::vector<TreeSettings> families(const SolverRequest& request, Device where, Precision precision,
                                   const Gravity& gravity, std::size_t n, double net = 1);

/// Settings to begin a search with, where the pulls of `settings` have the error `measured`, less than what
/// the request asks for: the likeliest order for `net` that is not above the present one, with a parameter
/// for it.
TreeSettings replanned(const TreeSettings& settings, const SolverRequest& request, const Gravity& gravity,
                       double net, double measured);

/// The typical size of exact accelerations of a sample over that of the pulls in them, 4 G M / L^2, as half
/// of a full box pulls a body between its halves; at least 1e-6, and at most 1.
double net_of(const std::vector<Vec3<double>>& exact, const Sample& sample, double G);

/// Leaves to try, from small to large.
std::vector<int> leaves_of(const TreeSettings& settings);
/// Numbers of bodies that share a walk, likewise; empty for settings without groups.
std::vector<int> groups_of(const TreeSettings& settings);

}  // namespace pleiad::tune
