/// The clocks of pairs of bodies: how soon two would fall together, or pass each other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace pleiad::cpu {

struct PairMember {
  Vec3<double> x, v;
  double m = 0;
};

inline constexpr std::uint32_t no_partner = std::numeric_limits<std::uint32_t>::max();

/// For each of the bodies [first, first + partners.size()) of all, the body with which its clock is fastest:
/// the larger one of G (m_i + m_j) / R^3 and (|v| / R)^2, where R^2 = r^2 + eps^2. `massive`: of those with
/// mass alone. no_partner: there is none. Nearest images in a periodic box. The same for any number of
/// threads.
void find_partners(std::span<const PairMember> all, std::size_t first, const Gravity& gravity, bool massive,
                   std::span<std::uint32_t> partners);

/// The rate, 1 / time, at which two bodies want to be stepped. With tau eta times the shorter one of their
/// clocks the step is tau / (1 - tau' / 2), which is the same to second order when it is found from the end
/// of a step (Pelupessy et al. 2012, arXiv:1205.5668); tau' is at most 1.
double rate_of_pair(const PairMember& i, const PairMember& j, const Gravity& gravity, double eta);

}  // namespace pleiad::cpu
