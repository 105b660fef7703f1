#include "doctor/health.hpp"

#include <fmt/format.h>

namespace pleiad::doctor {
namespace {

std::string counted(std::optional<std::uint64_t> count) {
  return count ? std::to_string(*count) : std::string("an unknown number");
}

/// Data have been lost since the driver was loaded: earlier results may be wrong, and the error may recur.
Finding ecc_of(const Health& h, const std::string& group) {
  if (!h.ecc.value_or(false)) return {Mark::note, group, "ECC", "off: errors of the memory go unnoticed"};
  Finding f{Mark::ok, group, "ECC", "on"};
  if (!h.uncorrected && !h.uncorrected_ever) return f;
  f.text += fmt::format("; errors: {} corrected and {} not since the driver was loaded, {} and {} ever",
                        counted(h.corrected), counted(h.uncorrected), counted(h.corrected_ever),
                        counted(h.uncorrected_ever));
  if (h.uncorrected_ever.value_or(0) > 0) f.mark = Mark::note;
  if (h.uncorrected.value_or(0) > 0) f.mark = Mark::broken;
  f.numbers = {{"uncorrected", double(h.uncorrected.value_or(0))},
               {"uncorrected_ever", double(h.uncorrected_ever.value_or(0))}};
  return f;
}

}  // namespace

Findings findings_of(const Health& h, const std::string& group) {
  Findings found;
  if (h.ecc) found.push_back(ecc_of(h, group));
  if (h.ecc && h.ecc_after_reboot && *h.ecc != *h.ecc_after_reboot)
    found.push_back({Mark::note, group, "ECC",
                     fmt::format("will be {} after a reboot", *h.ecc_after_reboot ? "on" : "off")});
  if (!h.megahertz || !h.celsius) return found;
  std::string text = fmt::format("{} MHz now", *h.megahertz);
  if (h.most_megahertz) text += fmt::format(" of at most {}", *h.most_megahertz);
  text += fmt::format(", {} degrees Celsius", *h.celsius);
  for (std::size_t k = 0; k < h.slowed_by.size(); ++k)
    text += (k == 0 ? "; slowed down by " : ", ") + h.slowed_by[k];
  found.push_back({h.slowed_by.empty() ? Mark::ok : Mark::note,
                   group,
                   "clock",
                   text,
                   {{"megahertz", *h.megahertz}, {"celsius", *h.celsius}}});
  return found;
}

}  // namespace pleiad::doctor
