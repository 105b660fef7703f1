/// Transfer functions of cold dark matter and baryons: D. J. Eisenstein and W. Hu, Astrophysical Journal 496,
/// 605 (1998), fits to a few per cent.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::lpt {

/// Matter at a = 1 and the photons.
struct Contents {
  double omega_m = 0;  ///< matter, baryons included, relative to the critical density
  double omega_b = 0;  ///< baryons: 0 to omega_m, less than all of it
  double h = 0;        ///< H0 in 100 km/s/Mpc
  double t_cmb = 0;    ///< kelvin
};

/// T(k), 1 for k = 0, with the acoustic oscillations: their equations 2 to 24.
class Transfer {
 public:
  explicit Transfer(const Contents& contents);
  /// `k` in h/Mpc.
  double operator()(double k) const;
  /// Distance that sound travels until the drag epoch (equation 6), in Mpc.
  double sound_horizon() const { return sound_; }

 private:
  double h_, baryons_, k_eq_, sound_, k_silk_, alpha_c_, beta_c_, alpha_b_, beta_b_, beta_node_;
};

/// T(k) without oscillations: their equations 26 and 28 to 31.
class SmoothTransfer {
 public:
  explicit SmoothTransfer(const Contents& contents);
  /// `k` in h/Mpc.
  double operator()(double k) const;

 private:
  double h_, theta2_, gamma_, alpha_, sound_;
};

}  // namespace pleiad::lpt
