/// Tables and tracks of potentials: rows of numbers from files or texts, with what follows from them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pleiad::potentials {

/// The numbers of a file of text, a row a line, separated by blanks or commas; # begins a comment. `columns`:
/// set to the number of columns. InputError for a file that cannot be read, is empty, or has anything else.
std::vector<double> rows_of_file(const std::string& file, std::size_t& columns);
/// Numbers that are separated by commas; UsageError for anything else, which `what` names.
std::vector<double> numbers_of(std::string_view text, const std::string& what);

/// A table of radii and masses within them, completed by the derivatives of a monotone cubic spline, which
/// are at most three times the mean slopes beside them (Fritsch & Carlson 1980), and by potentials over G.
/// UsageError where radii do not rise from above 0, or masses from 0, with the name `what`.
std::vector<double> completed_table(const std::vector<double>& radii_and_masses, const std::string& what);
/// The numbers that completed_table was given.
std::vector<double> given_table(const std::vector<double>& table);
/// A track of times and positions (4 columns), completed by the velocities of parabolas through three rows,
/// or one that has velocities (7 columns). UsageError where the times do not rise, with the name `what`.
std::vector<double> completed_track(const std::vector<double>& rows, std::size_t columns,
                                    const std::string& what);

}  // namespace pleiad::potentials
