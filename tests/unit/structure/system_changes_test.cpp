/// What became of bound systems: every kind of event, those of several at once, and the text of the list.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/system_changes.hpp"

#include <pleiad/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

KnownSystem known(std::vector<std::uint64_t> stars, double axis = 1) {
  return {.stars = stars,
          .id_1 = stars.front(),
          .id_2 = stars.back(),
          .mass_1 = 2,
          .mass_2 = 1,
          .semi_major_axis = axis,
          .eccentricity = 0.1,
          .hardness = 3 / axis,
          .told_axis = axis,
          .number = 7};
}

/// "binary-exchanged 1 4 (2)" of each event.
std::vector<std::string> words_of(const std::vector<KnownSystem>& before, std::vector<KnownSystem> now,
                                  const std::vector<std::uint64_t>& ids = {1, 2, 3, 4, 5, 6, 7, 8}) {
  std::vector<std::string> words;
  for (const auto& e : system_changes(before, now, ids)) {
    auto& text = words.emplace_back(system_change_names.at(std::size_t(e.change)));
    for (const auto id : e.system.stars) text += fmt::format(" {}", id);
    if (e.left) text += fmt::format(" ({})", *e.left);
    const bool over =
        e.change == SystemChange::binary_ionised || e.change == SystemChange::hierarchy_dissolved;
    EXPECT_EQ(e.system.number.has_value(), !over) << text;
  }
  return words;
}
using Words = std::vector<std::string>;

}  // namespace

TEST(SystemChanges, AreNamedAfterWhatBecameOfTheStars) {
  EXPECT_EQ(words_of({}, {known({1, 2})}), Words{"binary-formed 1 2"});
  EXPECT_EQ(words_of({known({1, 2})}, {}), Words{"binary-ionised 1 2"});
  EXPECT_EQ(words_of({known({1, 2})}, {known({1, 2})}), Words{});
  EXPECT_EQ(words_of({known({1, 2})}, {known({1, 4})}), Words{"binary-exchanged 1 4 (2)"});
  EXPECT_EQ(words_of({known({1, 2})}, {known({3, 4})}), (Words{"binary-ionised 1 2", "binary-formed 3 4"}));
  EXPECT_EQ(words_of({known({1, 2})}, {known({1, 2}), known({1, 2, 3})}), Words{"hierarchy-formed 1 2 3"});
  EXPECT_EQ(words_of({known({1, 2}), known({1, 2, 3})}, {known({1, 2})}), Words{"hierarchy-dissolved 1 2 3"});
}

TEST(SystemChanges, GiveEachBinaryThatHasEndedOneRow) {
  EXPECT_EQ(words_of({known({1, 2}), known({3, 4})}, {known({1, 3}), known({2, 4})}),
            (Words{"binary-exchanged 1 3 (2)", "binary-exchanged 2 4 (3)"}));
  EXPECT_EQ(words_of({known({1, 2})}, {known({1, 3}), known({2, 4})}),
            (Words{"binary-formed 2 4", "binary-exchanged 1 3 (2)"}));
  EXPECT_EQ(words_of({known({1, 2}), known({3, 4})}, {known({1, 3})}),
            (Words{"binary-ionised 3 4", "binary-exchanged 1 3 (2)"}));
}

TEST(SystemChanges, DoNotBlameTheLossOfABody) {
  // Star 2 has merged, or was removed: that has a row of its own.
  const std::vector<std::uint64_t> left{1, 3, 4};
  EXPECT_EQ(words_of({known({1, 2})}, {}, left), Words{});
  EXPECT_EQ(words_of({known({1, 2}), known({1, 2, 3})}, {known({1, 3})}, left), Words{"binary-formed 1 3"});
}

TEST(SystemChanges, AreToldAgainAfterAnotherTenth) {
  std::vector<KnownSystem> before{known({1, 2})};
  const std::vector<std::uint64_t> ids{1, 2};
  std::vector<double> told;
  // Each of the first steps is below a tenth; 0.86 is 0.14 below the start, 0.80 only 0.07 below 0.86.
  for (const double axis : {0.95, 0.91, 0.86, 0.80, 0.77, 0.84, 0.86}) {
    std::vector<KnownSystem> now{known({1, 2}, axis)};
    for (const auto& e : system_changes(before, now, ids))
      told.push_back(e.change == SystemChange::binary_hardened ? axis : -axis);
    before = known_systems_in(text_of(now));  // as after a resume
  }
  EXPECT_EQ(told, (std::vector<double>{0.86, 0.77, -0.86}));
}

TEST(SystemChanges, AreListedInOneOrder) {
  EXPECT_EQ(words_of({known({3, 4}), known({5, 6}, 1), known({7, 8})}, {known({1, 2}), known({5, 6}, 0.5)}),
            (Words{"binary-ionised 3 4", "binary-ionised 7 8", "binary-formed 1 2", "binary-hardened 5 6"}));
}

TEST(SystemChanges, HaveATextThatKeepsEveryBit) {
  std::vector<KnownSystem> list{known({1, 2}, 0.1), known({1, 2, 9}, 1 / 3.0)};
  list[1].hardness = -0.0, list[0].told_axis = 5e-324;
  const auto text = text_of(list);
  EXPECT_EQ(text_of(known_systems_in(text)), text);
  EXPECT_EQ(known_systems_in(text_of({})).size(), 0U);
  const auto refuses = [](const std::string& words) {
    EXPECT_THROW((void)known_systems_in(words), InputError) << words;
  };
  refuses(""), refuses("two"), refuses(text.substr(0, text.size() / 2));
  refuses("1\n1 5 5 5 1 1 1 1 1 1\n");    // one star is no system
  refuses("1\n2 5 4 5 4 1 1 1 1 1 1\n");  // ids that descend
  refuses("1\n2 4 5 5 4 1 1 x 1 1 1\n");
}

}  // namespace pleiad::structure
