/// The motion of free bodies in Hill's frame: x'' = 2 w y' + (4 w^2 - k^2) x, y'' = -2 w x', z'' = -n^2 z. It
/// is linear and has a solution in closed form, which takes the place of the drift along straight lines. So
/// the tide and the Coriolis force need no kick, and a leapfrog is exact where nothing else acts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>
#include <pleiad/vec.hpp>

#include <optional>
#include <span>
#include <vector>

namespace pleiad::potentials {

/// The numbers of a drift that takes a time t.
struct HillDrift {
  double time = 0;
  double rate2 = 0;          ///< 2 w
  double radial = 0;         ///< 4 w^2 - k^2
  double per_kappa2 = 0;     ///< 1 / k^2
  double sine = 0;           ///< sin(k t)
  double versine = 0;        ///< 1 - cos(k t)
  double kappa = 0;          ///< k
  double sine_z = 0;         ///< n sin(n t)
  double cosine_z = 0;       ///< cos(n t)
  double sine_z_per_nu = 0;  ///< sin(n t) / n, t where n = 0
};

/// The bodies drift from position x with velocity v. In double precision, whatever the state is stored in.
/// With e = (2 w v_y + (4 w^2 - k^2) x) / k^2, the distance from x to the guiding centre: dx = e (1 - cos k
/// t) + v_x sin(k t) / k, dv_x = e k sin k t - v_x (1 - cos k t), dv_y = -2 w dx, dy = v_y t - 2 w (e (t -
/// sin(k t) / k) + v_x (1 - cos k t) / k^2).
template <class T>
PLEIAD_HD void drift(const HillDrift& d, Mass<T>& x, Vec4<T>& v) {
  const double vx = double(v.x), vy = double(v.y), vz = double(v.z), z = double(x.z);
  const double e = (d.rate2 * vy + d.radial * double(x.x)) * d.per_kappa2, s = d.sine / d.kappa;
  const double dx = e * d.versine + vx * s;
  const double dy = vy * d.time - d.rate2 * (e * (d.time - s) + vx * d.versine * d.per_kappa2);
  x = {T(double(x.x) + dx), T(double(x.y) + dy), T(z * d.cosine_z + vz * d.sine_z_per_nu), x.m};
  v = {T(vx + (e * d.kappa * d.sine - vx * d.versine)), T(vy - d.rate2 * dx),
       T(vz * d.cosine_z - z * d.sine_z), T(0)};
}

/// The frame of the potential "hill".
class HillFrame {
 public:
  explicit HillFrame(const Potential& hill);
  HillDrift drift_of(double time) const;

 private:
  double rate_, kappa_, nu_;
};
/// Whether a potential is the tide of Hill's frame: its force is a part of the drift, not of the kicks.
bool is_hill(const Potential& potential);
/// The frame, if one of the potentials is of this kind.
std::optional<HillFrame> hill_frame_of(std::span<const Potential> potentials);
/// Those that kick.
std::vector<Potential> kicking(std::span<const Potential> potentials);

}  // namespace pleiad::potentials
