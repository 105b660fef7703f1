/// What a page says to the live view: whatever comes, a command within its limits or none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/command.hpp"
#include "target.hpp"

#include <cmath>
#include <variant>

using namespace pleiad;
using namespace pleiad::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto command = live::command_of(text_of(data, size));
  if (!command) return 0;
  if (const auto* budget = std::get_if<live::Budget>(&*command)) {
    require(!budget->bytes_per_second || *budget->bytes_per_second >= 1e3, "a budget that can be met");
    require(!budget->frames_per_second || *budget->frames_per_second >= 0.1, "a rate that can be met");
  }
  if (const auto* camera = std::get_if<live::Camera>(&*command)) {
    require(camera->across > 0 && camera->across <= 16384 && camera->down > 0 && camera->down <= 16384,
            "pixels");
    require(camera->width > 0 && std::isfinite(norm(camera->centre)), "a view of something");
    require(std::abs(dot(camera->right, camera->up)) < 0.01, "a right angle");
  }
  if (const auto* play = std::get_if<live::Play>(&*command))
    require(play->rate >= 0.01 && play->rate <= 1000, "a rate of files");
  return 0;
}
