/// A run in miniature: a table line and a checkpoint per generation, going on after every failure, as `pleiad
/// run` does.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "faults/generation.hpp"
#include "io/checkpoint/appended_file.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>

using namespace pleiad;
using namespace pleiad::test;

/// save_generations DIRECTORY FIRST LAST BODIES: FIRST = 1 starts anew, otherwise the last checkpoint is
/// continued. Says "trying g", then "saved g" or "failed g: why"; exits with 4 when any failed.
int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::filesystem::path directory = argv[1];
  const auto number = [&](int k) { return std::strtoull(argv[k], nullptr, 10); };
  int result = 0;
  try {
    auto table = number(2) == 1 ? AppendedFile::create(directory / table_name)
                                : AppendedFile::resume(
                                      directory / table_name,
                                      load_checkpoint(directory).checkpoint.appended_files.at(table_name));
    for (auto g = number(2); g <= number(3); ++g) {
      std::cout << "trying " << g << std::endl;
      try {
        table.append(table_line(g));
        save_checkpoint(directory, generation(g, number(4), table.flush_and_sync()));
        std::cout << "saved " << g << std::endl;
      } catch (const ResourceError& error) {
        std::cout << "failed " << g << ": " << error.what() << std::endl;
        result = 4;
      }
    }
  } catch (const Error& error) {
    std::cout << "ended: " << error.what() << std::endl;
    return static_cast<int>(error.kind());
  }
  return result;
}
