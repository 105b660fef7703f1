#include "run/look.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

std::array<int, 2> axes_of(const std::string& projection) {
  if (projection == "xy") return {0, 1};
  if (projection == "xz") return {0, 2};
  if (projection == "yz") return {1, 2};
  throw UsageError("output.projection = '" + projection + "': it is one of xy, xz, yz");
}

}  // namespace

Look::Look(const Options& o)
    : view{.axes = axes_of(o.output.projection),
           .half_width = o.output.picture_extent,
           .size = o.output.picture_size} {}

void Look::settle(const View& fitted) {
  settled = true;
  if (view.half_width == 0) view = fitted;
  else view.centre = fitted.centre;
}

std::string Look::text() const {
  std::string text;
  for (const double v : {view.centre.x, view.centre.y, view.centre.z, view.half_width})
    text += fmt::format("{:a} ", v);
  for (const double v : exposure.low) text += fmt::format("{:a} ", v);
  for (const double v : exposure.high) text += fmt::format("{:a} ", v);
  return text + (exposure.set ? "1" : "0");
}

void Look::restore(const std::string& text) {
  std::istringstream in(text);
  const auto number = [&in] {
    std::string word;
    in >> word;
    return std::strtod(word.c_str(), nullptr);
  };
  for (double* v : {&view.centre.x, &view.centre.y, &view.centre.z, &view.half_width}) *v = number();
  for (auto& v : exposure.low) v = number();
  for (auto& v : exposure.high) v = number();
  exposure.set = number() != 0;
  settled = view.half_width > 0;
}

}  // namespace pleiad::run
