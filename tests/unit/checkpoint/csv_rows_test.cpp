/// Rows of the tables of a run, by the names of their columns, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/csv_rows.hpp"

#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr std::array<std::string_view, 2> csv_columns{"x", "id"};

std::vector<std::pair<double, std::uint64_t>> csv_rows_in(const std::string& text) {
  const test::Folder folder;
  const auto file = folder.path / "table.csv";
  std::ofstream(file) << text;
  std::vector<std::pair<double, std::uint64_t>> rows;
  for_csv_rows(file, csv_columns,
               [&](const CsvRow& row) { rows.emplace_back(row.number(0), row.whole_number(1)); });
  return rows;
}
std::string csv_refusal(const std::string& text) {
  try {
    (void)csv_rows_in(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(CsvRows, AreReadByTheNamesOfTheirColumns) {
  const auto rows =
      csv_rows_in("# units: nbody\nid,time,x\n18446744073709551615,0,0.1\n\n# later\n7,1,-2e-3\r\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (std::pair<double, std::uint64_t>{0.1, 18446744073709551615ULL}));
  EXPECT_EQ(rows[1], (std::pair<double, std::uint64_t>{-2e-3, 7}));
  EXPECT_TRUE(std::isnan(csv_rows_in("id,x\n1,nan\n")[0].first));
  EXPECT_TRUE(csv_rows_in("id,x\n").empty());
  EXPECT_TRUE(csv_rows_in("").empty());
}

TEST(CsvRows, NameWhatIsWrong) {
  EXPECT_NE(csv_refusal("id,y\n1,2\n").find("has no column 'x'"), std::string::npos);
  EXPECT_NE(csv_refusal("# c\nid,x\n1,2\n1\n").find("line 4 has 1 cells, the first line 2 names"),
            std::string::npos);
  EXPECT_NE(csv_refusal("id,x\n1,two\n").find("line 2 has 'two' as x, which is no number"),
            std::string::npos);
  EXPECT_NE(csv_refusal("id,x\n1,2 \n").find("has '2 ' as x"), std::string::npos);
  EXPECT_NE(csv_refusal("id,x\n-1,2\n").find("has '-1' as id, which is no whole number"), std::string::npos);
}
