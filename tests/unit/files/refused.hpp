/// What every refusal of a file must be: exit code 3 and one line that names what is wrong, and where.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::golden {

inline constexpr double inf = std::numeric_limits<double>::infinity(),
                        nan = std::numeric_limits<double>::quiet_NaN();

/// An InputError of one line with all these words; `what` says which file it was.
inline void expect_refused_by_name(const std::filesystem::path& file, const std::vector<std::string>& words,
                                   const std::string& what) {
  try {
    read_snapshot(file);
    ADD_FAILURE() << "accepted: " << what;
  } catch (const Error& e) {
    const std::string said = e.what();
    EXPECT_EQ(e.kind(), Error::Kind::input) << what << ": " << said;
    for (const auto& word : words)
      EXPECT_NE(said.find(word), said.npos) << what << ": no '" << word << "' in: " << said;
    EXPECT_EQ(said.find('\n'), said.npos) << said;
    EXPECT_LE(said.size(), 600u) << said;
  }
}

/// The same with one word and the name of the file.
inline void expect_refused(const std::filesystem::path& file, const std::string& word) {
  expect_refused_by_name(file, {word, file.filename().string()}, file.string());
}

}  // namespace pleiad::golden
