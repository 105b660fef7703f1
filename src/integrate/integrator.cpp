#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <string>
#include <vector>

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
