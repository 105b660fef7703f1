#include "cpu/target.hpp"

#include <bit>
#include <cctype>
#include <string>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/target.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {
std::int64_t this_target() { return HWY_TARGET; }
int lanes_f32() { return int(hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<float>())); }
}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>

namespace pleiad {
namespace cpu {
HWY_EXPORT(this_target);
HWY_EXPORT(lanes_f32);

namespace {
std::int64_t dispatched_target() { return HWY_DYNAMIC_DISPATCH(this_target)(); }
int dispatched_lanes() { return HWY_DYNAMIC_DISPATCH(lanes_f32)(); }

/// Instruction sets of this machine, before one is forced.
const std::vector<std::int64_t>& offered() {
  static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  return targets;
}
std::string in_capitals(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}
}  // namespace

std::vector<std::string_view> simd_targets() {
  std::vector<std::string_view> names;
  for (const std::int64_t target : offered()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_simd_target(std::string_view name) {
  if (name.empty()) return hwy::SetSupportedTargetsForTest(0);
  const std::string wanted = in_capitals(name);
  for (const std::int64_t target : offered())
    if (hwy::TargetName(target) == wanted) return hwy::SetSupportedTargetsForTest(target);
  const auto names = simd_targets();
  std::string known;
  for (const std::string_view n : names) known += (known.empty() ? "" : ", ") + std::string(n);
  throw UsageError("no instruction set '" + std::string(name) + "' on this machine; it has " + known +
                       did_you_mean(wanted, names),
                   Error::Code::unknown_name);
}

std::string why_no_simd_target(std::int64_t compiled, std::int64_t processor) {
  if ((compiled & processor) != 0) return "";
  const auto oldest = static_cast<std::int64_t>(std::bit_floor(std::uint64_t(compiled)));  // better: lower
  return "this program was built for processors with " + std::string(hwy::TargetName(oldest)) +
         ", which this one has not; build it on this machine, or with -DPLEIAD_OLD_PROCESSORS=ON";
}

void need_simd_target() {
  if (const auto why = why_no_simd_target(HWY_TARGETS, hwy::SupportedTargets()); !why.empty())
    throw ResourceError(why);
}
}  // namespace cpu

std::string_view simd_target() { return hwy::TargetName(cpu::dispatched_target()); }
int simd_lanes_f32() { return cpu::dispatched_lanes(); }
}  // namespace pleiad
#endif
