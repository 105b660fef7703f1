#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

class StaticSpace final : public StepFactors {
 public:
  double kick(double, double) const override { return 1; }
  double drift(double, double) const override { return 1; }
  bool constant() const override { return true; }
};

}  // namespace

const StepFactors& static_space() {
  static const StaticSpace factors;
  return factors;
}

double time_of_step(double start, double dt, std::uint64_t step) {
  const double time = start + static_cast<double>(step) * dt;
  const double scale = std::max({std::abs(start), std::abs(time), std::abs(time - start)});
  if (!(scale > 0 && std::isfinite(scale))) return time;
  // 15 digits of the largest of the numbers that are rounded: decimals that many places behind it were meant.
  const int decimals = std::max(0, 14 - static_cast<int>(std::floor(std::log10(scale))));
  const double decimal = std::strtod(fmt::format("{:.{}f}", time, decimals).c_str(), nullptr);
  // One rounding of dt and one of the product, both relative, and one of the sum.
  return std::abs(decimal - time) <= std::numeric_limits<double>::epsilon() * scale ? decimal : time;
}

double StepPlan::time_of(std::uint64_t k) const {
  if (k == 0) return time;
  if (end) return *end;
  return count ? time_of_step(count->start, dt, count->done + k) : time + static_cast<double>(k) * dt;
}

const Integrator& integrator_named(std::string_view name) {
  if (name == "leapfrog") name = "kdk";
  if (name == "ias15") name = "gauss-radau";
  std::vector<std::string_view> names;
  for (const auto* i : integrators()) {
    if (i->name == name) return *i;
    names.push_back(i->name);
  }
  std::string all;
  for (const auto n : names) all += (all.empty() ? "" : ", ") + std::string(n);
  throw UsageError(
      "no integrator '" + std::string(name) + "': it is one of " + all + did_you_mean(name, names),
      Error::Code::unknown_name);
}

}  // namespace pleiad
