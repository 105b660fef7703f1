#include "run/layzer_irvine.hpp"

#include "run/energy_record.hpp"

#include <cmath>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* a_name = "layzer_irvine_a";
constexpr const char* kinetic_name = "layzer_irvine_kinetic";
constexpr const char* integral_name = "layzer_irvine_integral";

/// The integral from a to b of the power of a that has the values f and g there; of a line where one is 0.
double integral_of_power(double a, double f, double b, double g) {
  if (a == b) return 0;
  if (!(f > 0 && g > 0)) return 0.5 * (f + g) * (b - a);
  // f a^-n integral a^n da = (b g - a f) / (n + 1), and a f ln(b / a) where n is -1.
  const double length = std::log(b / a), n1 = std::log(g / f) / length + 1, x = n1 * length;
  return a * f * length * (std::abs(x) < 1e-8 ? 1 + 0.5 * x : std::expm1(x) / x);
}

}  // namespace

void make_physical(Totals& totals, double a) {
  totals.energies.kinetic /= a * a;
  totals.energies.potential /= a;
  totals.energies.external /= a;
  totals.centre.velocity = totals.centre.velocity * (1 / a);
}

double LayzerIrvine::invariant(double a, const Energies& e) {
  if (a_ > 0) integral_ += integral_of_power(a_, kinetic_, a, e.kinetic);
  a_ = a, kinetic_ = e.kinetic;
  return a * e.total() + integral_;
}

void LayzerIrvine::save(Checkpoint& c) const {
  if (!(a_ > 0)) return;
  c.extra[a_name] = fmt::format("{:a}", a_);
  c.extra[kinetic_name] = fmt::format("{:a}", kinetic_);
  c.extra[integral_name] = fmt::format("{:a}", integral_);
}

void LayzerIrvine::restore(const Checkpoint& c) {
  restore_number(c, a_name, a_);
  restore_number(c, kinetic_name, kinetic_);
  restore_number(c, integral_name, integral_);
}

}  // namespace pleiad::run
