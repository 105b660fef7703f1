/// Questions to the file system end with an answer or with an error that names the path and the reason.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/paths.hpp"

#include "unit/checkpoint/sample.hpp"

#include <pleiad/error.hpp>

#include <fstream>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::test;
namespace fs = std::filesystem;

TEST(Paths, AreThereOrNot) {
  const Folder folder;
  std::ofstream(folder.path / "file") << "x";
  EXPECT_TRUE(path_exists(folder.path / "file"));
  EXPECT_FALSE(path_exists(folder.path / "none"));
  EXPECT_FALSE(path_exists(folder.path / "file" / "below"));
  EXPECT_TRUE(is_folder(folder.path));
  EXPECT_FALSE(is_folder(folder.path / "file"));
  make_folders(folder.path / "a" / "b");
  make_folders(folder.path / "a" / "b");
  EXPECT_EQ(entries_of(folder.path), (std::vector{folder.path / "a", folder.path / "file"}));
  remove_tree(folder.path / "a");
  remove_tree(folder.path / "a");
  EXPECT_FALSE(path_exists(folder.path / "a"));
}

TEST(Paths, ThatCannotBeAskedForAreNamedWithTheReason) {
  const Folder folder;
  fs::create_symlink("two", folder.path / "one");
  fs::create_symlink("one", folder.path / "two");
  std::ofstream(folder.path / "file") << "x";
  const auto refused = [](auto action, const fs::path& path, const char* reason) {
    const std::string why = message_of<ResourceError>([&] { action(path); });
    EXPECT_NE(why.find(path.string()), std::string::npos) << why;
    EXPECT_NE(why.find(reason), std::string::npos) << why;
  };
  const fs::path loop = folder.path / "one", long_name = folder.path / std::string(300, 'a');
  for (const auto& [path, reason] : {std::pair(loop, "Too many levels"), std::pair(long_name, "too long")}) {
    refused([](const fs::path& p) { (void)path_exists(p); }, path, reason);
    refused([](const fs::path& p) { (void)is_folder(p); }, path, reason);
    refused([](const fs::path& p) { make_folders(p / "x"); }, path, reason);
    refused([](const fs::path& p) { (void)entries_of(p); }, path, reason);
  }
  refused([](const fs::path& p) { make_folders(p); }, folder.path / "file", "Not a directory");
  refused([](const fs::path& p) { (void)entries_of(p); }, folder.path / "file", "Not a directory");
}

TEST(Paths, ThatAreNoTextAreRefusedInTextThatIs) {
  EXPECT_EQ(text_path("/a/./b/../c"), "/a/c");
  const std::string why = message_of<UsageError>([] { (void)text_path("/na\xefve/x"); });
  EXPECT_NE(why.find("'/na\\xefve/x'"), std::string::npos) << why;
}
