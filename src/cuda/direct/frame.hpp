/// The frame in which the symmetric rungs compute: units in which the system is about as heavy as 1 and its
/// softening (or, without one, its extent) is of a fixed size, so that nothing over- or underflows, and
/// fixed-point sums have a range that does not depend on the bodies.
///
/// All units are powers of two, so nothing is rounded on the way in or out. The packed copy of the bodies is
/// padded to whole blocks with bodies so far away that their inverse cube is exactly 0 in every form of the
/// pair: full tiles need no test.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"

#include <pleiad/kernel/direct.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// Properties of the masses, as bits that are set. A form of the pair needs one of them.
enum Masses : unsigned {
  any_masses = 1,
  positive_masses = 2,  ///< none is 0, or so light that a product with it would be
  scalable_masses = 4,  ///< fit for the scaled source (rung 30), which also needs softening
  equal_masses = 8,     ///< positive, and all the same
};
/// A bit of Frame::masses in addition to them: floats relative to a middle of the system are too coarse, so
/// the bodies are along the curve if that was requested.
inline constexpr unsigned curve_needed = 16;

/// Found on the device from the bodies; read there by every kernel, so that the host never waits.
struct Frame {
  Vec3<double> origin{};  ///< of Mixed: a middle of the bodies; of others: 0
  double length = 1, mass = 1;
  double acceleration =
      1;  ///< mass / length^2, by which the sums are multiplied; NaN if some body is not finite
  unsigned masses = any_masses;
};

/// Softening in the frame: 2^-12 to 2^-11, or this where there is none (and the extent is 1/2 to 1).
/// Bodies nearer than its root count as softened: 1e-12 of the extent in single, 1e-18 in double precision.
template <class M>
inline constexpr M least_eps2 = sizeof(M) == 4 ? M(1e-24) : M(0x1p-120);

/// The box of 32 bodies that follow each other along the curve, relative to the first of them.
struct TileBox {
  Vec4<float> low, high;
};

/// The bodies in the frame, in the arithmetic of the pair, with padding behind them.
template <class P>
struct Framed {
  using M = typename P::Math;
  Buffer<Frame> frame;
  Buffer<Mass<M>> bodies;
  Buffer<Mass<M>> rests;  ///< Mixed: remainders of the positions after single precision; 47 bits together
  Buffer<std::uint32_t> ranks;  ///< rank of each body along the curve; none in the given order
  Buffer<TileBox> boxes;        ///< boxes of every 32 bodies, if they are along the curve
  M eps2 = 0;
};

enum class BodyOrder {
  given,
  /// Order along a space-filling curve, by the positions only, ties by the number; or the given order if that
  /// makes little difference.
  curve,
};
/// The problem's bodies in their frame, padded to `padded` bodies. Ordered by the problem's stream. Only
/// Mixed can have another order than the given one.
template <class P>
Framed<P> framed(const PairProblem<P>& problem, std::size_t padded, BodyOrder order = BodyOrder::given);

}  // namespace pleiad::cuda
