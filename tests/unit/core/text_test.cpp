/// What is UTF-8, what is shown of what is not, and printing to where nothing can be printed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"

#include "core/memory.hpp"
#include "core/print.hpp"

#include <pleiad/error.hpp>

#include <cstdio>
#include <functional>
#include <new>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace pleiad;
using namespace std::string_view_literals;

TEST(Text, IsUtf8WithoutNul) {
  for (const auto good : {""sv, "plain"sv, "\xc3\xa9"sv, "\xe2\x82\xac"sv, "\xf0\x9f\x8c\x8c"sv, "\t\x7f"sv})
    EXPECT_TRUE(is_text(good)) << one_line(good);
  // Cut short, begun in the middle, too long a form, a surrogate, beyond Unicode, NUL.
  for (const auto bad : {"\xff"sv, "a\xc3"sv, "\x80"sv, "\xc0\xaf"sv, "\xe0\x80\x80"sv, "\xed\xa0\x80"sv,
                         "\xf4\x90\x80\x80"sv, "a\0b"sv})
    EXPECT_FALSE(is_text(bad)) << one_line(bad);
}

TEST(Text, IsShownOnOneLine) {
  EXPECT_EQ(one_line("a\nb\n"), "a; b");
  EXPECT_EQ(one_line("na\xefve \xc3\xa9\x1b[0m"), "na\\xefve \xc3\xa9\\x1b[0m");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(Print, ToAFullDiskIsLostWithoutAnException) {
  std::fflush(stderr);
  const int before = ::dup(STDERR_FILENO), full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(before, 0);
  ASSERT_GE(full, 0);
  ASSERT_EQ(::dup2(full, STDERR_FILENO), STDERR_FILENO);
  EXPECT_NO_THROW(print_err("{} {}\n", "lost", 1));
  EXPECT_NO_THROW(write_err("lost\n"));
  ASSERT_EQ(::dup2(before, STDERR_FILENO), STDERR_FILENO);
  ::close(before), ::close(full);
}

TEST(Memory, ThatCannotBeHadSaysForWhat) {
  EXPECT_EQ(needing_memory("nothing", [] { return 5; }), 5);
  // What operator new throws, without asking it: the sanitizers' own ends the process instead.
  const auto no_room = []() -> int { throw std::bad_alloc(); };
  const auto too_long = [] { return static_cast<int>(std::vector<char>(std::size_t(-1)).size()); };
  for (const std::function<int()>& action : {std::function<int()>(no_room), std::function<int()>(too_long)})
    try {
      needing_memory("a table (--rows)", action);
      FAIL() << "it was had";
    } catch (const ResourceError& e) {
      EXPECT_STREQ(e.what(), "out of memory for a table (--rows)");
    }
}
