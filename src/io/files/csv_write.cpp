/// Writing CSV: a few comment lines, a header, 17 digits, so that reading it back gives the same doubles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.hpp"

#include <iterator>

#include <fmt/format.h>

namespace pleiad::files {

std::string csv_text(const Snapshot& s, std::string_view provenance) {
  return csv_head(s, provenance, s.bodies.size()) + csv_rows(s);
}

std::string csv_head(const Snapshot& s, std::string_view provenance, std::size_t bodies) {
  std::string out;
  const auto to = std::back_inserter(out);
  // A reader takes the first word before a colon for a key, so this one is none of its own; a text of several
  // lines, a whole configuration, is kept by HDF5 alone.
  if (!provenance.empty() && provenance.find_first_of("\n\r") == provenance.npos)
    fmt::format_to(to, "# made by: {}\n", provenance);
  const Units& u = s.units;
  if (u.name == "custom")
    fmt::format_to(to, "# units: custom {} {} {}\n", u.length_cm, u.mass_g, u.velocity_cm_s);
  else fmt::format_to(to, "# units: {}\n", u.name);
  fmt::format_to(to, "# time: {:.17g}\n# step: {}\n", s.time, s.step);
  if (s.G != u.G()) fmt::format_to(to, "# G: {:.17g}\n", s.G);
  const auto& l = s.boundary.length;
  if (s.boundary.periodic) fmt::format_to(to, "# periodic: {:.17g} {:.17g} {:.17g}\n", l.x, l.y, l.z);
  if (s.boundary.all_images()) fmt::format_to(to, "# images: all\n");
  fmt::format_to(to, "# bodies: {}\n", bodies);
  const bool pulls = !s.ax.empty(), potential = !s.potential.empty();
  fmt::format_to(to, "id,type,mass,x,y,z,vx,vy,vz{}{}\n", pulls ? ",ax,ay,az" : "",
                 potential ? ",potential" : "");
  return out;
}

std::string csv_rows(const Snapshot& s) {
  const Bodies& b = s.bodies;
  const bool pulls = !s.ax.empty(), potential = !s.potential.empty();
  std::string out;
  out.reserve(b.size() * 160);
  const auto to = std::back_inserter(out);
  for (std::size_t i = 0; i < b.size(); ++i) {
    fmt::format_to(to, "{},{}", b.id[i], type_names[std::size_t(b.type[i])]);
    for (const auto* a : {&b.mass, &b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz})
      fmt::format_to(to, ",{:.17g}", (*a)[i]);
    if (pulls)
      for (const auto* a : {&s.ax, &s.ay, &s.az}) fmt::format_to(to, ",{:.17g}", (*a)[i]);
    if (potential) fmt::format_to(to, ",{:.17g}", s.potential[i]);
    out += '\n';
  }
  return out;
}

}  // namespace pleiad::files
