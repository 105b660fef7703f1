#include <pleiad/error.hpp>
#include <pleiad/precision.hpp>

#include <array>
#include <string>

namespace pleiad {
namespace {
constexpr std::array<std::string_view, 3> names{"f32", "f64", "mixed"};
}
std::string_view name_of(Precision precision) { return names[static_cast<std::size_t>(precision)]; }
Precision precision_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<Precision>(i);
  throw UsageError(
      "no precision '" + std::string(name) + "': it is one of f32, f64, mixed" + did_you_mean(name, names),
      Error::Code::unknown_name);
}
}  // namespace pleiad
