/// External potentials as text: every kind and parameter is read, written and refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// A text with these values of the parameters, but for one.
std::string text_without(const PotentialKind& kind, std::string_view left_out, double value = 0.5) {
  std::string text(kind.name);
  for (const auto& p : kind.parameters)
    if (p.name != left_out) text += fmt::format(" {}={}", p.name, value);
  return text;
}
/// The sentence of the refusal.
std::string refusal(const std::string& text) {
  try {
    (void)potential_of(text);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(PotentialText, GivesTheSameBitsAgain) {
  Random random(3, 0);
  for (std::size_t kind = 0; kind < potential_kinds().size(); ++kind)
    for (int k = 0; k < 50; ++k) {
      Potential p;
      p.kind = static_cast<int>(kind);
      const auto& parameters = potential_kinds()[kind].parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) p.parameters[i] = std::exp(5 * random.normal());
      for (std::size_t i = 0; i < parameters.size(); ++i)
        p.parameters[i] = std::min(std::max(p.parameters[i], parameters[i].low), parameters[i].high);
      if (k % 2 == 0) p.centre = {random.normal(), random.normal(), 1e-310 * random.normal()};
      EXPECT_EQ(potential_of(text_of(p)), p) << text_of(p);
    }
  std::vector<Potential> all;
  for (const auto& kind : potential_kinds()) all.push_back(potential_of(text_without(kind, "")));
  EXPECT_EQ(potentials_of_lines(lines_of(all)), all);
  EXPECT_TRUE(potentials_of_lines("").empty());
}

TEST(PotentialText, NeedsEveryParameterThatHasNoDefault) {
  for (const auto& kind : potential_kinds())
    for (const auto& p : kind.parameters) {
      const auto why = refusal(text_without(kind, p.name));
      EXPECT_EQ(has(why, fmt::format("needs {}", p.name)), p.required) << why;
      EXPECT_EQ(why.empty(), !p.required);
    }
}

TEST(PotentialText, RefusesWhatItDoesNotKnowWithTheNearestName) {
  for (const auto& kind : potential_kinds()) {
    const auto whole = text_without(kind, "");
    EXPECT_EQ(refusal(whole), "");
    EXPECT_TRUE(has(refusal(std::string(kind.name) + "x"), fmt::format("'{}'?", kind.name))) << kind.name;
    for (const auto& p : kind.parameters) {
      const std::string name(p.name);
      EXPECT_TRUE(has(refusal(whole + " " + name + "=1"), name + " is given twice")) << whole;
      if (name.size() > 2) {
        const auto why = refusal(text_without(kind, p.name) + " " + name + "s=1");
        EXPECT_TRUE(has(why, "no parameter '" + name + "s'") && has(why, "'" + name + "'?")) << why;
      }
      for (const auto* value : {"", "one", "1e999", "nan", "inf", "1,5", "0x10"})
        EXPECT_TRUE(has(refusal(text_without(kind, p.name) + " " + name + "=" + value), "finite number"))
            << name << "=" << value;
      for (const double value : {p.low > -1e300 ? p.low - std::abs(p.low) - 1 : std::nan(""), 1e308}) {
        if (!(value < p.low || value > p.high)) continue;
        const auto why = refusal(text_without(kind, p.name) + fmt::format(" {}={}", name, value));
        EXPECT_TRUE(has(why, "out of range")) << why;
      }
    }
    for (const auto* axis : {"x", "y", "z"}) {
      EXPECT_EQ(refusal(whole + " " + axis + "=-2.5"), "");
      EXPECT_TRUE(has(refusal(whole + " " + axis + "=1 " + axis + "=1"), "given twice"));
    }
    EXPECT_TRUE(has(refusal(whole + " word"), "name=value"));
  }
  EXPECT_TRUE(has(refusal(""), "is empty"));
  EXPECT_TRUE(has(refusal("  \t "), "is empty"));
  EXPECT_TRUE(has(refusal("mass=1"), "no potential 'mass=1'"));
}

}  // namespace pleiad
