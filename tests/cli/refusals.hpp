/// What the program must refuse.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace pleiad::test {

/// `prepare` makes the input in an empty folder, `command` must end with `code` and one line on stderr that
/// holds `word`.
struct Refusal {
  const char *name, *prepare, *command;
  int code;
  const char* word;
};

std::span<const Refusal> config_refusals();
std::span<const Refusal> usage_refusals();
std::span<const Refusal> run_refusals();
std::span<const Refusal> data_refusals();

}  // namespace pleiad::test
