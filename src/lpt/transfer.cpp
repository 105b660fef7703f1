#include "lpt/transfer.hpp"

#include <cmath>
#include <numbers>

namespace pleiad::lpt {
namespace {

using std::numbers::e;

double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }

/// Equations 19 and 20.
double pressureless(double q, double alpha, double beta) {
  const double c = 14.2 / alpha + 386 / (1 + 69.9 * std::pow(q, 1.08)), l = std::log(e + 1.8 * beta * q);
  return l / (l + c * q * q);
}

/// Equation 15.
double suppression(double y) {
  const double root = std::sqrt(1 + y);
  return y * (-6 * root + (2 + 3 * y) * std::log((root + 1) / (root - 1)));
}

/// Equation 6; r: baryons over photons, at the drag epoch and at equality.
double sound_horizon_of(double k_eq, double r_drag, double r_eq, double z_ratio) {
  // Without baryons sound has the speed of light over the root of 3.
  if (r_eq == 0) return 2 / (3 * k_eq) * std::sqrt(6.0) * (std::sqrt(1 + z_ratio) - 1);
  return 2 / (3 * k_eq) * std::sqrt(6 / r_eq) *
         std::log((std::sqrt(1 + r_drag) + std::sqrt(r_drag + r_eq)) / (1 + std::sqrt(r_eq)));
}

}  // namespace

Transfer::Transfer(const Contents& contents) : h_(contents.h), baryons_(contents.omega_b / contents.omega_m) {
  const double m = contents.omega_m * h_ * h_, b = contents.omega_b * h_ * h_;
  const double theta = contents.t_cmb / 2.7, theta2 = theta * theta, cold = 1 - baryons_;
  const double z_eq = 2.5e4 * m / square(theta2);
  k_eq_ = 0.0746 * m / theta2;
  const double b1 = 0.313 * std::pow(m, -0.419) * (1 + 0.607 * std::pow(m, 0.674)),
               b2 = 0.238 * std::pow(m, 0.223);
  const double z_drag =
      1291 * std::pow(m, 0.251) / (1 + 0.659 * std::pow(m, 0.828)) * (1 + b1 * std::pow(b, b2));
  const double r = 31500 * b / square(theta2), r_drag = r / z_drag;
  sound_ = sound_horizon_of(k_eq_, r_drag, r / z_eq, z_eq / z_drag);
  k_silk_ = 1.6 * std::pow(b, 0.52) * std::pow(m, 0.73) * (1 + std::pow(10.4 * m, -0.95));
  const double a1 = std::pow(46.9 * m, 0.67) * (1 + std::pow(32.1 * m, -0.532)),
               a2 = std::pow(12.0 * m, 0.424) * (1 + std::pow(45.0 * m, -0.582));
  alpha_c_ = std::pow(a1, -baryons_) * std::pow(a2, -cube(baryons_));
  const double c1 = 0.944 / (1 + std::pow(458 * m, -0.708)), c2 = std::pow(0.395 * m, -0.0266);
  beta_c_ = 1 / (1 + c1 * (std::pow(cold, c2) - 1));
  alpha_b_ = 2.07 * k_eq_ * sound_ * std::pow(1 + r_drag, -0.75) * suppression((1 + z_eq) / (1 + z_drag));
  beta_b_ = 0.5 + baryons_ + (3 - 2 * baryons_) * std::sqrt(square(17.2 * m) + 1);
  beta_node_ = 8.41 * std::pow(m, 0.435);
}

double Transfer::operator()(double k) const {
  const double in_mpc = k * h_, q = in_mpc / (13.41 * k_eq_), ks = in_mpc * sound_;
  if (!(q > 0)) return 1;
  const double f = 1 / (1 + square(square(ks / 5.4)));
  const double cold = f * pressureless(q, 1, beta_c_) + (1 - f) * pressureless(q, alpha_c_, beta_c_);
  if (baryons_ == 0) return cold;
  const double x = ks / std::cbrt(1 + cube(beta_node_ / ks));
  const double wave = std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x;
  const double baryon =
      wave * (pressureless(q, 1, 1) / (1 + square(ks / 5.2)) +
              alpha_b_ / (1 + cube(beta_b_ / ks)) * std::exp(-std::pow(in_mpc / k_silk_, 1.4)));
  return baryons_ * baryon + (1 - baryons_) * cold;
}

SmoothTransfer::SmoothTransfer(const Contents& contents)
    : h_(contents.h), theta2_(square(contents.t_cmb / 2.7)), gamma_(contents.omega_m * contents.h) {
  const double m = contents.omega_m * h_ * h_, b = contents.omega_b * h_ * h_;
  const double baryons = contents.omega_b / contents.omega_m;
  sound_ = 44.5 * std::log(9.83 / m) / std::sqrt(1 + 10 * std::pow(b, 0.75));
  alpha_ = 1 - 0.328 * std::log(431 * m) * baryons + 0.38 * std::log(22.3 * m) * square(baryons);
}

double SmoothTransfer::operator()(double k) const {
  const double gamma = gamma_ * (alpha_ + (1 - alpha_) / (1 + square(square(0.43 * k * h_ * sound_))));
  const double q = k * theta2_ / gamma, l = std::log(2 * e + 1.8 * q), c = 14.2 + 731 / (1 + 62.5 * q);
  return l / (l + c * q * q);
}

}  // namespace pleiad::lpt
