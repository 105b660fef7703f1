/// Updates of the state, body by body: kick, drift, wrap, and the check that everything is still a number.
/// Products and sums are rounded one by one, never fused, so passes that are merged give the same bits as
/// passes made one after another.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <span>

namespace pleiad::cpu {

/// v += h sums; w of a velocity stays 0 whatever w of the sums is. T is float or double, here and below.
template <class T>
void kick(std::span<Vec4<T>> v, std::span<const Vec4<T>> sums, T h);
/// x += h v; the mass stays because v.w == 0.
template <class T>
void drift(std::span<Mass<T>> x, std::span<const Vec4<T>> v, T h);
/// kick by hk, then drift by hd, in one pass over memory.
template <class T>
void kick_drift(std::span<Mass<T>> x, std::span<Vec4<T>> v, std::span<const Vec4<T>> sums, T hk, T hd);
/// kick by hk1, kick by hk2, then drift by hd: the end of one step and the beginning of the next.
template <class T>
void kick2_drift(std::span<Mass<T>> x, std::span<Vec4<T>> v, std::span<const Vec4<T>> sums, T hk1, T hk2,
                 T hd);

/// No NaN, no infinity.
template <class T>
bool all_finite(std::span<const Vec4<T>> values);
template <class T>
bool all_finite(std::span<const Mass<T>> values);

/// Positions into [0, length) of a periodic box, `length` excluded also after rounding; nothing in open
/// space. An axis without length (z in two dimensions) is left alone.
template <class T>
void wrap(std::span<Mass<T>> x, const Boundary& boundary);

}  // namespace pleiad::cpu
